import { type ChildProcess, fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';
import { env } from 'node:process';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { lockDataFolder } from './data-folder.ts';
import { buildJsonReply, isFromPage, sendReply } from './http.ts';
import { findFreePort, listen, LOCAL_HOST } from './ports.ts';
import { VirtualClock } from './virtual-clock.ts';
import { CommandError } from '../process/terminal.ts';

/** The header of every response of the proxy with the offset of the service's clock, in milliseconds. */
export const CLOCK_HEADER = 'x-clock-offset-ms';

const START_TIMEOUT_MS = 5_000;

/** The version of Amazon's DynamoDB Local with which the tests have passed. */
const DYNAMODB_LOCAL_VERSION = '3.1.0';

/** The address of a running engine, or the path of a binary that starts an engine. */
export type FoundEngine = { readonly endpoint: string } | { readonly binary: string };

export interface EngineOptions {
  /** The port of the proxy. By default, any free port. */
  readonly proxyPort?: number;
  /** The folder of the data. By default, the data are kept in memory. */
  readonly dataFolder?: string | undefined;
  /** The clock whose offset the responses of the proxy contain. By default, the offset is 0. */
  readonly clock?: VirtualClock;
}

export interface Engine {
  /** The address of the engine itself, which functions call because it is faster. */
  readonly endpoint: string;
  /** The address of the proxy for other programs. The proxy rejects requests of pages in a browser. */
  readonly proxyEndpoint: string;
  /** Rejects with a CommandError if the engine ends unexpectedly. */
  readonly ended: Promise<never>;
  readonly close: () => Promise<void>;
}

/**
 * Finds the engine to use: the running engine at AWS_ENDPOINT_URL_DYNAMODB (the SDK's own variable), the binary
 * DYNOXIDE_BIN, or the installed binary. Throws a CommandError if there is none.
 */
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
        `Or use Amazon's DynamoDB Local (${DYNAMODB_LOCAL_VERSION} was tested), with Docker by this line:\n` +
        `docker run --rm -d -p 8100:8000 amazon/dynamodb-local:${DYNAMODB_LOCAL_VERSION} -jar DynamoDBLocal.jar -sharedDb -inMemory && AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8100 npm start`,
    );
  }
}

/** Starts the binary of an engine, and a proxy. If the engine is already running, uses it without a proxy. */
export async function startEngine(
  found: FoundEngine,
  { proxyPort = 0, dataFolder, clock = new VirtualClock() }: EngineOptions = {},
): Promise<Engine> {
  if ('endpoint' in found) return connectExternalEngine(found.endpoint);
  // If a step fails, this function stops what the earlier steps have started.
  await using cleanUps = new AsyncDisposableStack();
  const host = chooseHost();
  const port = await findFreePort();
  const command = [found.binary, 'serve', '--host', host, '--port', String(port)];
  if (dataFolder !== undefined) {
    cleanUps.defer(lockDataFolder(dataFolder));
    command.push('--db-path', join(dataFolder, 'dynamodb.sqlite'));
  }
  const supervisor = startSupervisor(command);
  const ended = rejectOnEnd(supervisor);
  cleanUps.defer(() => stopSupervisor(supervisor));
  const endpoint = `http://${host}:${port}`;
  await waitForEngine(endpoint, ended);
  const proxy = await startEngineProxy(proxyPort, new URL(endpoint), clock);
  cleanUps.defer(proxy.close);
  const startedParts = cleanUps.move();
  return { endpoint, proxyEndpoint: proxy.endpoint, ended, close: () => startedParts.disposeAsync() };
}

async function connectExternalEngine(endpoint: string): Promise<Engine> {
  if (!(await canConnect(endpoint))) throw new CommandError(`No engine responds at ${endpoint}.`);
  return { endpoint, proxyEndpoint: endpoint, ended: new Promise(() => {}), close: async () => {} };
}

/** Chooses a loopback address for the engine. Pages in a browser cannot guess a random address in 127.0.0.0/8. */
function chooseHost(): string {
  // Other systems, such as macOS, have only 127.0.0.1 by default.
  if (!['linux', 'win32'].includes(process.platform)) return LOCAL_HOST;
  return `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

/** Starts a process that runs the engine, and that ends the engine when this process ends for any reason. */
function startSupervisor(command: readonly string[]): ChildProcess {
  return fork(fileURLToPath(new URL('engine-supervisor.ts', import.meta.url)), command, {
    // Ctrl-C ends a process group. In its own group, the engine still runs until the requests in progress have ended.
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

/** Rejects with a CommandError when the supervisor ends. Its message contains the last error of the engine. */
function rejectOnEnd(supervisor: ChildProcess): Promise<never> {
  let lastOutput = '';
  supervisor.stderr?.on('data', (chunk: Buffer) => {
    const output = chunk.toString().trim();
    if (output !== '') lastOutput = output;
  });
  const { promise, reject } = Promise.withResolvers<never>();
  supervisor.once('close', (code) => {
    reject(new CommandError(`The engine has ended with code ${code}. ${lastOutput}`.trim()));
  });
  // Without this handler, a rejection that nothing awaits yet would end the process.
  promise.catch(() => {});
  return promise;
}

/** Ends the supervisor, which ends the engine. `ended` does not reject, because this end is expected. */
async function stopSupervisor(supervisor: ChildProcess): Promise<void> {
  supervisor.removeAllListeners('close');
  if (!supervisor.connected) return;
  supervisor.disconnect();
  await once(supervisor, 'exit');
}

/** Waits until the engine accepts connections. Throws a CommandError if the engine ends or the time limit is over. */
async function waitForEngine(endpoint: string, ended: Promise<never>): Promise<void> {
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  while (!(await Promise.race([canConnect(endpoint), ended]))) {
    if (performance.now() > deadlineMs) throw new CommandError(`The engine does not respond at ${endpoint}.`);
    await sleep(5);
  }
}

/** Resolves to true if a TCP connection succeeds. `fetch` would use an HTTP proxy if NODE_USE_ENV_PROXY is set. */
async function canConnect(endpoint: string): Promise<boolean> {
  const { protocol, hostname, port } = new URL(endpoint);
  const defaultPort = protocol === 'https:' ? 443 : 80;
  // A URL has brackets around an IPv6 address, but `connect` accepts none.
  const socket = connect(Number(port) || defaultPort, hostname.replaceAll(/[[\]]/g, ''));
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/**
 * Starts a proxy that forwards calls to the engine. The proxy rejects calls of pages in a browser, which the engine
 * itself would accept. Each response contains the offset of the clock. Port 0 is any free port.
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
  const endpoint = `http://${LOCAL_HOST}:${await listen(server, port, '--dynamodb-port')}`;
  return {
    endpoint,
    close: async () => {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
      agent.destroy();
    },
  };
}
