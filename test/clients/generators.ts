import { mkdir, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documentFiles } from '../../infra/openapi/read-document.ts';
import { clientsFolder, nodeProgram, runProgram, venvPrograms } from './tools.ts';

const document = fileURLToPath(documentFiles.en);

/** A generator: what it is called with, and the type names of what it wrote. */
interface Generator {
  readonly name: string;
  readonly command: readonly [program: string, ...options: string[]];
  /** The files that declare the types, in the folder of the clients. */
  readonly types: string;
  /** Finds the name in a declaration of a type. */
  readonly declaration: RegExp;
}

/** What every generator calls by the same name. */
const EXPECTED = 'InvoiceRow InvoiceDetail Tolerance ToleranceMode StateCode Declaration BatchResult'.split(' ');

/** The generators, each with the folder that it writes. */
export const generators: readonly Generator[] = [
  {
    name: 'openapi-python-client',
    command: [
      join(venvPrograms, 'openapi-python-client'),
      ...['generate', '--fail-on-warning', '--meta', 'none'],
      ...['--path', document, '--output-path', 'python/portal_client'],
    ],
    types: 'python/portal_client/models',
    declaration: /^class (\w+)/gm,
  },
  {
    name: 'openapi-typescript',
    command: [nodeProgram('openapi-typescript'), document, '--output', 'openapi-typescript/portal.ts'],
    types: 'openapi-typescript',
    declaration: /^ {8}(\w+): /gm,
  },
  {
    name: '@hey-api/openapi-ts',
    command: [nodeProgram('openapi-ts'), '--input', document, '--output', 'hey-api'],
    types: 'hey-api',
    declaration: /^export type (\w+)/gm,
  },
  {
    name: 'orval',
    command: [nodeProgram('orval'), '--input', document, '--output', 'orval/portal.ts', '--client', 'fetch'],
    types: 'orval',
    // Beside the types of the document it has one for each status of an operation, in lower case.
    declaration: /^export (?:type|interface) ([A-Z]\w+)/gm,
  },
];

/**
 * Makes the client of a generator anew, and gives the names of its types; it fails with a warning, without a type that is
 * expected, and with a name that the generator had to invent, such as `Response200Type1`.
 */
export async function generate({ command: [program, ...options], types, declaration }: Generator): Promise<string[]> {
  await mkdir(clientsFolder, { recursive: true });
  await rm(join(clientsFolder, types.split('/')[0]!), { recursive: true, force: true });
  await mkdir(join(clientsFolder, types.split('/')[0]!));
  const printed = await runProgram(program, options, clientsFolder);
  if (/warn|error|⚠/i.test(printed)) throw new Error(`The generator is not content:\n${printed}`);
  const names = await typeNames(join(clientsFolder, types), declaration);
  const missing = EXPECTED.filter((name) => !names.includes(name));
  const invented = names.filter((name) => /\d|Inner|Inline|AnyOf|OneOf/.test(name));
  if (missing.length + invented.length === 0) return names;
  throw new Error(`The client has no ${missing.join(', ')}; these names were invented: ${invented.join(', ')}.`);
}

async function typeNames(folder: string, declaration: RegExp): Promise<string[]> {
  const files = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
  const texts = await Promise.all(files.map(({ name }) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) => [...text.matchAll(declaration)].map(([, name = '']) => name));
}
