import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { MessageChannel, Worker } from 'node:worker_threads';
import { buildEngineEnvironment } from './engine-client.ts';
import type { Invocation } from './lambda-worker.ts';
import type { FunctionDefinition } from './read-stack.ts';
import { printError } from '../process/terminal.ts';
import { machineTimeMs, type VirtualClock } from './virtual-clock.ts';

/** The settings that all functions of a service share. */
export interface FunctionSurroundings {
  readonly endpoint: string;
  readonly clock: VirtualClock;
  /** The environment variables in addition to those of the template, which a function gets when it is loaded. */
  readonly variables?: Readonly<Record<string, string>>;
  /** False if an invocation can wait at a breakpoint. */
  readonly hasTimeLimit?: boolean;
  /** Receives the output of the functions line by line; without it, the lines are printed unchanged. */
  readonly readLine?: ((line: string) => void) | undefined;
}

/** The outcome of an invocation: the handler's result, an error, or a timeout. */
export type Outcome = { readonly result: unknown } | { readonly failure: 'error' | 'timeout' };

// A timer with a longer delay would end at once.
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A function of the stack in a separate thread with its own environment; a thread that died is replaced. */
export class LocalFunction {
  readonly #definition: FunctionDefinition;
  readonly #surroundings: FunctionSurroundings;
  readonly #running = new Set<Promise<Outcome>>();
  #worker: Promise<Worker> | undefined;

  constructor(definition: FunctionDefinition, surroundings: FunctionSurroundings) {
    this.#definition = definition;
    this.#surroundings = surroundings;
  }

  /** Loads the bundle, unless a running thread has already loaded it. */
  async load(): Promise<Worker> {
    this.#worker ??= this.#start();
    return this.#worker;
  }

  /** Runs the handler; only the function's log contains the cause of a failure. */
  async invoke(event: unknown, requestId: string = randomUUID()): Promise<Outcome> {
    const timeoutMs = (this.#surroundings.hasTimeLimit ?? true) ? this.#definition.timeoutSeconds * 1000 : MAX_TIMER_MS;
    const late = once(AbortSignal.timeout(timeoutMs), 'abort').then(() => ({ failure: 'timeout' }) as const);
    const outcome = Promise.race([this.#answer({ event, requestId, deadlineMs: machineTimeMs() + timeoutMs }), late]);
    this.#running.add(outcome);
    return outcome.finally(() => this.#running.delete(outcome));
  }

  /** Ends the thread when all invocations have ended. */
  async retire(): Promise<void> {
    await Promise.allSettled(this.#running);
    await this.close();
  }

  async close(): Promise<void> {
    const worker = await this.#worker?.catch(() => undefined);
    await worker?.terminate();
  }

  async #answer(invocation: Omit<Invocation, 'reply'>): Promise<Outcome> {
    const worker = await this.load();
    const { port1, port2 } = new MessageChannel();
    worker.postMessage({ ...invocation, reply: port2 } satisfies Invocation, [port2]);
    // The port closes without a message when the thread dies.
    const [reply] = await Promise.race([once(port1, 'message'), once(port1, 'close')]);
    return typeof reply === 'string' ? { result: JSON.parse(reply) } : { failure: 'error' };
  }

  async #start(): Promise<Worker> {
    const { endpoint, variables, clock, readLine } = this.#surroundings;
    const { id, environment, memoryMegabytes } = this.#definition;
    const isCaptured = readLine !== undefined;
    const worker = new Worker(new URL('lambda-worker.ts', import.meta.url), {
      env: {
        ...{ ...environment, ...buildEngineEnvironment(endpoint), ...variables },
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
    if (isCaptured) for (const stream of [worker.stdout, worker.stderr]) readLines(stream, readLine);
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
function readLines(stream: Readable, read: (line: string) => void): void {
  let incompleteLine = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (incompleteLine + text).split('\n');
    incompleteLine = lines.pop() ?? '';
    lines.forEach(read);
  });
}
