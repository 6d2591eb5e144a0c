import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { MessageChannel, Worker } from 'node:worker_threads';
import { buildEngineEnvironment } from './engine-client.ts';
import type { Invocation } from './lambda-worker.ts';
import type { FunctionDefinition } from './read-stack.ts';
import { printError } from '../process/terminal.ts';
import { getMachineTimeMs, type VirtualClock } from './virtual-clock.ts';

/** The settings that all functions of a service share. */
export interface FunctionSettings {
  readonly endpoint: string;
  readonly clock: VirtualClock;
  /** Returns the environment variables of a function that is loaded now, in addition to those of the template. */
  readonly getVariables?: () => Readonly<Record<string, string>>;
  /** False if an invocation can wait at a breakpoint. */
  readonly hasTimeLimit?: boolean;
  /** Receives the output of the functions line by line; without it, the lines are printed unchanged. */
  readonly onLine?: ((line: string) => void) | undefined;
}

/** The outcome of an invocation: the handler's result, an error, or a timeout. */
export type Outcome = { readonly result: unknown } | { readonly failure: 'error' | 'timeout' };

/** The longest delay of a timer. A timer with a longer delay would end at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A function of the stack in a separate thread with its own environment. A new thread replaces one that has ended. */
export class LocalFunction {
  readonly #definition: FunctionDefinition;
  readonly #settings: FunctionSettings;
  readonly #invocations = new Set<Promise<Outcome>>();
  #worker: Promise<Worker> | undefined;

  constructor(definition: FunctionDefinition, settings: FunctionSettings) {
    this.#definition = definition;
    this.#settings = settings;
  }

  /** Loads the bundle, unless a running thread has already loaded it. */
  async load(): Promise<Worker> {
    this.#worker ??= this.#start();
    return this.#worker;
  }

  /** Calls the handler. Only the function's log contains the cause of a failure. */
  async invoke(event: unknown, requestId: string = randomUUID()): Promise<Outcome> {
    const { hasTimeLimit = true } = this.#settings;
    const timeoutMs = hasTimeLimit ? this.#definition.timeoutSeconds * 1000 : MAX_TIMER_MS;
    const timeout = once(AbortSignal.timeout(timeoutMs), 'abort').then(() => ({ failure: 'timeout' }) as const);
    const response = this.#callHandler({ event, requestId, deadlineMs: getMachineTimeMs() + timeoutMs });
    const outcome = Promise.race([response, timeout]);
    this.#invocations.add(outcome);
    return outcome.finally(() => this.#invocations.delete(outcome));
  }

  /** Ends the thread when all invocations have ended. */
  async retire(): Promise<void> {
    await Promise.allSettled(this.#invocations);
    await this.close();
  }

  /** Ends the thread, also during an invocation. */
  async close(): Promise<void> {
    // A thread that could not be loaded has already ended.
    const worker = await this.#worker?.catch(() => undefined);
    await worker?.terminate();
  }

  async #callHandler(invocation: Omit<Invocation, 'reply'>): Promise<Outcome> {
    const worker = await this.load();
    const { port1: receivingPort, port2: replyPort } = new MessageChannel();
    worker.postMessage({ ...invocation, reply: replyPort } satisfies Invocation, [replyPort]);
    // If the thread ends, the port closes without a message, and `reply` is undefined.
    const [reply] = await Promise.race([once(receivingPort, 'message'), once(receivingPort, 'close')]);
    return typeof reply === 'string' ? { result: JSON.parse(reply) } : { failure: 'error' };
  }

  async #start(): Promise<Worker> {
    const { endpoint, getVariables, clock, onLine } = this.#settings;
    const { id, environment, memoryMegabytes } = this.#definition;
    const isCaptured = onLine !== undefined;
    // Node adds a folder of its version: `cdk.out/compile-cache/v24.21.0-x64-964aae3f-0`.
    const compileCacheFolder = getCompileCacheDir();
    const worker = new Worker(new URL('lambda-worker.ts', import.meta.url), {
      env: {
        ...environment,
        ...buildEngineEnvironment(endpoint),
        ...getVariables?.(),
        // Without the compile cache of this process, loading the thread takes twice as long.
        NODE_COMPILE_CACHE: compileCacheFolder === undefined ? '' : dirname(compileCacheFolder),
        AWS_LAMBDA_FUNCTION_NAME: id,
        AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMegabytes),
        AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      },
      execArgv: [],
      workerData: { definition: this.#definition, clockBuffer: clock.buffer },
      stdout: isCaptured,
      stderr: isCaptured,
    });
    if (isCaptured) {
      readLines(worker.stdout, onLine);
      readLines(worker.stderr, onLine);
    }
    worker.on('exit', () => (this.#worker = undefined));
    // The thread of a bundle that ends the process, for example with process.exit, sends neither a message nor an error.
    await Promise.race([once(worker, 'message'), rejectOnExit(worker)]);
    worker.on('error', printError);
    return worker;
  }
}

async function rejectOnExit(worker: Worker): Promise<never> {
  await once(worker, 'exit');
  throw new Error('The thread of the function ended while the bundle was loaded.');
}

/** Reads a stream line by line. `readline` would also break a line at U+2028. */
function readLines(stream: Readable, onLine: (line: string) => void): void {
  let incompleteLine = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (incompleteLine + text).split('\n');
    incompleteLine = lines.pop() ?? '';
    lines.forEach(onLine);
  });
  stream.on('end', () => {
    if (incompleteLine !== '') onLine(incompleteLine);
  });
}
