import { type ChildProcess, fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { env } from 'node:process';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildJsonReply, isFromPage, sendReply } from './http.ts';
import { findPort, listen, localHost } from './ports.ts';
import { VirtualClock } from './virtual-clock.ts';
import { lockFile } from '../process/lock-file.ts';
import { CommandError, printError } from '../process/terminal.ts';

const START_TIMEOUT_MS = 5_000;

/** The version of Amazon's DynamoDB Local with which the tests have passed. */
const DYNAMODB_LOCAL_VERSION = '3.1.0';

export interface Engine {
  /** The address of the engine itself, which functions call because it is faster. */
  readonly endpoint: string;
  /** The address for other programs, which rejects requests of pages in a browser. */
  readonly proxyEndpoint: string;
  /** Resolves with the reason if the engine ends unexpectedly. */
  readonly died: Promise<string>;
  readonly close: () => Promise<void>;
}

/**
 * Finds the engine to use: the running engine at AWS_ENDPOINT_URL_DYNAMODB (the SDK's own variable), the binary
 * DYNOXIDE_BIN, or the installed binary. Throws a CommandError if there is none.
 */
export function findEngine(variables: NodeJS.ProcessEnv = env, { platform, arch } = process) {
  const { AWS_ENDPOINT_URL_DYNAMODB: endpoint, DYNOXIDE_BIN: binary } = variables;
  if (endpoint || binary) return { endpoint, binary };
  const packageName = `@dynoxide/${platform}-${arch}`;
  const file = platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
  try {
    return { endpoint, binary: createRequire(import.meta.url).resolve(`${packageName}/${file}`) };
  } catch {
    throw new CommandError(
      `The engine ${packageName} is not installed: run npm ci with a registry that has it, or set DYNOXIDE_BIN to a binary of dynoxide. ` +
        `Or use Amazon's DynamoDB Local (${DYNAMODB_LOCAL_VERSION} was tested), with Docker by this line:\n` +
        `docker run --rm -d -p 8100:8000 amazon/dynamodb-local:${DYNAMODB_LOCAL_VERSION} -jar DynamoDBLocal.jar -sharedDb -inMemory && AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8100 npm start`,
    );
  }
}

/**
 * Starts the embedded engine, in memory or in a directory, with a proxy at a port (0 = any free port) whose responses
 * contain the offset of a clock. If the found engine is running, uses that engine instead, without a proxy.
 */
export async function startEngine(
  proxyPort: number,
  dataDirectory: string | undefined,
  { endpoint: externalEndpoint, binary } = findEngine(),
  clock = new VirtualClock(),
): Promise<Engine> {
  if (externalEndpoint) return connectExternalEngine(externalEndpoint);
  const releaseLock = dataDirectory === undefined ? () => {} : lockDataDirectory(dataDirectory);
  const database = dataDirectory === undefined ? [] : ['--db-path', join(dataDirectory, 'dynamodb.sqlite')];
  const port = await findPort(0);
  const host = chooseHost();
  const endpoint = `http://${host}:${port}`;
  const command = [String(binary), 'serve', '--host', host, '--port', String(port), ...database];
  const supervisor = startSupervisor(command);
  const died = waitForEnd(supervisor);
  const stopEngine = async () => {
    supervisor.removeAllListeners('close');
    if (supervisor.connected) {
      supervisor.disconnect();
      await once(supervisor, 'exit');
    }
    releaseLock();
  };
  try {
    await waitForEngine(endpoint, died);
    const proxy = await startEngineProxy(proxyPort, new URL(endpoint), clock);
    return { endpoint, proxyEndpoint: proxy.endpoint, died, close: () => proxy.close().then(stopEngine) };
  } catch (error) {
    await stopEngine();
    throw error;
  }
}

async function connectExternalEngine(endpoint: string): Promise<Engine> {
  if (!(await canConnect(endpoint))) throw new CommandError(`No engine responds at ${endpoint}.`);
  return { endpoint, proxyEndpoint: endpoint, died: new Promise(() => {}), close: async () => {} };
}

/** Chooses a random loopback address, which no page in a browser can guess, if the system has all of 127.0.0.0/8. */
function chooseHost(): string {
  if (!['linux', 'win32'].includes(process.platform)) return localHost;
  return `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

/** Starts the process that runs the engine, and that ends the engine when this process has ended for any reason. */
function startSupervisor(command: readonly string[]): ChildProcess {
  return fork(fileURLToPath(new URL('engine-supervisor.ts', import.meta.url)), command, {
    // In a separate process group, so that Ctrl-C does not end the engine before the requests in progress.
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

/** Resolves with the reason when the engine and its supervisor have ended, which share a stream for errors. */
function waitForEnd(supervisor: ChildProcess): Promise<string> {
  let lastOutput = '';
  supervisor.stderr?.on('data', (chunk: Buffer) => {
    const output = chunk.toString().trim();
    if (output !== '') lastOutput = output;
  });
  return new Promise((resolveWith) => {
    supervisor.once('close', (code) => resolveWith(`The engine has ended with code ${code}. ${lastOutput}`.trim()));
  });
}

/** Waits until the engine accepts connections. Throws a CommandError if it ends, or does not respond in time. */
async function waitForEngine(endpoint: string, died: Promise<string>): Promise<void> {
  const rejectIfDied = died.then((reason) => {
    throw new CommandError(reason);
  });
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  while (!(await Promise.race([canConnect(endpoint), rejectIfDied]))) {
    if (performance.now() > deadlineMs) throw new CommandError(`The engine does not respond at ${endpoint}.`);
    await sleep(5);
  }
}

/** True if a TCP connection to an address succeeds. With NODE_USE_ENV_PROXY, `fetch` could call a proxy instead. */
async function canConnect(endpoint: string): Promise<boolean> {
  const { protocol, hostname, port } = new URL(endpoint);
  const defaultPort = protocol === 'https:' ? 443 : 80;
  // A URL has brackets around an IPv6 address, a socket does not.
  const socket = connect(Number(port) || defaultPort, hostname.replaceAll(/[[\]]/g, ''));
  const isConnected = once(socket, 'connect').then(Boolean, () => false);
  return isConnected.finally(() => socket.destroy());
}

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
    if (isFromPage(call.headers)) {
      const message = 'The engine rejects requests of pages in a browser.';
      return sendReply(response, buildJsonReply(403, { __type: 'AccessDeniedException', message }));
    }
    const { method, url: path, headers } = call;
    const forwarded = request({ agent, hostname: engine.hostname, port: engine.port, method, path, headers });
    // If one side closes its connection, the proxy closes the other one. Therefore it ignores the errors of pipelines.
    forwarded.on('response', (engineResponse) => {
      response.writeHead(engineResponse.statusCode ?? 502, engineResponse.headers);
      pipeline(engineResponse, response).catch(() => {});
    });
    response.on('close', () => forwarded.destroy());
    forwarded.on('error', () => response.destroy());
    pipeline(call, forwarded).catch(() => {});
  });
  const endpoint = `http://${localHost}:${await listen(server, port, '--dynamodb-port')}`;
  return {
    endpoint,
    async close() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
      agent.destroy();
    },
  };
}

/**
 * Creates the directory of the data with access for its owner only, and locks it until the returned function is called
 * or this process ends. Does not change the permissions of an existing directory, but warns if others can read it.
 */
export function lockDataDirectory(directory: string): () => void {
  let releaseLock: (() => void) | null;
  try {
    createDirectory(resolve(directory));
    releaseLock = lockFile(join(directory, 'in-use.sqlite'));
  } catch (error) {
    throw new CommandError(
      `${describeError(error as NodeJS.ErrnoException, directory)} Use another folder: --data DIR.`,
    );
  }
  if (releaseLock === null)
    throw new CommandError(`The data in ${directory} are in use by another npm start. Stop it, or use another folder.`);
  // The permissions stay unchanged, because other users may need files in the directory.
  if (process.platform !== 'win32' && (statSync(directory).mode & 0o077) !== 0)
    printError(`Warning: other users of this machine can read ${directory}. To prevent it: chmod 700 ${directory}`);
  return releaseLock;
}

/** Creates a directory and its parents. Node's `recursive` option does not end if none can be created, as in /proc. */
function createDirectory(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  if (!existsSync(dirname(path))) createDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

function describeError({ code = '', message }: NodeJS.ErrnoException, directory: string): string {
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return `You may not write into ${directory}.`;
  const isFile = code === 'EEXIST' || code === 'ENOTDIR';
  return `The data cannot be kept in ${directory}: ${isFile ? 'that is a file' : message}.`;
}
