import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import manifest from '../../lib/client/package.json' with { type: 'json' };
import { createPortalClient } from '../../lib/client/index.ts';
import { packClient } from '../../infra/openapi/client/pack-client.ts';
import type { LocalService } from '../../infra/local/service.ts';
import { readBlock } from '../support/guides/readme.ts';
import { startLocalService } from '../support/service/local-service.ts';

const run = promisify(execFile);
const nodeModules = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** A program that compiles with strict options. Its only type error is the one that it expects. */
const calls = `
import { createPortalClient, type ErrorCode, PortalError, type ResponseInfo } from '${manifest.name}';
import type { CallOptions, Declaration, PortalClientOptions, ToleranceAction } from '${manifest.name}';

export async function call(options: PortalClientOptions): Promise<ToleranceAction | null> {
  const portal = createPortalClient({ ...options, wait: undefined, fetch: (url, init) => fetch(url, init) });
  // @ts-expect-error -- a misspelt property
  await portal.declareInvoice({ invoice_id: '9001', amount: 1050, invoce_number: 'A-1' });
  try {
    const attempts: number[] = [];
    const onResponse = (response: ResponseInfo) => void attempts.push(response.attempts);
    const callOptions: CallOptions = { signal: undefined, onResponse: attempts.length > 0 ? onResponse : undefined };
    const declaration: Declaration = { invoice_id: '9001', amount: 1, notes: undefined, tax_pct: undefined };
    const result = await portal.declareInvoice(declaration, callOptions);
    return result.tolerance.action;
  } catch (error) {
    if (!(error instanceof PortalError) || error.cause?.code === 'ENOTFOUND') throw error;
    const code: ErrorCode | (string & {}) = error.code;
    return code === 'NOT_FOUND' || code === 'A_CODE_OF_A_LATER_VERSION' ? null : 'REVIEW';
  }
}
`;

/** Reads the examples of the client's documentation as one program, which begins with the creation of the client. */
async function readExamples(): Promise<string> {
  const readSource = (name: string) => readFile(new URL(`../../lib/client/${name}`, import.meta.url), 'utf8');
  const sources = await Promise.all(['portal-client.ts', 'client-types.ts'].map(readSource));
  const comments = sources.join('').matchAll(/@example\n(.*?)\n *\*\//gs);
  const [creation, ...uses] = Array.from(comments, ([, lines = '']) => lines.replaceAll(/^ *\* ?/gm, ''));
  // Each use has a block, so that examples can declare the same names.
  return [creation, ...uses.map((lines) => `{\n${lines}\n}`)].join('\n');
}

let folder: string;
let archive: string;
let project: string;
let service: LocalService;

/** Compiles all programs of the project, and returns the errors of the compiler. */
async function compile(compilerOptions: object): Promise<string> {
  const options = {
    target: 'es2024',
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    noPropertyAccessFromIndexSignature: true,
    allowImportingTsExtensions: true,
    ...compilerOptions,
  };
  // The types of Node are needed only by the program that declares a CSV.
  const exclude = 'typeRoots' in compilerOptions ? [] : ['declare-csv.mts'];
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, exclude }));
  const compiler = join(nodeModules, 'typescript/bin/tsc');
  return run(process.execPath, [compiler, '--project', project]).then(
    ({ stdout }) => stdout,
    (error: { readonly stdout: string }) => error.stdout,
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'integrator-'));
  project = join(folder, 'project');
  await mkdir(project);
  const initialized = run('npm', ['init', '-y'], { cwd: project });
  const [packed, local] = await Promise.all([packClient(folder), startLocalService({ demo: true }), initialized]);
  archive = packed;
  service = local;
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', archive], { cwd: project });

  for (const [title, file] of [
    ['A first program', 'declare-pending.mts'],
    ['Declare a CSV', 'declare-csv.mts'],
  ] as const) {
    const program = readBlock('lib/client/README.md', title, 'ts').replace('http://127.0.0.1:3000', service.url);
    await writeFile(join(project, file), program);
  }
  await writeFile(join(project, 'calls.mts'), calls);
  await writeFile(join(project, 'examples.mts'), (await readExamples()).replace('http://127.0.0.1:3000', service.url));
});
afterAll(async () => {
  await service.close();
});

it('the client package installs its compiled code, guide and examples, and no other package', async () => {
  expect((await readdir(join(project, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
    dirname(manifest.name),
  ]);
  const content = await readdir(join(project, 'node_modules', manifest.name), { recursive: true });
  const requiredFiles = ['README.md', 'dist/index.js', 'dist/index.d.ts', 'examples/portal.http'];
  expect(content).toEqual(expect.arrayContaining(requiredFiles));
  expect(content.filter((name) => /^dist.*(?<!\.d)\.ts$/.test(name))).toEqual([]);
});

const browser = { lib: ['es2024', 'dom'], types: [] };
it.each([
  ['bundler, lib es2018', { module: 'esnext', moduleResolution: 'bundler', ...browser, lib: ['es2018', 'dom'] }],
  [
    'nodenext, types of Node',
    { module: 'nodenext', lib: ['es2024'], types: ['node'], typeRoots: [join(nodeModules, '@types')] },
  ],
])(
  'the client types accept the program of the guide and the examples, and reject a misspelt property (%s)',
  async (_, options) => {
    expect(await compile(options)).toBe('');
  },
);

it('the program of the guide runs with the client package, and prints the output that the guide shows', async () => {
  const { stdout } = await run(process.execPath, ['declare-pending.mts'], { cwd: project });
  expect(stdout).toBe(readBlock('lib/client/README.md', 'A first program', 'text'));
});

it('the program of the guide that declares a CSV prints the outcome of each row', async () => {
  await writeFile(join(project, 'amounts.csv'), 'invoice_id,amount\r\n9003,640.5\r\n9101,500\r\n');
  const { stdout } = await run(process.execPath, ['declare-csv.mts'], { cwd: project });
  expect(stdout).toBe('9003 AUTO_APPROVE\n9101 The invoice was not found.\n');
});

it('every method of the client has an example in its documentation, and the examples run', async () => {
  const account = { tenant: 'demo.example', apiKey: 'key', email: 'ana@demo.example', password: 'secret' };
  const examples = await readExamples();
  for (const method of Object.keys(createPortalClient({ baseUrl: service.url, ...account }))) {
    expect(examples).toContain(`portal.${method}(`);
  }
  await run(process.execPath, ['examples.mts'], { cwd: project });
});
