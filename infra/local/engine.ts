import { type ChildProcess, fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { CommandError } from '../process/terminal.ts';
import { lockDataFolder } from './data-folder.ts';
import { findFreePort, LOCAL_HOST } from './ports.ts';

/** The version of Amazon's DynamoDB Local with which the tests have passed. */
const DYNAMODB_LOCAL_VERSION = '3.1.0';

/** An engine, which is a program with the API of DynamoDB: the address of a running one, or the binary of dynoxide. */
export type FoundEngine = { readonly endpoint: string } | { readonly binary: string };

export interface RunningEngine {
  readonly endpoint: string;
  /** Rejects with a CommandError if the engine ends, except by a call of `close`. Never resolves. */
  readonly ended: Promise<never>;
  readonly close: () => Promise<void>;
}

const DOCKER_COMMAND =
  `docker run --rm -d -p 8100:8000 amazon/dynamodb-local:${DYNAMODB_LOCAL_VERSION} -jar DynamoDBLocal.jar -sharedDb -inMemory` +
  ' && AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8100 npm start';

/** Finds the engine that the environment names, or the installed binary. Throws a CommandError if there is none. */
export function findEngine(variables: NodeJS.ProcessEnv = env, { platform, arch } = process): FoundEngine {
  const { AWS_ENDPOINT_URL_DYNAMODB: endpoint, DYNOXIDE_BIN: binary } = variables;
  if (endpoint) return { endpoint };
  if (binary) return { binary };
  const packageName = `@dynoxide/${platform}-${arch}`;
  const file = platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
  try {
    return { binary: createRequire(import.meta.url).resolve(`${packageName}/${file}`) };
  } catch {
    throw new CommandError(
      `The engine ${packageName} is not installed: run npm ci with a registry that has it, or set DYNOXIDE_BIN to a binary of dynoxide. ` +
        `Or use Amazon's DynamoDB Local (${DYNAMODB_LOCAL_VERSION} was tested), with Docker by this line:\n${DOCKER_COMMAND}`,
    );
  }
}

/** Starts a binary, with its data in a folder or else in memory. An engine with an address already runs. */
export async function startEngine(found: FoundEngine, dataFolder?: string): Promise<RunningEngine> {
  const neverEnded = new Promise<never>(() => {});
  if ('endpoint' in found) return { endpoint: found.endpoint, ended: neverEnded, close: async () => {} };
  const releaseFolder = dataFolder === undefined ? undefined : lockDataFolder(dataFolder);
  const dataOptions = dataFolder === undefined ? [] : ['--db-path', join(dataFolder, 'dynamodb.sqlite')];
  const host = chooseHost();
  const port = await findFreePort();
  const supervisor = startSupervisor([found.binary, 'serve', '--host', host, '--port', String(port), ...dataOptions]);
  const exited = once(supervisor, 'exit');
  // The folder stays locked until the engine has ended.
  void exited.then(releaseFolder);
  const { listening, ended } = watchOutput(supervisor);
  await Promise.race([listening, ended]);
  return {
    endpoint: `http://${host}:${port}`,
    ended,
    async close() {
      // Without this listener, `ended` does not reject.
      supervisor.removeAllListeners('close');
      if (supervisor.connected) supervisor.disconnect();
      await exited;
    },
  };
}

/** Chooses a random loopback address, which a page in a browser cannot guess: the engine would accept its requests. */
function chooseHost(): string {
  // Other systems, such as macOS, have only 127.0.0.1 by default.
  if (!['linux', 'win32'].includes(process.platform)) return LOCAL_HOST;
  return `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

/** Starts engine-supervisor.ts, which runs the command, and ends it when this process disconnects or ends. */
function startSupervisor(command: readonly string[]): ChildProcess {
  return fork(fileURLToPath(new URL('engine-supervisor.ts', import.meta.url)), command, {
    // Ctrl-C ends a process group. In its own group, the engine still runs until the requests in progress have ended.
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

/** Watches the engine. `listening` resolves when the engine accepts requests, and `ended` rejects when it ends. */
function watchOutput(supervisor: ChildProcess): { listening: Promise<void>; ended: Promise<never> } {
  const listening = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<never>();
  // Without this handler, a rejection that nothing awaits yet would end the process.
  ended.promise.catch(() => {});
  let lastOutput = '';
  supervisor.stderr!.on('data', (chunk: Buffer) => {
    const output = chunk.toString().trim();
    if (output !== '') lastOutput = output;
    if (output.startsWith('Dynoxide listening')) listening.resolve();
  });
  // The event `close` follows the last output, which usually explains why the engine ended.
  supervisor.once('close', (code) => {
    ended.reject(new CommandError(`The engine has ended with code ${code}. ${lastOutput}`.trim()));
  });
  return { listening: listening.promise, ended: ended.promise };
}
