import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { handleHelpOption } from '../../infra/process/read-options.ts';
import { loadDemo } from '../../infra/local/start/demo.ts';
import type { DemoEngine } from '../../infra/local/prepare-data.ts';
import { startService } from '../../infra/local/service.ts';
import { DOCUMENT_FILE, readProgram } from '../../infra/openapi/published-documents.ts';
import { printError } from '../../infra/process/terminal.ts';
import { step } from '../deploy/step.ts';
import { testSchema } from './test-schema.ts';
import { clientsFolder, getNodeBin, installTools, runProgram, venvPrograms } from './tools.ts';

handleHelpOption(`Usage: npm run suite -- clients

Generates clients from the OpenAPI document with five generators, compiles them, and runs the programs of the
guide with the clients of Python and PHP. Then sends at least 300 random requests for each operation of the document.

Exit codes: 0 passed, 1 failed, 77 skipped because a program is missing. More: test/README.md`);

const document = fileURLToPath(DOCUMENT_FILE);

/** The command line of each generator, by the folder in which it writes its client. */
const generators: Readonly<Record<string, readonly [program: string, ...options: string[]]>> = {
  python: [
    join(venvPrograms, 'openapi-python-client'),
    ...['generate', '--fail-on-warning', '--meta', 'none'],
    ...['--path', document, '--output-path', 'python/portal_client'],
  ],
  'openapi-typescript': [getNodeBin('openapi-typescript'), document, '--output', 'openapi-typescript/portal.ts'],
  'hey-api': [getNodeBin('openapi-ts'), '--input', document, '--output', 'hey-api'],
  orval: [getNodeBin('orval'), '--input', document, '--output', 'orval/portal.ts', '--client', 'fetch'],
};

const phpGenerator = ['generate', '--generator-name', 'php', '--input-spec', document, '--output', 'php/portal'];

/** Loads the classes as Composer does, but Guzzle from the package of the system: no network is needed. */
const PHP_AUTOLOAD = String.raw`<?php
require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $file = __DIR__ . '/../lib/' . strtr(substr($class, strlen('OpenAPI\\Client\\')), '\\', '/') . '.php';
    if (str_starts_with($class, 'OpenAPI\\Client\\')) require $file;
});
`;

/**
 * Runs the program of the guide for a generated client. Throws unless it prints a total and an id, and the error of a
 * settled invoice.
 */
async function runGuideProgram(language: 'python' | 'php', interpreter: string, url: string): Promise<void> {
  const folder = join(clientsFolder, language);
  const program = readProgram(language === 'python' ? 'generated_client.py' : 'generated_client.php');
  await writeFile(join(folder, 'guide'), program.replace('http://127.0.0.1:3000', url));
  const printed = await runProgram(interpreter, ['guide'], folder);
  if (!/^[1-9]\d* \d+\nVALIDATION_ERROR\n$/.test(printed)) throw new Error(`The program prints:\n${printed}`);
}

/** Generates a client again. Throws if the generator prints a warning. */
async function generateClient(folder: string): Promise<void> {
  const [program = '', ...options] = generators[folder] ?? [];
  const path = join(clientsFolder, folder);
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true });
  const printed = await runProgram(program, options, clientsFolder);
  if (/warn|error|⚠/i.test(printed)) throw new Error(`The generator prints a warning or an error:\n${printed}`);
}

const strict = {
  compilerOptions: {
    ...{ strict: true, noUncheckedIndexedAccess: true, noEmit: true, skipLibCheck: true, types: [] },
    ...{ module: 'esnext', moduleResolution: 'bundler', target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'] },
  },
  include: ['openapi-typescript', 'hey-api', 'orval'],
};

try {
  await testClients();
} catch (error) {
  printError(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function testClients(): Promise<void> {
  await step('install the generators (only once)', installTools);
  for (const folder of Object.keys(generators)) {
    await step(`${folder}: a client is generated`, () => generateClient(folder));
  }
  await writeFile(join(clientsFolder, 'tsconfig.json'), JSON.stringify(strict));
  await step('TypeScript compiles its three clients', () =>
    runProgram(getNodeBin('tsc'), ['--project', '.'], clientsFolder),
  );
  await step('php: a client is generated', async () => {
    // The generator logs a warning that its support of OpenAPI 3.1 is beta, and names anonymous types itself.
    await rm(join(clientsFolder, 'php'), { recursive: true, force: true });
    await runProgram(join(venvPrograms, 'openapi-generator-cli'), phpGenerator, clientsFolder);
    await mkdir(join(clientsFolder, 'php/portal/vendor'));
    await writeFile(join(clientsFolder, 'php/portal/vendor/autoload.php'), PHP_AUTOLOAD);
  });
  const loadSmallDemo = (engine: DemoEngine) => loadDemo(engine, 'small');
  const service = await startService({ port: 0, dynamodbPort: 0, loadDemo: loadSmallDemo, log: 'none' });
  try {
    const pythonInterpreter = join(venvPrograms, 'python');
    await step('the Python program of the guide runs', () => runGuideProgram('python', pythonInterpreter, service.url));
    await step('the PHP program of the guide runs', () => runGuideProgram('php', 'php', service.url));
    console.log(await step('schemathesis: every response is as in the document', () => testSchema(service.url)));
  } finally {
    await service.close();
  }
}
