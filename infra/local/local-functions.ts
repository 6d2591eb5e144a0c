import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { MessageChannel, Worker } from 'node:worker_threads';
import { buildEngineEnvironment } from './engine-client.ts';
import type { Invocation, WorkerSettings } from './lambda-worker.ts';
import type { FunctionDefinition } from './read-stack.ts';
import type { VirtualClock } from './virtual-clock.ts';

interface FunctionSettings {
  readonly endpoint: string;
  readonly clock: VirtualClock;
  /** The address of the event bus. Without it, no events are published. */
  readonly eventBusUrl?: string | undefined;
  /** False if an invocation can wait at a breakpoint. */
  readonly hasTimeLimit?: boolean;
  /** Receives the output of the functions line by line. Without it, the lines are printed unchanged. */
  readonly onLine?: ((line: string) => void) | undefined;
}

export type Invoke = LocalFunctions['invoke'];

/** The outcome of an invocation: the result of the handler, or the kind of its failure. */
export type Outcome = { readonly result: unknown } | { readonly failure: 'error' | 'timeout' };

/** The timeout of functions without a time limit: 24 days. A timer with a longer delay would end at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Functions of the stack, which run in one worker thread. If it does not run, a call of a function starts it. */
export class LocalFunctions {
  readonly #definitions: readonly FunctionDefinition[];
  readonly #settings: FunctionSettings;
  #worker: Promise<Worker> | undefined;

  constructor(definitions: readonly FunctionDefinition[], settings: FunctionSettings) {
    this.#definitions = definitions;
    this.#settings = settings;
  }

  /** Calls the handler of a function. Only the function's log contains the cause of a failure. */
  async invoke(functionId: string, event: unknown, requestId: string = randomUUID()): Promise<Outcome> {
    const { hasTimeLimit = true } = this.#settings;
    const { timeoutSeconds } = this.#definitions.find(({ id }) => id === functionId)!;
    const timeoutMs = hasTimeLimit ? timeoutSeconds * 1000 : MAX_TIMER_MS;
    const deadlineMs = Date.now() + timeoutMs;
    // A timeout does not stop the handler, which shares its thread with other invocations.
    const timeout = once(AbortSignal.timeout(timeoutMs), 'abort').then(() => ({ failure: 'timeout' }) as const);
    return Promise.race([this.#callHandler({ functionId, event, requestId, deadlineMs }), timeout]);
  }

  async #callHandler(invocation: Omit<Invocation, 'reply'>): Promise<Outcome> {
    const worker = await this.load();
    const { port1: receivingPort, port2: replyPort } = new MessageChannel();
    worker.postMessage({ ...invocation, reply: replyPort } satisfies Invocation, [replyPort]);
    // If the thread ends, the port closes without a message, and `reply` is undefined.
    const [reply] = await Promise.race([once(receivingPort, 'message'), once(receivingPort, 'close')]);
    return typeof reply === 'string' ? { result: JSON.parse(reply) } : { failure: 'error' };
  }

  /** Returns the thread with the loaded bundles. Starts a new thread if none runs. */
  async load(): Promise<Worker> {
    this.#worker ??= this.#start();
    return this.#worker;
  }

  async #start(): Promise<Worker> {
    const { clock, onLine } = this.#settings;
    const worker = new Worker(new URL('lambda-worker.ts', import.meta.url), {
      env: this.#buildEnvironment(),
      execArgv: [],
      workerData: { functions: this.#definitions, clockBuffer: clock.buffer } satisfies WorkerSettings,
      stdout: onLine !== undefined,
      stderr: onLine !== undefined,
    });
    if (onLine !== undefined) {
      for (const input of [worker.stdout, worker.stderr]) createInterface({ input }).on('line', onLine);
    }
    worker.once('exit', () => {
      this.#worker = undefined;
    });
    // The thread reports with a message that the bundles are loaded. A bundle can also end it, with process.exit.
    const loaded = once(worker, 'message').then(() => true);
    const ended = once(worker, 'exit').then(() => false);
    const isLoaded = await Promise.race([loaded, ended]);
    if (!isLoaded) throw new Error('The thread of the functions ended while the bundles were loaded.');
    return worker;
  }

  #buildEnvironment(): Record<string, string> {
    const { endpoint, eventBusUrl } = this.#settings;
    const variables: Record<string, string> = {};
    // All functions share the environment of the thread. A variable has the same value in each function that declares it.
    for (const { environment } of this.#definitions) Object.assign(variables, environment);
    Object.assign(variables, buildEngineEnvironment(endpoint));
    if (eventBusUrl !== undefined) variables['AWS_ENDPOINT_URL_EVENTBRIDGE'] = eventBusUrl;
    // Without the compile cache of this process, loading the bundles takes twice as long. Node returns the subfolder of
    // its version, such as `cdk.out/compile-cache/v24.21.0-x64-964aae3f-0`, but the variable is the folder above it.
    const compileCacheFolder = getCompileCacheDir();
    if (compileCacheFolder !== undefined) variables['NODE_COMPILE_CACHE'] = dirname(compileCacheFolder);
    return variables;
  }

  /** Ends the thread, even during an invocation. */
  async close(): Promise<void> {
    // A thread that could not be loaded has already ended.
    const worker = await this.#worker?.catch(() => undefined);
    await worker?.terminate();
  }
}
