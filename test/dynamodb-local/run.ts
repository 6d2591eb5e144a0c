import { execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { handleHelpOption } from '../../infra/process/read-options.ts';
import { findFreePort, LOCAL_HOST } from '../../infra/local/ports.ts';
import { print } from '../../infra/process/terminal.ts';
import { exceptions, otherTitles } from './exceptions.ts';

const resolvePath = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** The folder of the Java libraries. It can be deleted, because Maven keeps its own copies. */
const libraries = resolvePath('../../cdk.out/dynamodb-local');

handleHelpOption(`Usage: npm run suite -- dynamodb-local [FILE ...]

Runs the tests that use an engine, or those of some files, on Amazon's DynamoDB Local, and prints which tests it skips.
Exit codes: 0 passed, 1 failed, 77 skipped (no Java or Maven). More: test/README.md`);

const files = process.argv.slice(2);
const engine = await startDynamoDbLocal();
process.exitCode = (await runTests()) === 0 ? 0 : 1;
engine.close();
print('\nOn DynamoDB Local, these tests cannot pass:');
for (const { reason, titles } of exceptions) print([reason, ...titles].join('\n  '));

async function runTests(): Promise<number | null> {
  const { AWS_ENDPOINT_URL_DYNAMODB: _, ...environment } = process.env;
  const vitest = resolvePath('../../node_modules/vitest/vitest.mjs');
  const chosen = files.length > 0 ? files : ['test/integration', 'test/e2e', 'test/lab/faults'];
  const options = ['--config', 'test/vitest.config.ts', '--testNamePattern', otherTitles];
  const run = spawn(process.execPath, [vitest, 'run', ...options, ...chosen], {
    stdio: 'inherit',
    env: {
      ...environment,
      DYNAMODB_LOCAL_URL: engine.url,
      DYNOXIDE_BIN: resolvePath('own-database.ts'),
    },
  });
  const [code] = (await once(run, 'close')) as [number | null];
  return code;
}

/** Starts Amazon's DynamoDB Local in memory, on a free port. It ends with this process. */
async function startDynamoDbLocal(): Promise<{ readonly url: string; close(): void }> {
  const maven = ['--quiet', '--file', resolvePath('pom.xml'), 'dependency:copy-dependencies'];
  await promisify(execFile)('mvn', [...maven, `-DoutputDirectory=${libraries}`]);
  const port = await findFreePort();
  const java = ['java', `-Djava.library.path=${libraries}`, '-cp', `${libraries}/*`];
  const main = 'software.amazon.dynamodb.services.local.main.ServerRunner';
  const options = ['-inMemory', '-disableTelemetry', '-port', String(port)];
  const supervisor = fork(resolvePath('../../infra/local/engine-supervisor.ts'), [...java, main, ...options], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const url = `http://${LOCAL_HOST}:${port}`;
  while (!(await fetch(url).then(Boolean, () => false))) {
    if (supervisor.exitCode !== null) throw new Error('DynamoDB Local did not start.');
    await sleep(100);
  }
  return { url, close: () => supervisor.disconnect() };
}
