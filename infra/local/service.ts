import { createServer, type RequestListener } from 'node:http';
import * as inspector from 'node:inspector';
import { fileURLToPath } from 'node:url';
import type { SampleAccount } from '../../lib/contracts/contract.ts';
import { DECLARE_PAGE_POLICY } from '../../lib/http/serve-files.ts';
import { buildDeclarePageFiles } from '../declare-page/page-files.ts';
import { buildDocsRoutes } from '../openapi/page/site-files.ts';
import type { TableName } from '../routes.ts';
import { buildFileRoutes } from '../static-files.ts';
import { findEngine, startEngine } from './engine.ts';
import { createTables } from './engine-client.ts';
import { startEngineProxy } from './engine-proxy.ts';
import { createFaults } from './faults.ts';
import { removeFutureCounters } from './future-counters.ts';
import { createGateway } from './gateway.ts';
import { createEventBus, EVENT_BRIDGE_PATH } from './local-event-bus.ts';
import { type FunctionSettings, LocalFunctions } from './local-functions.ts';
import { listen, LOCAL_HOST, requireFreePort } from './ports.ts';
import { type FunctionDefinition, readStack, type StackDefinition } from './read-stack.ts';
import { printFunctionLine } from './request-log.ts';
import { synthesize } from './synthesize.ts';
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
  /** False if requests and failed logins are not counted. */
  readonly hasLimits?: boolean | undefined;
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
  // A port that is in use or a missing engine is reported before the slow synthesis.
  const gateway = Promise.withResolvers<RequestListener>();
  const server = createServer((request, response) => void gateway.promise.then((handle) => handle(request, response)));
  const url = `http://${LOCAL_HOST}:${await listen(server, options.port, '--port')}`;
  cleanUps.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  const foundEngine = findEngine();
  // The editor that started this process can already have opened the inspector.
  if (options.inspectPort !== undefined && inspector.url() === undefined) {
    await requireFreePort(options.inspectPort, '--inspect');
    inspector.open(options.inspectPort, LOCAL_HOST);
  }

  await synthesize(options);
  const stack = readStack();
  const clock = new VirtualClock();
  const engine = await startEngine(foundEngine, options.dataFolder);
  cleanUps.defer(engine.close);
  // An engine that was already running is called directly.
  const isOwnEngine = 'binary' in foundEngine;
  const { requestLines, dynamodbPort, hasLimits = true } = options;
  const uncountedTable = hasLimits ? undefined : stack.tableNames.RateCounters;
  const proxy =
    isOwnEngine || !hasLimits
      ? await startEngineProxy(dynamodbPort, new URL(engine.endpoint), clock, uncountedTable)
      : undefined;
  cleanUps.defer(async () => proxy?.close());

  const printLine = requestLines && ((line: string) => printFunctionLine(line, requestLines));
  const settings: FunctionSettings = {
    endpoint: hasLimits ? engine.endpoint : proxy!.endpoint,
    clock,
    eventBusUrl: options.events ? url + EVENT_BRIDGE_PATH : undefined,
    onLine: options.quiet ? () => {} : printLine,
    hasTimeLimit: options.inspectPort === undefined,
  };
  let functions = new LocalFunctions(stack.functions, settings);
  cleanUps.defer(() => functions.close());
  const invoke: LocalFunctions['invoke'] = (...args) => functions.invoke(...args);
  // `engine.ended` rejects if the engine ends during the preparation.
  const demo = await Promise.race([prepareData(stack, engine.endpoint, invoke, options), engine.ended]);

  const faults = createFaults(invoke);
  const eventBus = createEventBus();
  const localRoutes = {
    ...buildDocsRoutes(demo),
    ...buildFileRoutes('/declare', buildDeclarePageFiles(), DECLARE_PAGE_POLICY),
    'GET /_local/clock': () => respondToClock(clock, undefined),
    'POST /_local/clock': async (body: string) => {
      const { offsetMs } = clock;
      const reply = respondToClock(clock, body);
      if (clock.offsetMs < offsetMs) await removeFutureCounters(engine.endpoint, stack.tableNames, clock.now());
      return reply;
    },
    'POST /_local/faults': faults.respond,
    ...(options.events && { 'GET /_local/events': eventBus.list, [`POST ${EVENT_BRIDGE_PATH}`]: eventBus.put }),
  };
  gateway.resolve(createGateway({ stack, invoke: faults.invoke, clock, localRoutes, requestLines }));
  if (options.events) {
    const { runStreamFunctions } = await import('./stream-functions.ts');
    const streams = runStreamFunctions(stack.streamMappings, engine.endpoint, invoke);
    cleanUps.defer(streams.stop);
  }
  if (options.watch) {
    const { watchFunctions } = await import('./watch.ts');
    const replaceFunctions = async (definitions: readonly FunctionDefinition[]) => {
      functions = await functions.replace(definitions);
    };
    const watcher = await watchFunctions(ROOT_FOLDER, stack.functions, replaceFunctions);
    cleanUps.defer(watcher.close);
  }
  // From here on, the caller stops the service with `close`.
  const startedParts = cleanUps.move();
  return {
    url,
    // The address of the engine for other programs.
    endpoint: proxy?.endpoint ?? engine.endpoint,
    tables: stack.tableNames,
    // Undefined without the option `events`.
    eventBusUrl: settings.eventBusUrl,
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

/** Creates the tables and the signing key, as a deployment does, and loads the demo data. */
async function prepareData(
  { tables, tableNames, rotation }: StackDefinition,
  endpoint: string,
  invoke: LocalFunctions['invoke'],
  { loadDemo, events = false }: ServiceOptions,
): Promise<SampleAccount | undefined> {
  try {
    await createTables(endpoint, tables, { withStreams: events });
    // The clock of an earlier start can have been ahead.
    await removeFutureCounters(endpoint, tableNames, Date.now());
    const outcome = await invoke(rotation.id, {});
    if ('failure' in outcome)
      throw new CommandError(
        'The function that creates the signing key failed. To see its log, start without --quiet.',
      );
    return await loadDemo?.({ endpoint, tables: tableNames });
  } catch (error) {
    // The SDK adds `$metadata` to the error of a call to the engine, for example if the disk is full.
    if (!('$metadata' in (error as Error))) throw error;
    // An error without a message contains only the errors of several addresses.
    const { message, code } = error as NodeJS.ErrnoException;
    throw new CommandError(`The engine at ${endpoint} cannot keep the data: ${message || code}`);
  }
}
