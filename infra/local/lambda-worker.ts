/** Runs in the thread of one function: loads its bundle once, as Lambda does, and handles invocations. */
import { createRequire, setSourceMapsSupport } from 'node:module';
import { join } from 'node:path';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Context } from 'aws-lambda';
import type { FunctionDefinition } from './read-stack.ts';
import { printError } from '../process/terminal.ts';
import { getMachineTimeMs, VirtualClock } from './virtual-clock.ts';

/** An invocation from the host; `reply` receives the JSON text of the result, or null for a failure. */
export interface Invocation {
  readonly event: unknown;
  readonly requestId: string;
  /** The end of the time limit, in milliseconds since 1970 by the machine's clock, which testers cannot move. */
  readonly deadlineMs: number;
  readonly reply: MessagePort;
}

const { definition, clockBuffer } = workerData as { definition: FunctionDefinition; clockBuffer: SharedArrayBuffer };

// Installed before the bundle is loaded, because its modules can keep a reference to Date.
new VirtualClock(clockBuffer).install();
// With source maps, the stack of an error contains the lines of the sources.
setSourceMapsSupport(true);
// The handler is `index.handler`: the export `handler` of the file `index`.
const [file, exportName] = definition.handler.split('.') as [string, string];
const { [exportName]: handler } = createRequire(import.meta.url)(join(definition.codeFolder, file));

if (parentPort === null) throw new Error('This is the code of a worker thread.');
parentPort.on('message', (invocation: Invocation) => void handleInvocation(invocation));
parentPort.postMessage('loaded');

async function handleInvocation({ event, reply, ...invocation }: Invocation): Promise<void> {
  try {
    const result: unknown = await handler(event, createContext(invocation));
    // The JSON text of undefined is undefined.
    reply.postMessage(JSON.stringify(result) ?? 'null');
  } catch (error) {
    printError(error);
    reply.postMessage(null);
  } finally {
    reply.close();
  }
}

function createContext({ requestId, deadlineMs }: Pick<Invocation, 'requestId' | 'deadlineMs'>): Partial<Context> {
  return {
    awsRequestId: requestId,
    functionName: definition.id,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${definition.id}`,
    memoryLimitInMB: String(definition.memoryMegabytes),
    getRemainingTimeInMillis: () => deadlineMs - getMachineTimeMs(),
  };
}
