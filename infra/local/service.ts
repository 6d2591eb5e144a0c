import * as inspector from 'node:inspector';
import { fileURLToPath } from 'node:url';
import type { SampleAccount } from '../../lib/contracts/contract.ts';
import { buildDocsRoutes } from '../openapi/page/site-files.ts';
import type { TableName } from '../routes.ts';
import { findEngine, startEngine } from './engine.ts';
import { createTables } from './engine-client.ts';
import { createGateway } from './gateway.ts';
import { createEventBus, EVENT_BRIDGE_PATH, rejectEventList } from './local-event-bus.ts';
import { type FunctionSettings, LocalFunction } from './local-function.ts';
import { listen, LOCAL_HOST, requireFreePort } from './ports.ts';
import { readStack, type StackDefinition } from './read-stack.ts';
import { createRequestLog } from './request-log.ts';
import { eventsAssembly, plainAssembly, synthesize } from './synthesize.ts';
import { respondToClock, VirtualClock } from './virtual-clock.ts';
import { CommandError } from '../process/terminal.ts';

const ROOT_FOLDER = fileURLToPath(new URL('../../', import.meta.url));

/** The engine and the tables into which the demo data are loaded. */
export interface DemoEngine {
  readonly endpoint: string;
  readonly tables: Readonly<Record<TableName, string>>;
}

/** The options with which the service starts. Port 0 is any free port. */
export interface ServiceOptions {
  readonly port: number;
  /** The port at which other programs reach the engine. */
  readonly dynamodbPort: number;
  /** The folder of the data. Without a folder, the data are kept in memory. */
  readonly dataFolder?: string | undefined;
  /** Loads the demo data. Without this function, the tables are empty. */
  readonly loadDemo?: ((engine: DemoEngine) => Promise<SampleAccount>) | undefined;
  /** True if events are published, as with the option `events` of a deployment. */
  readonly events?: boolean | undefined;
  /** True if changes of functions/ and lib/ are served as soon as they are saved. */
  readonly watch?: boolean | undefined;
  /** The port for a debugger. With a port, functions have no time limit. Without a port, no debugger can connect. */
  readonly inspectPort?: number | undefined;
  /** True if the logs of the functions are discarded. */
  readonly quiet: boolean;
  /** The stream for a readable line per request. Without a stream, the functions' logs are printed unchanged. */
  readonly requestLines?: NodeJS.WritableStream | undefined;
}

export type LocalService = Awaited<ReturnType<typeof startService>>;

/** Starts the synthesized stack on this machine: engine, tables, signing key, demo data and gateway. */
export async function startService(options: ServiceOptions) {
  // If a step fails, this function stops what the earlier steps have started.
  await using cleanUps = new AsyncDisposableStack();
  // This check is the first: if the service is already running, a port in use is the clearest error.
  await requireFreePort(options.port, '--port');
  // Fails before the slow synthesis if there is no engine.
  const foundEngine = findEngine();
  const assembly = options.events ? eventsAssembly : plainAssembly;
  await synthesize(options, assembly);
  const stack = readStack(assembly);
  if (options.inspectPort !== undefined) await openInspector(options.inspectPort);

  const clock = new VirtualClock();
  const { dynamodbPort: proxyPort, dataFolder } = options;
  const engine = await startEngine(foundEngine, { proxyPort, dataFolder, clock });
  cleanUps.defer(engine.close);

  // Set when the gateway listens. `getVariables` reads it when a function is loaded.
  let eventBusUrl: string | undefined;
  const log = options.requestLines && createRequestLog(options.requestLines, clock);
  const settings: FunctionSettings = {
    endpoint: engine.endpoint,
    clock,
    getVariables: () => (eventBusUrl === undefined ? {} : { AWS_ENDPOINT_URL_EVENTBRIDGE: eventBusUrl }),
    onLine: options.quiet ? () => {} : log?.printFunctionLine,
    hasTimeLimit: options.inspectPort === undefined,
  };
  const functions = new Map<string, LocalFunction>();
  for (const definition of stack.functions) functions.set(definition.id, new LocalFunction(definition, settings));
  cleanUps.defer(() => closeFunctions(functions));
  const getFunction = (id: string) => functions.get(id)!;
  const preparation = prepareData(stack, engine.endpoint, getFunction(stack.rotation.id), options.loadDemo);
  // `engine.ended` rejects if the engine ends during the preparation.
  const demo = await Promise.race([preparation, engine.ended]);
  // By default, a function is loaded by its first request. Until then, a debugger cannot set breakpoints in its code.
  if (options.inspectPort !== undefined) {
    await Promise.all(stack.routes.map(({ functionId }) => getFunction(functionId).load()));
  }

  const localRoutes = buildLocalRoutes(demo, clock, options);
  const server = createGateway({ stack, getFunction, clock, localRoutes, log });
  const url = `http://${LOCAL_HOST}:${await listen(server, options.port, '--port')}`;
  cleanUps.defer(() => server[Symbol.asyncDispose]());
  // Clean-ups run in reverse order, so that the inspector closes before the server. A request that is stopped at a
  // breakpoint can end only after the inspector is closed.
  cleanUps.defer(() => inspector.close());
  if (options.events) {
    // The first event loads the function that publishes events. No other function needs this URL.
    eventBusUrl = url + EVENT_BRIDGE_PATH;
    const { runStreamFunctions } = await import('./stream-functions.ts');
    const streams = runStreamFunctions(stack.streamMappings, engine.endpoint, getFunction);
    cleanUps.defer(streams.stop);
  }
  if (options.watch) {
    const { watchFunctions } = await import('./watch.ts');
    const watcher = await watchFunctions(ROOT_FOLDER, stack.functions, functions, settings);
    cleanUps.defer(watcher.close);
  }
  // From here on, the caller stops the service with `close`.
  const startedParts = cleanUps.move();
  return {
    url,
    // The address of the engine for other programs.
    endpoint: engine.proxyEndpoint,
    tables: stack.tableNames,
    // Undefined without the option `events`.
    eventBusUrl,
    // The account with which a user can log in. Undefined without demo data.
    demo,
    // Rejects with a CommandError if the engine ends unexpectedly.
    engineEnded: engine.ended,
    close: () => startedParts.disposeAsync(),
  };
}

/** Opens a port for a debugger, unless the editor that started this process has already opened a port. */
async function openInspector(port: number): Promise<void> {
  if (inspector.url() !== undefined) return;
  await requireFreePort(port, '--inspect');
  inspector.open(port, LOCAL_HOST);
}

async function closeFunctions(functions: ReadonlyMap<string, LocalFunction>): Promise<void> {
  await Promise.all([...functions.values()].map((localFunction) => localFunction.close()));
}

/** Creates the tables and the signing key, as a deployment does, and loads the demo data. */
async function prepareData(
  { tables, tableNames }: StackDefinition,
  endpoint: string,
  rotationFunction: LocalFunction,
  loadDemo: ServiceOptions['loadDemo'],
): Promise<SampleAccount | undefined> {
  try {
    await createTables(endpoint, tables);
    const outcome = await rotationFunction.invoke({});
    if ('failure' in outcome)
      throw new CommandError(
        'The function that creates the signing key failed. To see its log, start without --quiet.',
      );
    await rotationFunction.close();
    return await loadDemo?.({ endpoint, tables: tableNames });
  } catch (error) {
    // The SDK adds `$metadata` to the error of a call to the engine, for example if the disk is full.
    if (!('$metadata' in (error as Error))) throw error;
    throw new CommandError(`The engine cannot keep the data: ${(error as Error).message}`);
  }
}

/** Builds the routes that only the local service has: documentation, clock and event bus. */
function buildLocalRoutes(demo: SampleAccount | undefined, clock: VirtualClock, { events }: ServiceOptions) {
  const eventBus = createEventBus();
  return {
    ...buildDocsRoutes(demo),
    'GET /_local/clock': () => respondToClock(clock, undefined),
    'POST /_local/clock': (body: string) => respondToClock(clock, body),
    'GET /_local/events': events ? eventBus.list : rejectEventList,
    ...(events && { [`POST ${EVENT_BRIDGE_PATH}`]: eventBus.put }),
  };
}
