import { execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { offerHelp } from '../../infra/process/read-options.ts';
import { findPort, localHost } from '../../infra/local/ports.ts';
import { print, printError } from '../../infra/process/terminal.ts';
import { exceptions, otherTitles } from './exceptions.ts';

/** A test, with its full title. */
interface Outcome {
  readonly title: string;
  readonly status: string;
}

/** As vitest writes it. */
interface Assertion extends Outcome {
  readonly ancestorTitles: readonly string[];
}

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Where the Java libraries go. They can be deleted, as all of cdk.out: Maven keeps its own copies. */
const libraries = pathOf('../../cdk.out/dynamodb-local');

offerHelp(`Usage: npm run test:extra -- dynamodb-local [FILE ...]

Runs the tests that use an engine, or those of some files, on Amazon's DynamoDB Local, and says which it left out.
Exit codes: 0 passed, 1 failed, 77 skipped (no Java or Maven). More: test/README.md`);
await import('./prerequisites.ts');

const files = process.argv.slice(2);
const engine = await startDynamoDbLocal();
const folder = await mkdtemp(join(tmpdir(), 'dynamodb-local-'));
const resultsFile = join(folder, 'results.json');
const exitCode = await runTests();
engine.close();
const { testResults } = JSON.parse(await readFile(resultsFile, 'utf8'));
await rm(folder, { recursive: true });
const outcomes: Outcome[] = testResults.flatMap(({ assertionResults }: { assertionResults: Assertion[] }) =>
  assertionResults.map(({ ancestorTitles, title, status }) => ({
    title: [...ancestorTitles, title].join(' > '),
    status,
  })),
);
process.exitCode = exitCode === 0 ? 0 : 1;
const count = (wanted: string) => outcomes.filter(({ status }) => status === wanted).length;
print(`\nOn DynamoDB Local: ${count('passed')} tests passed, ${count('failed')} failed, ${count('skipped')} left out.`);
for (const { reason, titles } of exceptions) {
  const leftOutBy = (beginning: string) => outcomes.filter(({ title }) => title.startsWith(beginning));
  const leftOut = titles.flatMap(leftOutBy);
  if (leftOut.length > 0) print(`\n${reason}`);
  for (const { title } of leftOut) print(`  ${title}`);
  // A part of the tests need not have every exception.
  const unknown = files.length > 0 ? [] : titles.filter((beginning) => leftOutBy(beginning).length === 0);
  for (const title of unknown) printError(`\nNo test has the title of this exception: ${title}`);
  if (unknown.length > 0) process.exitCode = 1;
}

async function runTests(): Promise<number | null> {
  const { AWS_ENDPOINT_URL_DYNAMODB: _, ...environment } = process.env;
  const vitest = pathOf('../../node_modules/vitest/vitest.mjs');
  const chosen = files.length > 0 ? files : ['test/integration', 'test/e2e', 'test/lab/faults'];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${resultsFile}`];
  const options = ['--config', 'test/vitest.config.ts', '--testNamePattern', otherTitles, ...reporters];
  const run = spawn(process.execPath, [vitest, 'run', ...options, ...chosen], {
    stdio: 'inherit',
    env: {
      ...environment,
      DYNAMODB_LOCAL_URL: engine.url,
      DYNOXIDE_BIN: pathOf('own-database.ts'),
    },
  });
  const [code] = (await once(run, 'close')) as [number | null];
  return code;
}

/** Starts Amazon's DynamoDB Local in memory, on a free port; it ends with this process. */
async function startDynamoDbLocal(): Promise<{ readonly url: string; close(): void }> {
  const maven = ['--quiet', '--file', pathOf('pom.xml'), 'dependency:copy-dependencies'];
  await promisify(execFile)('mvn', [...maven, `-DoutputDirectory=${libraries}`]);
  const port = await findPort(0);
  const java = ['java', `-Djava.library.path=${libraries}`, '-cp', `${libraries}/*`];
  const main = 'software.amazon.dynamodb.services.local.main.ServerRunner';
  const options = ['-inMemory', '-disableTelemetry', '-port', String(port)];
  const supervisor = fork(pathOf('../../infra/local/engine-supervisor.ts'), [...java, main, ...options], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const url = `http://${localHost}:${port}`;
  while (!(await fetch(url).then(Boolean, () => false))) {
    if (supervisor.exitCode !== null) throw new Error('DynamoDB Local has ended at once.');
    await sleep(100);
  }
  return { url, close: () => supervisor.disconnect() };
}
