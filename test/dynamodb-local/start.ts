import { execFile, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findPort, localHost } from '../../infra/local/ports.ts';

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** Where the Java libraries go. They can be deleted, as all of cdk.out: Maven keeps its own copies. */
const libraries = pathOf('../../cdk.out/dynamodb-local');

/** Starts Amazon's DynamoDB Local in memory, on a free port; it ends with this process. */
export async function startDynamoDbLocal(): Promise<{ readonly url: string; close(): void }> {
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
