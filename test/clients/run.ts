import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { offerHelp } from '../../infra/command-line.ts';
import { loadDemo } from '../../infra/start/demo.ts';
import { type DemoEngine, startService } from '../../infra/local/service.ts';
import { print, printError } from '../../infra/terminal.ts';
import { step } from '../deploy/step.ts';
import { generate, generators } from './generators.ts';
import { clientsFolder, installTools, nodeProgram, pathOf, runProgram, venvPrograms } from './tools.ts';

offerHelp(`Usage: npm run test:extra -- clients

Generates clients from the OpenAPI document with four generators, compiles them, and runs a session with the Python
client.

Exit codes: 0 passed, 1 failed, 77 skipped, because a program is missing. More: test/README.md`);

const strict = {
  compilerOptions: {
    ...{ strict: true, noUncheckedIndexedAccess: true, noEmit: true, skipLibCheck: true, types: [] },
    ...{ module: 'esnext', moduleResolution: 'bundler', target: 'es2024', lib: ['es2024', 'dom', 'dom.iterable'] },
  },
  include: ['openapi-typescript', 'hey-api', 'orval'],
};

const missing = await step('install the generators, once', installTools);
if (missing !== undefined) {
  print(`skipped: missing ${missing}.`);
  process.exit(77);
}
try {
  await check();
} catch (error) {
  printError(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function check(): Promise<void> {
  for (const folder of Object.keys(generators)) {
    await step(`${folder}: a client is generated`, () => generate(folder));
  }
  await writeFile(join(clientsFolder, 'tsconfig.json'), JSON.stringify(strict));
  await step('TypeScript compiles its three clients', () =>
    runProgram(nodeProgram('tsc'), ['--project', '.'], clientsFolder),
  );
  const python = join(clientsFolder, 'python');
  await copyFile(pathOf('session.py'), join(python, 'session.py'));
  await step('mypy accepts a session with the Python client', () =>
    // The errors in the code of the generator itself do not matter.
    runProgram(join(venvPrograms, 'mypy'), ['--strict', '--follow-imports=silent', 'session.py'], python),
  );
  const load = (engine: DemoEngine) => loadDemo(engine, 'small');
  const service = await startService({ port: 0, dynamodbPort: 0, loadDemo: load, quiet: true });
  try {
    const printed = await step('the session with the Python client succeeds', () =>
      runProgram(join(venvPrograms, 'python'), ['session.py', service.url], python),
    );
    print(printed.trimEnd());
  } finally {
    await service.close();
  }
}
