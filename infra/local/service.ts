import { createServer, type RequestListener } from 'node:http';
import * as inspector from 'node:inspector';
import { fileURLToPath } from 'node:url';
import type { SampleAccount } from '../../lib/contracts/contract.ts';
import { findEngine, type FoundEngine, startEngine } from './engine.ts';
import { startEngineProxy } from './engine-proxy.ts';
import { createFaults } from './faults.ts';
import { createGateway } from './gateway.ts';
import { EVENT_BRIDGE_PATH } from './local-event-bus.ts';
import { type FunctionSettings, LocalFunctions } from './local-functions.ts';
import { buildLocalRoutes } from './local-routes.ts';
import { listen, LOCAL_HOST, requireFreePort } from './ports.ts';
import { prepareData, type PrepareOptions } from './prepare-data.ts';
import { type FunctionDefinition, readStack, type StackDefinition } from './read-stack.ts';
import { printFunctionLine } from './request-log.ts';
import { synthesize } from './synthesize.ts';
import { VirtualClock } from './virtual-clock.ts';

const ROOT_FOLDER = fileURLToPath(new URL('../../', import.meta.url));

/** The options with which the service starts. Port 0 is any free port. */
export interface ServiceOptions extends PrepareOptions {
  readonly port: number;
  /** The port at which other programs reach the engine. */
  readonly dynamodbPort: number;
  /** The folder of the data. Without a folder, the data are kept in memory. */
  readonly dataFolder?: string | undefined;
  /** True if changes of functions/ and lib/ are served as soon as they are saved. */
  readonly watch?: boolean | undefined;
  /** False if requests and failed logins are not counted. */
  readonly hasLimits?: boolean | undefined;
  /** The port for a debugger. With a port, functions have no time limit. Without a port, no debugger can connect. */
  readonly inspectPort?: number | undefined;
  /** True if the logs of the functions are discarded. */
  readonly quiet: boolean;
  /** The stream for a readable line per request. Without a stream, the functions' logs are printed unchanged. */
  readonly requestLines?: NodeJS.WritableStream | undefined;
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

interface StartedParts {
  readonly stack: StackDefinition;
  readonly clock: VirtualClock;
  /** Stops what has been started. */
  readonly cleanUps: AsyncDisposableStack;
}

/** Starts the synthesized stack on this machine: engine, tables, signing key, demo data and gateway. */
export async function startService(options: ServiceOptions): Promise<LocalService> {
  const { port, inspectPort, events = false, requestLines } = options;
  // If a step fails, this function stops what the earlier steps have started.
  await using cleanUps = new AsyncDisposableStack();
  // A port of the gateway that is in use, or a missing engine, is reported before the slow synthesis.
  const { server, url, setListener } = await openServer(port, cleanUps);
  const foundEngine = findEngine();
  if (inspectPort !== undefined) await openInspector(inspectPort);

  await synthesize(options);
  const stack = readStack();
  const clock = new VirtualClock();
  const parts = { stack, clock, cleanUps };
  const engine = await openEngine(parts, foundEngine, options);
  const { endpoint, functionEndpoint, publicEndpoint } = engine;
  const eventBusUrl = events ? url + EVENT_BRIDGE_PATH : undefined;
  const onLine = chooseLinePrinter(options);
  const settings = { endpoint: functionEndpoint, clock, eventBusUrl, onLine, hasTimeLimit: inspectPort === undefined };
  const functions = createFunctions(parts, settings);
  const { invoke } = functions;
  // `engine.ended` rejects if the engine ends during the preparation.
  const demo = await Promise.race([prepareData({ stack, endpoint, invoke }, options), engine.ended]);
  const faults = createFaults(invoke);
  const localRoutes = buildLocalRoutes({ stack, clock, endpoint, demo, faults, events });
  setListener(createGateway({ stack, invoke: faults.invoke, clock, localRoutes, requestLines }));
  if (events) await followStreams(parts, endpoint, functions);
  if (options.watch) await watchSources(parts, functions);

  // The last step runs first, because a request that is stopped at a breakpoint ends only without the inspector.
  cleanUps.defer(() => server[Symbol.asyncDispose]());
  cleanUps.defer(() => inspector.close());
  const startedParts = cleanUps.move();
  return {
    url,
    endpoint: publicEndpoint,
    tables: stack.tableNames,
    eventBusUrl,
    demo,
    engineEnded: engine.ended,
    close: () => startedParts.disposeAsync(),
  };
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

async function openInspector(port: number): Promise<void> {
  // The editor that started this process can already have opened the inspector.
  if (inspector.url() !== undefined) return;
  await requireFreePort(port, '--inspect');
  inspector.open(port, LOCAL_HOST);
}

/** Starts the engine, and the proxy through which other programs reach the engine. */
async function openEngine(parts: StartedParts, foundEngine: FoundEngine, options: ServiceOptions) {
  const { stack, clock, cleanUps } = parts;
  const { dataFolder, dynamodbPort, hasLimits = true } = options;
  const engine = await startEngine(foundEngine, dataFolder);
  cleanUps.defer(engine.close);
  const { endpoint } = engine;
  // Other programs already reach a running engine. It needs the proxy only to omit the counting of requests.
  const needsProxy = 'binary' in foundEngine || !hasLimits;
  if (!needsProxy) return { ...engine, publicEndpoint: endpoint, functionEndpoint: endpoint };
  const uncountedTable = hasLimits ? undefined : stack.tableNames.RateCounters;
  const proxy = await startEngineProxy(dynamodbPort, new URL(endpoint), clock, uncountedTable);
  cleanUps.defer(proxy.close);
  return { ...engine, publicEndpoint: proxy.endpoint, functionEndpoint: hasLimits ? endpoint : proxy.endpoint };
}

/** Chooses what happens to the lines of the functions. Without a printer, they are printed unchanged. */
function chooseLinePrinter({ quiet, requestLines }: ServiceOptions): FunctionSettings['onLine'] {
  if (quiet) return () => {};
  if (requestLines === undefined) return undefined;
  return (line) => printFunctionLine(line, requestLines);
}

/** Creates the functions of the stack. `replace` replaces the functions that `invoke` calls. */
function createFunctions({ stack, cleanUps }: StartedParts, settings: FunctionSettings) {
  let functions = new LocalFunctions(stack.functions, settings);
  cleanUps.defer(() => functions.close());
  const invoke: LocalFunctions['invoke'] = (...args) => functions.invoke(...args);
  const replace = async (definitions: readonly FunctionDefinition[]) => {
    functions = await functions.replace(definitions);
  };
  return { invoke, replace };
}

type Functions = ReturnType<typeof createFunctions>;

async function followStreams(
  { stack, cleanUps }: StartedParts,
  endpoint: string,
  { invoke }: Functions,
): Promise<void> {
  const { runStreamFunctions } = await import('./stream-functions.ts');
  const streams = runStreamFunctions(stack.streamMappings, endpoint, invoke);
  cleanUps.defer(streams.stop);
}

async function watchSources({ stack, cleanUps }: StartedParts, { replace }: Functions): Promise<void> {
  const { watchFunctions } = await import('./watch.ts');
  const watcher = await watchFunctions(ROOT_FOLDER, stack.functions, replace);
  cleanUps.defer(watcher.close);
}
