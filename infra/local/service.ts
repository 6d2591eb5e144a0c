import { createServer, type RequestListener } from 'node:http';
import * as inspector from 'node:inspector';
import { fileURLToPath } from 'node:url';
import type { SampleAccount } from '../../lib/contracts/contract.ts';
import { findEngine, startEngine } from './engine.ts';
import { startEngineProxy } from './engine-proxy.ts';
import { createFaults } from './faults.ts';
import { createGateway } from './gateway.ts';
import { EVENT_BRIDGE_PATH } from './local-event-bus.ts';
import { type FunctionSettings, LocalFunctions } from './local-functions.ts';
import { buildLocalRoutes } from './local-routes.ts';
import { listen, LOCAL_HOST, requireFreePort } from './ports.ts';
import { prepareData, type PrepareOptions } from './prepare-data.ts';
import { readStack, type StackDefinition } from './read-stack.ts';
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

/** The running service, with its addresses. `close` stops all its parts. */
export type LocalService = Awaited<ReturnType<typeof startService>>;

/** What `startService` has started before the functions. */
interface StartedParts {
  readonly stack: StackDefinition;
  readonly engine: Awaited<ReturnType<typeof startEngine>>;
  readonly settings: FunctionSettings;
  readonly setListener: (listener: RequestListener) => void;
  readonly cleanUps: AsyncDisposableStack;
}

/** Starts the synthesized stack on this machine: engine, tables, signing key, demo data and gateway. */
export async function startService(options: ServiceOptions) {
  const { port, inspectPort, dataFolder, hasLimits = true } = options;
  // If a step fails, this function stops what the earlier steps have started.
  await using cleanUps = new AsyncDisposableStack();
  // A port that is in use or a missing engine is reported before the slow synthesis.
  const { server, url, setListener } = await openServer(port);
  cleanUps.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  const foundEngine = findEngine();
  if (inspectPort !== undefined) await openInspector(inspectPort);

  await synthesize(options);
  const stack = readStack();
  const clock = new VirtualClock();
  const engine = await startEngine(foundEngine, dataFolder);
  cleanUps.defer(engine.close);
  let publicEndpoint = engine.endpoint;
  // An engine that was already running needs the proxy only to omit the counting of requests.
  if ('binary' in foundEngine || !hasLimits) {
    const uncountedTable = hasLimits ? undefined : stack.tableNames.RateCounters;
    const proxy = await startEngineProxy(options.dynamodbPort, new URL(engine.endpoint), clock, uncountedTable);
    cleanUps.defer(proxy.close);
    publicEndpoint = proxy.endpoint;
  }

  // Undefined without the option `events`.
  const eventBusUrl = options.events ? url + EVENT_BRIDGE_PATH : undefined;
  const settings: FunctionSettings = {
    endpoint: hasLimits ? engine.endpoint : publicEndpoint,
    clock,
    eventBusUrl,
    onLine: chooseLinePrinter(options),
    hasTimeLimit: inspectPort === undefined,
  };
  const demo = await serveStack({ stack, engine, settings, setListener, cleanUps }, options);
  // From here on, the caller stops the service with `close`.
  const startedParts = cleanUps.move();
  return {
    url,
    // The address of the engine for other programs.
    endpoint: publicEndpoint,
    tables: stack.tableNames,
    eventBusUrl,
    // The account with which a user can log in. Undefined without demo data.
    demo,
    // Rejects with a CommandError if the engine ends unexpectedly.
    engineEnded: engine.ended,
    async close() {
      // A request that is stopped at a breakpoint can end only after the inspector is closed.
      inspector.close();
      await server[Symbol.asyncDispose]();
      await startedParts.disposeAsync();
    },
  };
}

/** Opens the server of the gateway. Requests wait until `setListener` is called. */
async function openServer(port: number) {
  const gateway = Promise.withResolvers<RequestListener>();
  const server = createServer((request, response) => void gateway.promise.then((handle) => handle(request, response)));
  const url = `http://${LOCAL_HOST}:${await listen(server, port, '--port')}`;
  return { server, url, setListener: gateway.resolve };
}

async function openInspector(port: number): Promise<void> {
  // The editor that started this process can already have opened the inspector.
  if (inspector.url() !== undefined) return;
  await requireFreePort(port, '--inspect');
  inspector.open(port, LOCAL_HOST);
}

/** Chooses what happens to the lines of the functions. Without a printer, they are printed unchanged. */
function chooseLinePrinter({ quiet, requestLines }: ServiceOptions): FunctionSettings['onLine'] {
  if (quiet) return () => {};
  if (requestLines === undefined) return undefined;
  return (line) => printFunctionLine(line, requestLines);
}

/** Prepares the data, and serves the routes of the stack with its functions. Returns the demo account. */
async function serveStack(parts: StartedParts, options: ServiceOptions): Promise<SampleAccount | undefined> {
  const { stack, engine, settings, setListener, cleanUps } = parts;
  const { events = false, watch = false, requestLines } = options;
  const { endpoint } = engine;
  const { clock } = settings;
  let functions = new LocalFunctions(stack.functions, settings);
  cleanUps.defer(() => functions.close());
  // The watcher below replaces `functions`. Therefore each call uses the variable.
  const invoke: LocalFunctions['invoke'] = (...args) => functions.invoke(...args);
  // `engine.ended` rejects if the engine ends during the preparation.
  const demo = await Promise.race([prepareData({ stack, endpoint, invoke }, options), engine.ended]);
  const faults = createFaults(invoke);
  const localRoutes = buildLocalRoutes({ stack, clock, endpoint, demo, faults, events });
  setListener(createGateway({ stack, invoke: faults.invoke, clock, localRoutes, requestLines }));
  if (events) {
    const { runStreamFunctions } = await import('./stream-functions.ts');
    const streams = runStreamFunctions(stack.streamMappings, endpoint, invoke);
    cleanUps.defer(streams.stop);
  }
  if (watch) {
    const { watchFunctions } = await import('./watch.ts');
    const watcher = await watchFunctions(ROOT_FOLDER, stack.functions, async (definitions) => {
      functions = await functions.replace(definitions);
    });
    cleanUps.defer(watcher.close);
  }
  return demo;
}
