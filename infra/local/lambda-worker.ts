/** The thread that local-functions.ts starts. It loads each bundle once, as Lambda does, and handles invocations. */
import { createRequire, setSourceMapsSupport } from 'node:module';
import { join } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Context } from 'aws-lambda';
import { printError } from '../process/terminal.ts';
import type { FunctionDefinition } from './read-stack.ts';
import { VirtualClock } from './virtual-clock.ts';

export interface WorkerSettings {
  readonly functions: readonly FunctionDefinition[];
  readonly clockBuffer: SharedArrayBuffer;
}

/** An invocation, which the thread of local-functions.ts (the host) sends. */
export interface Invocation {
  readonly functionId: string;
  readonly event: unknown;
  readonly requestId: string;
  /** The end of the time limit, in milliseconds since 1970 by the machine's clock, which testers cannot move. */
  readonly deadlineMs: number;
  /** Receives the JSON string of the result, or null after a failure. */
  readonly reply: MessagePort;
}

type Handler = (event: unknown, context: Partial<Context>) => Promise<unknown>;

// A worker thread always has a port to its host.
const host = parentPort!;
const { functions, clockBuffer } = workerData as WorkerSettings;
// Time limits need the original Date. The clock replaces Date before a bundle is loaded, which can keep a reference.
const MachineDate = Date;
new VirtualClock(clockBuffer).install();
// With source maps, the stack of an error contains the lines of the sources.
setSourceMapsSupport(true);
const handlers = loadHandlers();
host.on('message', (invocation: Invocation) => void handleInvocation(invocation));
host.postMessage('loaded');

/** Loads the bundles. Returns their handlers by the id of the function. */
function loadHandlers(): ReadonlyMap<string, Handler> {
  const loadBundle = createRequire(import.meta.url);
  return new Map(functions.map(({ id, codeFolder }) => [id, loadBundle(join(codeFolder, 'index.js')).handler]));
}

async function handleInvocation({ functionId, event, requestId, deadlineMs, reply }: Invocation): Promise<void> {
  const getRemainingTimeInMillis = () => deadlineMs - MachineDate.now();
  try {
    const handler = handlers.get(functionId)!;
    const result = await handler(event, { awsRequestId: requestId, getRemainingTimeInMillis });
    // An empty write ends after all earlier writes, so that the host receives the lines of the function before its result.
    await flush(process.stdout);
    await flush(process.stderr);
    // For a handler that returns nothing, JSON.stringify returns undefined. Lambda returns the JSON value null.
    reply.postMessage(JSON.stringify(result) ?? 'null');
  } catch (error) {
    printError(error);
    reply.postMessage(null);
  } finally {
    reply.close();
  }
}

async function flush(stream: NodeJS.WritableStream): Promise<void> {
  await new Promise<void>((resolve) => stream.write('', () => resolve()));
}
