import { type ChildProcess, fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeDataDirectory } from './data-directory.ts';
import { openEngineDoor } from './engine-door.ts';
import { findPort, localHost } from './ports.ts';
import { CommandError } from '../terminal.ts';
import { VirtualClock } from './virtual-clock.ts';

/** A DynamoDB-compatible engine that answers. */
export interface Engine {
  /** Its own address, for the functions: no other can be as fast. */
  readonly endpoint: string;
  /** Where everybody else finds it: it answers programs, and no page in a browser. */
  readonly doorEndpoint: string;
  /** Says why, when the engine has ended without being asked to. */
  readonly died: Promise<string>;
  close(): Promise<void>;
}

/** An engine that answers at an address, or the binary of one to start. */
export interface LocalEngine {
  readonly endpoint: string | undefined;
  readonly binary: string | undefined;
}

const answerTimeoutMs = 5_000;

/** What the environment says of the engine: the address of one that runs (the SDK's own variable), or a binary. */
export function localEngine(variables: NodeJS.ProcessEnv = env): LocalEngine {
  return { endpoint: variables['AWS_ENDPOINT_URL_DYNAMODB'], binary: variables['DYNOXIDE_BIN'] };
}

/**
 * Starts the embedded engine, in memory or in a directory, with a door at a port (0 = any free one) that tells the time
 * of a clock; or takes the one that AWS_ENDPOINT_URL_DYNAMODB names, as it is.
 */
export async function startEngine(
  doorPort: number,
  dataDirectory: string | undefined,
  settings = localEngine(),
  clock = new VirtualClock(),
): Promise<Engine> {
  const { endpoint: given, binary } = findEngine(settings);
  if (given) {
    if (!(await answers(given))) throw new CommandError(`No engine answers at ${given}.`);
    return { endpoint: given, doorEndpoint: given, died: new Promise(() => {}), close: async () => {} };
  }
  const release = dataDirectory === undefined ? () => {} : takeDataDirectory(dataDirectory);
  const database = dataDirectory === undefined ? [] : ['--db-path', join(dataDirectory, 'dynamodb.sqlite')];
  const { host, port } = await findSecretAddress();
  const supervisor = startSupervisor([String(binary), 'serve', '--host', host, '--port', String(port), ...database]);
  const endpoint = `http://${host}:${port}`;
  const died = deathOf(supervisor);
  try {
    await untilItAnswers(endpoint, died);
    const door = await openEngineDoor(doorPort, new URL(endpoint), clock);
    const close = async () => {
      await door.close();
      await stop(supervisor);
      release();
    };
    return { endpoint, doorEndpoint: door.endpoint, died, close };
  } catch (error) {
    await stop(supervisor);
    release();
    throw error;
  }
}

/** The version of Amazon's DynamoDB Local that the tests have passed on. */
const DYNAMODB_LOCAL = '3.1.0';

/** The engine to use: the one that is set, else the one that is installed; a CommandError where there is neither. */
export function findEngine({ endpoint, binary } = localEngine(), { platform, arch } = process): LocalEngine {
  if (endpoint || binary) return { endpoint, binary };
  const name = `@dynoxide/${platform}-${arch}`;
  try {
    const installed = createRequire(import.meta.url).resolve(`${name}/dynoxide${platform === 'win32' ? '.exe' : ''}`);
    return { endpoint, binary: installed };
  } catch {
    throw new CommandError(
      `The engine ${name} is not installed: run npm ci with a registry that has it, or set DYNOXIDE_BIN to a binary of dynoxide. ` +
        `Or use Amazon's DynamoDB Local (${DYNAMODB_LOCAL} was tested), with Docker by this line:\n` +
        `docker run --rm -d -p 8100:8000 amazon/dynamodb-local:${DYNAMODB_LOCAL} -jar DynamoDBLocal.jar -sharedDb -inMemory && AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8100 npm start`,
    );
  }
}

function startSupervisor(command: readonly string[]): ChildProcess {
  return fork(fileURLToPath(new URL('engine-supervisor.ts', import.meta.url)), command, {
    // A group of its own: Ctrl-C must not take the engine away from requests that are still being answered.
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

/** Why the engine has ended, unless it was stopped; when its supervisor was killed, it is ended here. */
function deathOf(supervisor: ChildProcess): Promise<string> {
  let lastWords = '';
  supervisor.stderr?.on('data', (text: Buffer) => (lastWords = text.toString().trim() || lastWords));
  let engineId: number | undefined;
  supervisor.once('message', (id: number) => (engineId = id));
  supervisor.once('exit', (_, signal) => {
    if (signal !== null && engineId !== undefined) kill(engineId);
  });
  return new Promise((resolve) => {
    // Comes when the engine has closed what it shares with its supervisor, so when both are gone.
    supervisor.once('close', (code, signal) => {
      const engine = `The engine has ended with code ${code}. ${lastWords}`.trim();
      resolve(signal === null ? engine : `The supervisor of the engine has ended (${signal}), and the engine with it.`);
    });
  });
}

function kill(processId: number): void {
  try {
    process.kill(processId);
  } catch {
    // It is gone already.
  }
}

/**
 * A free port at an address of this machine that no page can guess: any of 127.0.0.0/8, which Linux and Windows give to
 * every machine. Elsewhere it is the address of everything else, and only the port is to be guessed.
 */
async function findSecretAddress(): Promise<{ readonly host: string; readonly port: number }> {
  // The engine refuses a port that is taken at the usual address, too.
  const port = await findPort(0);
  const host = `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
  const isThere = await findPort(port, { host }).then(
    () => true,
    () => false,
  );
  return { host: isThere ? host : localHost, port };
}

async function untilItAnswers(endpoint: string, died: Promise<string>): Promise<void> {
  let reason: string | undefined;
  void died.then((text) => (reason = text));
  const deadline = performance.now() + answerTimeoutMs;
  while (!(await answers(endpoint))) {
    if (reason !== undefined) throw new CommandError(reason);
    if (performance.now() > deadline) throw new CommandError(`The engine does not answer at ${endpoint}.`);
    await sleep(5);
  }
}

/** Not asked by fetch: where NODE_USE_ENV_PROXY is set, that might ask a proxy. */
async function answers(endpoint: string): Promise<boolean> {
  const { protocol, hostname, port } = new URL(endpoint);
  const socket = connect(Number(port) || (protocol === 'https:' ? 443 : 80), hostname.replaceAll(/[[\]]/g, ''));
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}

async function stop(supervisor: ChildProcess): Promise<void> {
  supervisor.removeAllListeners('close');
  if (!supervisor.connected) return;
  supervisor.disconnect();
  await once(supervisor, 'exit');
}
