import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { localEngine } from '../config.ts';
import { findPort, localHost } from './ports.ts';
import { StartError } from './start-error.ts';

/** A DynamoDB-compatible engine that answers. */
export interface Engine {
  readonly endpoint: string;
  close(): Promise<void>;
}

const answerTimeoutMs = 5_000;

/** Starts the embedded engine, in memory or in a directory; or takes the one that AWS_ENDPOINT_URL_DYNAMODB names. */
export async function startEngine(wantedPort: number, dataDirectory: string | undefined): Promise<Engine> {
  if (localEngine.endpoint) {
    if (!(await answers(localEngine.endpoint))) throw new StartError(`No engine answers at ${localEngine.endpoint}.`);
    return { endpoint: localEngine.endpoint, close: async () => {} };
  }
  const binary = findBinary();
  const port = await findPort(wantedPort);
  const args = ['serve', '--host', localHost, '--port', String(port), ...databaseArguments(dataDirectory)];
  const keeper = startKeeper([binary, ...args]);
  const endpoint = `http://${localHost}:${port}`;
  try {
    await untilItAnswers(endpoint, keeper);
  } catch (error) {
    await stop(keeper);
    throw error;
  }
  return { endpoint, close: () => stop(keeper) };
}

function findBinary(): string {
  if (localEngine.binary) return localEngine.binary;
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    return createRequire(import.meta.url).resolve(`${name}/dynoxide${process.platform === 'win32' ? '.exe' : ''}`);
  } catch {
    throw new StartError(
      `No engine for this platform: npm install --no-save ${name}, or set DYNOXIDE_BIN or AWS_ENDPOINT_URL_DYNAMODB.`,
    );
  }
}

function databaseArguments(dataDirectory: string | undefined): string[] {
  if (!dataDirectory) return [];
  mkdirSync(dataDirectory, { recursive: true });
  return ['--db-path', join(dataDirectory, 'dynamodb.sqlite')];
}

function startKeeper(command: readonly string[]): ChildProcess {
  return fork(fileURLToPath(new URL('engine-keeper.ts', import.meta.url)), command, {
    // A group of its own: Ctrl-C must not take the engine away from requests that are still being answered.
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

async function untilItAnswers(endpoint: string, keeper: ChildProcess): Promise<void> {
  let lastWords = '';
  let closed = false;
  keeper.once('close', () => (closed = true));
  keeper.stderr?.on('data', (text: Buffer) => (lastWords = text.toString().trim()));
  const deadline = performance.now() + answerTimeoutMs;
  while (!(await answers(endpoint))) {
    if (closed) throw new StartError(`The engine ended with code ${keeper.exitCode}. ${lastWords}`);
    if (performance.now() > deadline) throw new StartError(`The engine does not answer at ${endpoint}. ${lastWords}`);
    await sleep(5);
  }
}

async function answers(endpoint: string): Promise<boolean> {
  return fetch(endpoint).then(
    () => true,
    () => false,
  );
}

async function stop(keeper: ChildProcess): Promise<void> {
  if (!keeper.connected) return;
  keeper.disconnect();
  await once(keeper, 'exit');
}
