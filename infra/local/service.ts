import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { contracts } from '../../lib/contracts/contracts.ts';
import type { DemoAccount } from '../demo-account.ts';
import { docsPages } from '../docs/serve-page.ts';
import type { TableName } from '../routes.ts';
import { findEngine, localEngine, startEngine } from './engine.ts';
import type { DemoSize } from './demo.ts';
import { createTables } from './engine-client.ts';
import { createGateway } from './gateway.ts';
import { LocalEventBus } from './local-event-bus.ts';
import { LocalFunction } from './local-function.ts';
import { findPort, listen, localHost } from './ports.ts';
import { readStack } from './read-stack.ts';
import { RequestLog } from './request-log.ts';
import { runStreamFunctions } from './stream-functions.ts';
import { eventsAssembly, plainAssembly, synthesize } from './synthesize.ts';
import { VirtualClock } from './virtual-clock.ts';
import { CommandError, print } from '../terminal.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Where the gateway stands in for EventBridge. */
const EVENT_BRIDGE = '/_local/eventbridge/';

/** How to start; a port of 0 is any free one. */
export interface ServiceOptions {
  readonly port: number;
  readonly dynamodbPort: number;
  /** Where the data stay; without it they live in memory. */
  readonly dataDirectory?: string | undefined;
  readonly demo: DemoSize | 'none';
  /** Publishes events, as the option of a deployment does. */
  readonly events?: boolean | undefined;
  /** Serves changes of functions/ and lib/ as they are saved. */
  readonly watch?: boolean | undefined;
  /** Drops the logs of the functions. */
  readonly quiet: boolean;
  /** Where each request gets a line for people; without it, the functions' logs are printed as they are. */
  readonly requestLines?: NodeJS.WritableStream | undefined;
}

/** A running service. */
export interface LocalService {
  readonly url: string;
  /** Where programs of this machine find the DynamoDB engine. */
  readonly endpoint: string;
  readonly tables: Readonly<Record<TableName, string>>;
  readonly demo: DemoAccount | undefined;
  /** What the functions logged that a deployment runs, unless it was printed or dropped. */
  readonly startLog: readonly string[];
  /** Says why, when the engine has ended: the service is of no use any more. */
  readonly engineDied: Promise<string>;
  close(): Promise<void>;
}

/** Starts the synthesized stack on this machine: engine, tables, what a deployment triggers, demo data, gateway. */
export async function startService(options: ServiceOptions): Promise<LocalService> {
  const cleanUps: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
  };
  try {
    // Asked first: on a second start this is the reason to report.
    await findPort(options.port, { option: '--port' });
    // Before what takes long: where there is none, nothing else is of use.
    findEngine();
    const assembly = options.events ? eventsAssembly : plainAssembly;
    await synthesize(options, assembly);
    const stack = readStack(assembly);

    const clock = new VirtualClock();
    const engine = await startEngine(options.dynamodbPort, options.dataDirectory, localEngine(), clock);
    cleanUps.push(() => engine.close());
    const { endpoint, doorEndpoint, died: engineDied } = engine;

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
      if (options.demo === 'none') return undefined;
      const { loadDemo } = await import('./demo.ts');
      return loadDemo({ endpoint, tables: stack.tableNames }, options.demo);
    };
    const loadFunctions = () => Promise.all(stack.routes.map(({ functionId }) => functionOf(functionId).load()));
    const started = Promise.all([prepareData().catch(explainEngineFault), loadFunctions()]);
    const [demo] = await Promise.race([started, engineDied.then(failStart)]);

    const bus = new LocalEventBus();
    const pages = { ...docsPages(demo), ...(options.events && { '/_local/events': bus.list }) };
    const calls = options.events ? { [EVENT_BRIDGE]: bus.put } : {};
    const server = createGateway({ stack, functionOf, clock, pages, calls, log });
    const port = await listen(server, options.port, { option: '--port' });
    cleanUps.push(() => stopServer(server));
    const url = `http://${localHost}:${port}`;
    if (options.events) {
      const variables = { AWS_ENDPOINT_URL_EVENTBRIDGE: url + EVENT_BRIDGE };
      const streamed = new Set(stack.eventSources.map(({ functionId }) => functionId));
      for (const definition of stack.functions.filter(({ id }) => streamed.has(id)))
        functions.set(definition.id, new LocalFunction(definition, { ...surroundings, variables }));
      const streams = runStreamFunctions(stack, endpoint, functionOf);
      cleanUps.push(() => streams.stop());
    }
    if (options.watch) {
      const { functionName, watchFunctions } = await import('./watch.ts');
      const names = contracts.map(({ name }) => name);
      const watched = stack.functions.flatMap((definition) => {
        const name = functionName(definition.id, names);
        return name === undefined ? [] : [[name, definition] as const];
      });
      const watch = await watchFunctions(root, new Map(watched), functions, surroundings);
      cleanUps.push(() => watch.close());
    }
    return { url, endpoint: doorEndpoint, tables: stack.tableNames, demo, startLog, engineDied, close };
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
  throw new CommandError('A function that a deployment runs failed; without --quiet its log says why.');
}

function failStart(reason: string): never {
  throw new CommandError(reason);
}

/** Such as a full disk: what the engine says is all there is to know. */
function explainEngineFault(error: Error): never {
  if ('$metadata' in error) failStart(`The engine cannot keep the data: ${error.message}`);
  throw error;
}

async function stopServer(server: Server): Promise<void> {
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeIdleConnections();
  });
}
