import * as inspector from 'node:inspector';
import { fileURLToPath } from 'node:url';
import type { SampleAccount } from '../../lib/contracts/contract.ts';
import { buildDocsRoutes } from '../openapi/page/site-files.ts';
import type { TableName } from '../routes.ts';
import { findEngine, startEngine } from './engine.ts';
import { createTables } from './engine-client.ts';
import { createGateway } from './gateway.ts';
import { createEventBus, EVENT_BRIDGE_PATH } from './local-event-bus.ts';
import { type FunctionSettings, LocalFunction } from './local-function.ts';
import { listen, localHost, requireFreePort } from './ports.ts';
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

/** The options of a start; port 0 is any free port. */
export interface ServiceOptions {
  readonly port: number;
  readonly dynamodbPort: number;
  /** The folder of the data; without it, they are kept in memory. */
  readonly dataFolder?: string | undefined;
  /** Loads the demo data; without it, the tables are empty. */
  readonly loadDemo?: ((engine: DemoEngine) => Promise<SampleAccount>) | undefined;
  /** True if events are published, as with the option of a deployment. */
  readonly events?: boolean | undefined;
  /** True if changes of functions/ and lib/ are served as soon as they are saved. */
  readonly watch?: boolean | undefined;
  /** The port at which a debugger can connect. Functions then have no time limit; without the port, no debugger can. */
  readonly inspectPort?: number | undefined;
  /** True if the logs of the functions are discarded. */
  readonly quiet: boolean;
  /** The stream that receives a readable line per request; without it, the functions' logs are printed unchanged. */
  readonly requestLines?: NodeJS.WritableStream | undefined;
}

export type LocalService = Awaited<ReturnType<typeof startService>>;

/** Starts the synthesized stack on this machine: engine, tables, signing key, demo data and gateway. */
export async function startService(options: ServiceOptions) {
  // If a step fails, this function stops what the earlier steps have started.
  await using cleanUps = new AsyncDisposableStack();
  // Checked first, because it is the clearest error if the service is already running.
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
  const { endpoint } = engine;

  let eventBus: string | undefined;
  const log = options.requestLines && createRequestLog(options.requestLines, clock);
  const settings: FunctionSettings = {
    endpoint,
    clock,
    getVariables: () => (eventBus === undefined ? {} : { AWS_ENDPOINT_URL_EVENTBRIDGE: eventBus }),
    onLine: options.quiet ? () => {} : log?.printFunctionLine,
    hasTimeLimit: options.inspectPort === undefined,
  };
  const functions = new Map(
    stack.functions.map((definition) => [definition.id, new LocalFunction(definition, settings)]),
  );
  cleanUps.defer(async () => {
    await Promise.all([...functions.values()].map((running) => running.close()));
  });
  const getFunction = (id: string) => functions.get(id)!;
  const prepared = prepareData(stack, endpoint, getFunction(stack.rotation.id), options.loadDemo);
  const demo = await Promise.race([prepared, engine.ended]);
  // Other functions are loaded by their first request. A debugger sets breakpoints only in code that is loaded.
  if (options.inspectPort !== undefined) {
    await Promise.all(stack.routes.map(({ functionId }) => getFunction(functionId).load()));
  }

  const pages = buildPages(demo, clock, options);
  const server = createGateway({ stack, getFunction, clock, pages, log });
  const url = `http://${localHost}:${await listen(server, options.port, '--port')}`;
  cleanUps.defer(() => server[Symbol.asyncDispose]());
  // A request at a breakpoint ends only without a debugger. Therefore the inspector is closed before the server.
  cleanUps.defer(() => inspector.close());
  if (options.events) {
    // Only the function that publishes events needs the address. It is not loaded before the first event.
    eventBus = url + EVENT_BRIDGE_PATH;
    const { runStreamFunctions } = await import('./stream-functions.ts');
    const streams = runStreamFunctions(stack.eventSources, endpoint, getFunction);
    cleanUps.defer(streams.stop);
  }
  if (options.watch) {
    const { watchFunctions } = await import('./watch.ts');
    const watcher = await watchFunctions(ROOT_FOLDER, stack.functions, functions, settings);
    cleanUps.defer(watcher.close);
  }
  const startedParts = cleanUps.move();
  return {
    url,
    // The address of the engine for other programs.
    endpoint: engine.proxyEndpoint,
    tables: stack.tableNames,
    // The address of the event bus; undefined without the option `events`.
    eventBus,
    // The account to log in with; undefined without demo data.
    demo,
    // Rejects with a CommandError if the engine ends unexpectedly.
    engineEnded: engine.ended,
    close: () => startedParts.disposeAsync(),
  };
}

/** Opens a port for a debugger, unless an editor that started this process has opened one. */
async function openInspector(port: number): Promise<void> {
  if (inspector.url() !== undefined) return;
  await requireFreePort(port, '--inspect');
  inspector.open(port, localHost);
}

/** Creates the tables and the signing key, as a deployment does, and loads the demo data. */
async function prepareData(
  { tables, tableNames }: StackDefinition,
  endpoint: string,
  rotation: LocalFunction,
  loadDemo: ServiceOptions['loadDemo'],
): Promise<SampleAccount | undefined> {
  try {
    await createTables(endpoint, tables);
    const outcome = await rotation.invoke({});
    if ('failure' in outcome)
      throw new CommandError(
        'The function that creates the signing key failed. To see its log, start without --quiet.',
      );
    await rotation.close();
    return await loadDemo?.({ endpoint, tables: tableNames });
  } catch (error) {
    // Only an error of the engine, such as a full disk, has the metadata of a call.
    if (!('$metadata' in (error as Error))) throw error;
    throw new CommandError(`The engine cannot keep the data: ${(error as Error).message}`);
  }
}

/** Builds the responses in addition to the routes of the stack: documentation, clock and event bus. */
function buildPages(demo: SampleAccount | undefined, clock: VirtualClock, { events }: ServiceOptions) {
  const bus = createEventBus();
  return {
    ...buildDocsRoutes(demo),
    'GET /_local/clock': () => respondToClock(clock, undefined),
    'POST /_local/clock': (body: string) => respondToClock(clock, body),
    ...(events && { 'GET /_local/events': bus.list, [`POST ${EVENT_BRIDGE_PATH}`]: bus.put }),
  };
}
