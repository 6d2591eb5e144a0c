import { createServer, type RequestListener } from 'node:http';
import type { SampleAccount } from '../../lib/contracts/contract.ts';
import { findEngine, type FoundEngine, startEngine } from './engine.ts';
import { startEngineProxy } from './engine-proxy.ts';
import { createFaults } from './faults.ts';
import { createGateway } from './gateway.ts';
import { EVENT_BRIDGE_PATH } from './local-event-bus.ts';
import { type Invoke, LocalFunctions } from './local-functions.ts';
import { buildLocalRoutes } from './local-routes.ts';
import { listen, LOCAL_HOST } from './ports.ts';
import { type DataOptions, prepareData } from './prepare-data.ts';
import { readStack, type StackDefinition } from './read-stack.ts';
import { printFunctionLine } from './request-log.ts';
import { synthesize } from './synthesize.ts';
import { VirtualClock } from './virtual-clock.ts';

/** The options with which the service starts. Port 0 is any free port. The engine is the emulation of DynamoDB. */
export interface ServiceOptions extends DataOptions {
  readonly port: number;
  /** The port of the proxy through which other programs reach the engine. */
  readonly dynamodbPort: number;
  /** The folder of the data. Without a folder, the data are kept in memory. */
  readonly dataFolder?: string | undefined;
  /** False if functions have no time limit, so that they can wait at a breakpoint. */
  readonly hasTimeLimit?: boolean;
  /** What is printed: a readable line for each request (text), the lines of the functions (json), or nothing (none). */
  readonly log: 'text' | 'json' | 'none';
}

/** The running service. */
export interface LocalService {
  readonly url: string;
  /** The address of the engine for other programs. */
  readonly endpoint: string;
  readonly tables: StackDefinition['tableNames'];
  /** The address of the event bus, with the option `events`. */
  readonly eventBusUrl: string | undefined;
  /** The account with which a user can log in, if there are demo data. */
  readonly demo: SampleAccount | undefined;
  /** Rejects with a CommandError if the engine ends unexpectedly. */
  readonly engineEnded: Promise<never>;
  /** Stops all parts of the service. */
  readonly close: () => Promise<void>;
}

/** The printers of the lines of the functions, by the option `log`. Without a printer, lines are printed unchanged. */
const LINE_PRINTERS = { text: printFunctionLine, json: undefined, none: () => {} };

/** Starts the synthesized stack on this machine: engine, tables, signing key, demo data and gateway. */
export async function startService(options: ServiceOptions): Promise<LocalService> {
  const { events = false, hasTimeLimit = true, log } = options;
  // If a step fails, the parts that have already been started are stopped. After the last step, `move` prevents this.
  await using cleanUps = new AsyncDisposableStack();
  // These two steps precede the slow synthesis, so that a port in use or a missing engine is reported at once.
  const { server, url, setListener } = await openServer(options.port, cleanUps);
  const foundEngine = findEngine();
  await synthesize({ quiet: log === 'none' });
  const stack = readStack();
  const clock = new VirtualClock();
  const { endpoint, publicEndpoint, engineEnded } = await openEngine(foundEngine, options, clock, cleanUps);

  const eventBusUrl = events ? url + EVENT_BRIDGE_PATH : undefined;
  const functionSettings = { endpoint, clock, eventBusUrl, hasTimeLimit, onLine: LINE_PRINTERS[log] };
  const functions = new LocalFunctions(stack.functions, functionSettings);
  cleanUps.defer(() => functions.close());
  const invoke: Invoke = (...call) => functions.invoke(...call);
  // If the engine ends during the preparation, `engineEnded` rejects with the cause.
  const demo = await Promise.race([prepareData(endpoint, stack, invoke, options), engineEnded]);

  const faults = createFaults(invoke);
  const localRoutes = buildLocalRoutes({ stack, clock, endpoint, demo, faults, events });
  setListener(createGateway({ stack, invoke: faults.invoke, clock, localRoutes, printsRequests: log === 'text' }));
  if (events) {
    // The module is imported only with this option, because its SDK client delays the start.
    const { runStreamFunctions } = await import('./stream-functions.ts');
    cleanUps.defer(runStreamFunctions(stack.streamMappings, endpoint, invoke).stop);
  }
  // Parts are stopped in reverse order. The server is first, because requests in progress need the other parts.
  cleanUps.defer(() => server[Symbol.asyncDispose]());
  const startedParts = cleanUps.move();
  const close = () => startedParts.disposeAsync();
  return { url, endpoint: publicEndpoint, tables: stack.tableNames, eventBusUrl, demo, engineEnded, close };
}

/** Opens the server of the gateway. Requests wait until `setListener` is called. */
async function openServer(port: number, cleanUps: AsyncDisposableStack) {
  const gateway = Promise.withResolvers<RequestListener>();
  const server = createServer((request, response) => void gateway.promise.then((handle) => handle(request, response)));
  const url = `http://${LOCAL_HOST}:${await listen(server, port, '--port')}`;
  cleanUps.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  return { server, url, setListener: gateway.resolve };
}

/** Starts the engine, and a proxy for other programs. They call an engine that is already running without a proxy. */
async function openEngine(
  foundEngine: FoundEngine,
  { dataFolder, dynamodbPort }: ServiceOptions,
  clock: VirtualClock,
  cleanUps: AsyncDisposableStack,
) {
  const { endpoint, ended: engineEnded, close } = await startEngine(foundEngine, dataFolder);
  cleanUps.defer(close);
  if ('endpoint' in foundEngine) return { endpoint, publicEndpoint: endpoint, engineEnded };
  const proxy = await startEngineProxy(dynamodbPort, endpoint, clock);
  cleanUps.defer(proxy.close);
  return { endpoint, publicEndpoint: proxy.endpoint, engineEnded };
}
