import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { contracts } from '../routes.ts';
import type { DemoAccount } from '../demo-account.ts';
import { docsPages } from '../docs/serve-page.ts';
import type { TableName } from '../routes.ts';
import { findEngine, localEngine, startEngine } from './engine.ts';
import { createTables } from './engine-client.ts';
import { createGateway } from './gateway.ts';
import { EVENT_BRIDGE_PATH, LocalEventBus } from './local-event-bus.ts';
import { LocalFunction } from './local-function.ts';
import { findPort, listen, localHost } from './ports.ts';
import { readStack } from './read-stack.ts';
import { RequestLog } from './request-log.ts';
import { eventsAssembly, plainAssembly, synthesize } from './synthesize.ts';
import { VirtualClock } from './virtual-clock.ts';
import { CommandError, print } from '../terminal.ts';

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
  readonly loadDemo?: ((engine: DemoEngine) => Promise<DemoAccount>) | undefined;
  /** True if events are published, as with the option of a deployment. */
  readonly events?: boolean | undefined;
  /** True if changes of functions/ and lib/ are served as soon as they are saved. */
  readonly watch?: boolean | undefined;
  /** True if the logs of the functions are discarded. */
  readonly quiet: boolean;
  /** The stream that receives a readable line per request; without it, the functions' logs are printed unchanged. */
  readonly requestLines?: NodeJS.WritableStream | undefined;
}

export interface LocalService {
  readonly url: string;
  /** The address of the DynamoDB engine for programs on this machine. */
  readonly endpoint: string;
  readonly tables: Readonly<Record<TableName, string>>;
  /** The address at which the AWS SDK can publish events; undefined without the option `events`. */
  readonly eventBus: string | undefined;
  readonly demo: DemoAccount | undefined;
  /** The log of the functions that a deployment runs, unless it was printed or discarded. */
  readonly startLog: readonly string[];
  /** Resolves with the reason if the engine ends; then the service cannot be used any more. */
  readonly engineDied: Promise<string>;
  close(): Promise<void>;
}

/** Starts the synthesized stack on this machine: engine, tables, triggered functions, demo data and gateway. */
export async function startService(options: ServiceOptions): Promise<LocalService> {
  const cleanUps: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
  };
  try {
    // Checked first, because it is the clearest error if the service is already running.
    await findPort(options.port, { option: '--port' });
    // Fails before the slow synthesis if there is no engine.
    findEngine();
    const assembly = options.events ? eventsAssembly : plainAssembly;
    await synthesize(options, assembly);
    const stack = readStack(assembly);

    const clock = new VirtualClock();
    const engine = await startEngine(options.dynamodbPort, options.dataDirectory, localEngine(), clock);
    cleanUps.push(() => engine.close());
    const { endpoint, proxyEndpoint, died: engineDied } = engine;

    const { quiet, requestLines } = options;
    const log = requestLines && new RequestLog(requestLines, clock);
    const surroundings = { endpoint, clock, quiet, readLine: log?.read };
    const functions = new Map(
      stack.functions.map((definition) => [definition.id, new LocalFunction(definition, surroundings)]),
    );
    cleanUps.push(() => Promise.all([...functions.values()].map((running) => running.close())));
    const functionOf = (id: string) => {
      const found = functions.get(id);
      if (found === undefined) throw new Error(`The stack has no function ${id}.`);
      return found;
    };

    const startLog: string[] = [];
    const readStart = log?.read ?? ((line: string) => void startLog.push(line));
    const triggered = stack.functions.filter(({ id }) => stack.triggeredFunctionIds.includes(id));
    const prepareData = async () => {
      await createTables(endpoint, stack.tables);
      for (const definition of triggered)
        await trigger(new LocalFunction(definition, { ...surroundings, readLine: readStart }), startLog);
      return options.loadDemo?.({ endpoint, tables: stack.tableNames });
    };
    const loadFunctions = () => Promise.all(stack.routes.map(({ functionId }) => functionOf(functionId).load()));
    const started = Promise.all([prepareData().catch(explainEngineError), loadFunctions()]);
    const [demo] = await Promise.race([started, engineDied.then(failStart)]);

    const bus = new LocalEventBus();
    const pages = { ...docsPages(demo), ...(options.events && { '/_local/events': bus.list }) };
    const calls = options.events ? { [EVENT_BRIDGE_PATH]: bus.put } : {};
    const server = createGateway({ stack, functionOf, clock, pages, calls, log });
    const port = await listen(server, options.port, { option: '--port' });
    cleanUps.push(() => stopServer(server));
    const url = `http://${localHost}:${port}`;
    const eventBus = options.events ? url + EVENT_BRIDGE_PATH : undefined;
    if (eventBus !== undefined) {
      const variables = { AWS_ENDPOINT_URL_EVENTBRIDGE: eventBus };
      const streamed = new Set(stack.eventSources.map(({ functionId }) => functionId));
      for (const definition of stack.functions.filter(({ id }) => streamed.has(id)))
        functions.set(definition.id, new LocalFunction(definition, { ...surroundings, variables }));
      const { runStreamFunctions } = await import('./stream-functions.ts');
      const streams = runStreamFunctions(stack.eventSources, endpoint, functionOf);
      cleanUps.push(() => streams.stop());
    }
    if (options.watch) {
      const { findFunctionName, watchFunctions } = await import('./watch.ts');
      const names = contracts.map(({ name }) => name);
      const watched = stack.functions.flatMap((definition) => {
        const name = findFunctionName(definition.id, names);
        return name === undefined ? [] : [[name, definition] as const];
      });
      const watch = await watchFunctions(root, new Map(watched), functions, surroundings);
      cleanUps.push(() => watch.close());
    }
    return { url, endpoint: proxyEndpoint, tables: stack.tableNames, eventBus, demo, startLog, engineDied, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function trigger(triggered: LocalFunction, startLog: readonly string[]): Promise<void> {
  const outcome = await triggered.invoke({});
  await triggered.close();
  if (!('failure' in outcome)) return;
  for (const line of startLog) print(line);
  throw new CommandError('A function that a deployment runs failed. To see its log, start without --quiet.');
}

function failStart(reason: string): never {
  throw new CommandError(reason);
}

/** Converts an error of the engine, such as a full disk, to a CommandError; throws other errors unchanged. */
function explainEngineError(error: Error): never {
  if ('$metadata' in error) failStart(`The engine cannot keep the data: ${error.message}`);
  throw error;
}

async function stopServer(server: Server): Promise<void> {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeIdleConnections();
  });
}
