import { type ChildProcess, fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { env } from 'node:process';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isFromPage } from './callers.ts';
import { findPort, listen, localHost } from './ports.ts';
import { jsonReply, sendReply } from './replies.ts';
import { VirtualClock } from './virtual-clock.ts';
import { lockFile } from '../lock-file.ts';
import { CommandError, printError } from '../terminal.ts';

/** A running DynamoDB-compatible engine. */
export interface Engine {
  /** The address of the engine itself, which is the fastest way for the functions. */
  readonly endpoint: string;
  /** The address of the proxy for other programs, which rejects requests of pages in a browser. */
  readonly proxyEndpoint: string;
  /** Resolves with the reason if the engine ends unexpectedly. */
  readonly died: Promise<string>;
  close(): Promise<void>;
}

/** The address of a running engine, or the binary of an engine to start. */
export interface LocalEngine {
  readonly endpoint: string | undefined;
  readonly binary: string | undefined;
}

const answerTimeoutMs = 5_000;

/** Reads from the environment the address of a running engine (the SDK's own variable), or a binary. */
export function localEngine(variables: NodeJS.ProcessEnv = env): LocalEngine {
  return { endpoint: variables['AWS_ENDPOINT_URL_DYNAMODB'], binary: variables['DYNOXIDE_BIN'] };
}

/**
 * Starts the embedded engine, in memory or in a directory, with a proxy at a port (0 = any free port) whose responses
 * contain the offset of a clock. If AWS_ENDPOINT_URL_DYNAMODB is set, uses the engine at this address instead.
 */
export async function startEngine(
  proxyPort: number,
  dataDirectory: string | undefined,
  settings = localEngine(),
  clock = new VirtualClock(),
): Promise<Engine> {
  const { endpoint: external, binary } = findEngine(settings);
  if (external) {
    if (!(await canConnect(external))) throw new CommandError(`No engine responds at ${external}.`);
    return { endpoint: external, proxyEndpoint: external, died: new Promise(() => {}), close: async () => {} };
  }
  const release = dataDirectory === undefined ? () => {} : lockDataDirectory(dataDirectory);
  const database = dataDirectory === undefined ? [] : ['--db-path', join(dataDirectory, 'dynamodb.sqlite')];
  const { host, port } = await findSecretAddress();
  const supervisor = startSupervisor([String(binary), 'serve', '--host', host, '--port', String(port), ...database]);
  const endpoint = `http://${host}:${port}`;
  const died = watchSupervisor(supervisor);
  try {
    await waitForEngine(endpoint, died);
    const proxy = await startEngineProxy(proxyPort, new URL(endpoint), clock);
    const close = async () => {
      await proxy.close();
      await stop(supervisor);
      release();
    };
    return { endpoint, proxyEndpoint: proxy.endpoint, died, close };
  } catch (error) {
    await stop(supervisor);
    release();
    throw error;
  }
}

/** The version of Amazon's DynamoDB Local with which the tests have passed. */
const DYNAMODB_LOCAL = '3.1.0';

/** Finds the engine to use: that of the settings, else the installed one; throws a CommandError if there is none. */
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
    // In a separate process group, so that Ctrl-C does not end the engine before the requests in progress.
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

/** Resolves with the reason if the engine ends unexpectedly; ends the engine if its supervisor was killed. */
function watchSupervisor(supervisor: ChildProcess): Promise<string> {
  let lastOutput = '';
  supervisor.stderr?.on('data', (text: Buffer) => (lastOutput = text.toString().trim() || lastOutput));
  let engineId: number | undefined;
  supervisor.once('message', (id: number) => (engineId = id));
  supervisor.once('exit', (_, signal) => {
    if (signal !== null && engineId !== undefined) kill(engineId);
  });
  return new Promise((resolveWith) => {
    // Emitted when both processes have ended, because they share the streams.
    supervisor.once('close', (code, signal) => {
      const engine = `The engine has ended with code ${code}. ${lastOutput}`.trim();
      resolveWith(
        signal === null ? engine : `The supervisor of the engine has ended (${signal}), and the engine with it.`,
      );
    });
  });
}

function kill(processId: number): void {
  try {
    process.kill(processId);
  } catch {
    // The process has already ended.
  }
}

/**
 * Finds a free port at a random address of 127.0.0.0/8, so that no page in a browser can guess it. Systems other than
 * Linux and Windows do not have all these addresses; there, only the port is random.
 */
async function findSecretAddress(): Promise<{ readonly host: string; readonly port: number }> {
  // The engine also rejects a port that is in use at 127.0.0.1.
  const port = await findPort(0);
  const host = `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
  const isAvailable = await findPort(port, { host }).then(
    () => true,
    () => false,
  );
  return { host: isAvailable ? host : localHost, port };
}

async function waitForEngine(endpoint: string, died: Promise<string>): Promise<void> {
  let reason: string | undefined;
  void died.then((text) => (reason = text));
  const deadline = performance.now() + answerTimeoutMs;
  while (!(await canConnect(endpoint))) {
    if (reason !== undefined) throw new CommandError(reason);
    if (performance.now() > deadline) throw new CommandError(`The engine does not respond at ${endpoint}.`);
    await sleep(5);
  }
}

/** True if a TCP connection to an address succeeds. With NODE_USE_ENV_PROXY, `fetch` could call a proxy instead. */
async function canConnect(endpoint: string): Promise<boolean> {
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

const refusal = jsonReply(403, {
  __type: 'AccessDeniedException',
  message: 'The engine rejects requests of pages in a browser.',
});

/** The header of every response with the offset of the service's clock, in milliseconds. */
export const CLOCK_HEADER = 'x-clock-offset-ms';

/**
 * Starts a proxy at a port (0 = any free port) that forwards calls to the engine, but not those of pages in a browser,
 * which the engine itself would accept. Its responses contain the offset of the clock.
 */
export async function startEngineProxy(port: number, engine: URL, clock: VirtualClock) {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((call, response) => {
    response.setHeader(CLOCK_HEADER, clock.offsetMs);
    if (isFromPage(call.headers)) sendReply(response, refusal);
    else void forward(call, response, { engine, agent });
  });
  const endpoint = `http://${localHost}:${await listen(server, port, { option: '--dynamodb-port' })}`;
  return {
    endpoint,
    async close() {
      await new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      });
      agent.destroy();
    },
  };
}

async function forward(
  call: IncomingMessage,
  response: ServerResponse,
  { engine, agent }: { engine: URL; agent: Agent },
): Promise<void> {
  const { method, url: path, headers } = call;
  const { hostname, port } = engine;
  const forwarded = request({ agent, hostname, port, method, path, headers });
  forwarded.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    pipeline(answer, response).catch(() => {});
  });
  // If one side closes its connection, the other one is closed, too; that is not an error of the proxy.
  response.on('close', () => forwarded.destroy());
  forwarded.on('error', () => response.destroy());
  await pipeline(call, forwarded).catch(() => {});
}

/**
 * Creates the directory of the data with access for its owner only, and locks it until the returned function is called
 * or this process ends. Does not change the permissions of an existing directory, but warns if others can read it.
 */
export function lockDataDirectory(directory: string): () => void {
  try {
    makeDirectory(resolve(directory));
    accessSync(directory, constants.W_OK);
  } catch (error) {
    throw new CommandError(`${explain(error as NodeJS.ErrnoException, directory)} Use another folder: --data DIR.`);
  }
  // The permissions are not changed, because other users may need files in the directory.
  if (process.platform !== 'win32' && (statSync(directory).mode & 0o077) !== 0)
    printError(`Warning: other users of this machine can read ${directory}. To prevent it: chmod 700 ${directory}`);
  return lock(directory);
}

/** Creates a directory and its parents. Node's `recursive` option never ends where none can be created, as in /proc. */
function makeDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (!existsSync(dirname(path))) makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

function explain({ code, message }: NodeJS.ErrnoException, directory: string): string {
  if (code === 'EEXIST' || code === 'ENOTDIR') return `The data cannot be kept in ${directory}: that is a file.`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return `You may not write into ${directory}.`;
  return `The data cannot be kept in ${directory}: ${message}.`;
}

/** Locks a directory until the returned function is called or this process ends. */
function lock(directory: string): () => void {
  let release: (() => void) | null;
  try {
    release = lockFile(join(directory, 'in-use.sqlite'));
  } catch (error) {
    throw new CommandError(`The data cannot be kept in ${directory}: ${(error as Error).message}.`);
  }
  if (release !== null) return release;
  throw new CommandError(`The data in ${directory} are in use by another npm start. Stop it, or use another folder.`);
}
