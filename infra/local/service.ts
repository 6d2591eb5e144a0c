import * as inspector from 'node:inspector';
import { fileURLToPath } from 'node:url';
import type { SampleAccount } from '../../lib/contracts/contract.ts';
import { buildDocsPages } from '../openapi/page/site-files.ts';
import type { TableName } from '../routes.ts';
import { findEngine, startEngine } from './engine.ts';
import { createTables } from './engine-client.ts';
import { createGateway } from './gateway.ts';
import { createEventBus, EVENT_BRIDGE_PATH } from './local-event-bus.ts';
import { LocalFunction } from './local-function.ts';
import { findPort, listen, localHost } from './ports.ts';
import { readStack } from './read-stack.ts';
import { createRequestLog } from './request-log.ts';
import { eventsAssembly, plainAssembly, synthesize } from './synthesize.ts';
import { respondToClock, VirtualClock } from './virtual-clock.ts';
import { CommandError, printError } from '../process/terminal.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The engine and the tables into which the demo data are loaded. */
export interface DemoEngine {
  readonly endpoint: string;
  readonly tables: Readonly<Record<TableName, string>>;
}

/** The options of a start; port 0 is any free port. */
export interface ServiceOptions {
  readonly port: number;
  readonly dynamodbPort: number;
  /** The directory of the data; without it, they are kept in memory. */
  readonly dataDirectory?: string | undefined;
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

/** Starts the synthesized stack on this machine: engine, tables, triggered functions, demo data and gateway. */
export async function startService(options: ServiceOptions) {
  const cleanUps = new AsyncDisposableStack();
  const close = () => cleanUps.disposeAsync();
  try {
    // Checked first, because it is the clearest error if the service is already running.
    await findPort(options.port, '--port');
    // Fails before the slow synthesis if there is no engine.
    const foundEngine = findEngine();
    const assembly = options.events ? eventsAssembly : plainAssembly;
    await synthesize(options, assembly);
    const stack = readStack(assembly);
    const { tableNames: tables, eventSources, triggeredFunctionIds } = stack;
    // An editor that starts this process opens the inspector itself.
    if (options.inspectPort !== undefined && inspector.url() === undefined) {
      await findPort(options.inspectPort, '--inspect');
      inspector.open(options.inspectPort, localHost);
    }
    const clock = new VirtualClock();
    const engine = await startEngine(options.dynamodbPort, options.dataDirectory, foundEngine, clock);
    cleanUps.defer(engine.close);
    const { endpoint, proxyEndpoint, died: engineDied } = engine;

    const log = options.requestLines && createRequestLog(options.requestLines, clock);
    const readLine = options.quiet ? () => {} : log?.read;
    const variables: Record<string, string> = {};
    const hasTimeLimit = options.inspectPort === undefined;
    const surroundings = { endpoint, clock, variables, readLine, hasTimeLimit };
    const functions = new Map(
      stack.functions.map((definition) => [definition.id, new LocalFunction(definition, surroundings)]),
    );
    cleanUps.defer(async () => {
      await Promise.all([...functions.values()].map((running) => running.close()));
    });
    const getFunction = (id: string) => functions.get(id)!;

    const prepareData = async () => {
      await createTables(endpoint, stack.tables);
      for (const triggered of triggeredFunctionIds.map(getFunction)) {
        const outcome = await triggered.invoke({});
        if ('failure' in outcome)
          throw new CommandError('A function that a deployment runs failed. To see its log, start without --quiet.');
        await triggered.close();
      }
      return options.loadDemo?.({ endpoint, tables });
    };
    const loadFunctions = () => Promise.all(stack.routes.map(({ functionId }) => getFunction(functionId).load()));
    const started = Promise.all([prepareData().catch(explainEngineError), loadFunctions()]);
    const [demo] = await Promise.race([started, engineDied.then(failStart)]);

    const bus = createEventBus();
    const pages = {
      ...buildDocsPages(demo),
      'GET /_local/clock': () => respondToClock(clock, undefined),
      'POST /_local/clock': (body: string) => respondToClock(clock, body),
      ...(options.events && {
        'GET /_local/events': bus.list,
        [`POST ${EVENT_BRIDGE_PATH}`]: bus.put,
      }),
    };
    const server = createGateway({ stack, getFunction, clock, pages, log });
    const url = `http://${localHost}:${await listen(server, options.port, '--port')}`;
    cleanUps.defer(() => server[Symbol.asyncDispose]());
    // A request at a breakpoint ends only without a debugger.
    cleanUps.defer(() => inspector.close());
    const eventBus = options.events ? url + EVENT_BRIDGE_PATH : undefined;
    if (eventBus !== undefined) {
      // The function that publishes is not loaded yet.
      variables['AWS_ENDPOINT_URL_EVENTBRIDGE'] = eventBus;
      const { runStreamFunctions } = await import('./stream-functions.ts');
      const streams = runStreamFunctions(eventSources, endpoint, getFunction);
      cleanUps.defer(streams.stop);
    }
    if (options.watch) {
      const { watchFunctions } = await import('./watch.ts');
      const watch = await watchFunctions(root, stack.functions, functions, surroundings);
      cleanUps.defer(watch.close);
    }
    return { url, endpoint: proxyEndpoint, tables, eventBus, demo, engineDied, close };
  } catch (error) {
    // The first error explains why the service did not start.
    await close().catch(printError);
    throw error;
  }
}

function failStart(reason: string): never {
  throw new CommandError(reason);
}

/** Converts an error of the engine, such as a full disk, to a CommandError; throws other errors unchanged. */
function explainEngineError(error: Error): never {
  if ('$metadata' in error) failStart(`The engine cannot keep the data: ${error.message}`);
  throw error;
}
