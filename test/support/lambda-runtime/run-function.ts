/**
 * Runs a function as the Node.js runtime of Lambda does: loads its handler, then calls the handler with one event after
 * the other. An unhandled error is reported and ends the process.
 */
import { join } from 'node:path';
import { env } from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Invocation, getNextInvocation, sendResponse, sendError, type Subject } from './runtime-api.ts';

type Handler = (event: unknown, context: object) => unknown;

/** The subject of the report of an unhandled error; undefined between two invocations. */
let subject: Subject | undefined = 'init';
let ending: Promise<never> | undefined;

for (const kind of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(kind, (error: unknown) => void (ending ??= reportAndExit(error)));

const handler = await loadHandler(env['LAMBDA_TASK_ROOT'] ?? '', env['_HANDLER'] ?? '').catch(
  (error: unknown) => (ending ??= reportAndExit(error)),
);
for (;;) {
  subject = undefined;
  const invocation = await getNextInvocation();
  subject = invocation.subject;
  const report = await invokeHandler(invocation);
  // Unhandled rejections have been emitted now. They are reported instead of the outcome, and end the process.
  await setImmediate();
  await ending;
  subject = undefined;
  await report();
}

/** Calls the handler, and returns the function that sends the outcome. */
async function invokeHandler(invocation: Invocation): Promise<() => Promise<void>> {
  const { traceId, event } = invocation;
  if (traceId === undefined) delete env['_X_AMZN_TRACE_ID'];
  else env['_X_AMZN_TRACE_ID'] = traceId;
  try {
    const json = JSON.stringify(await handler(JSON.parse(event), buildContext(invocation))) ?? 'null';
    return () => sendResponse(invocation.subject, json);
  } catch (error) {
    console.error(error);
    return () => sendError(invocation.subject, error);
  }
}

async function reportAndExit(error: unknown): Promise<never> {
  console.error(error);
  try {
    if (subject !== undefined) await sendError(subject, error);
  } finally {
    process.exit(1);
  }
}

/** Loads the handler `<file>.<export>` of a bundle. */
async function loadHandler(directory: string, name: string): Promise<Handler> {
  const [file, exported = ''] = name.split('.');
  const loaded = await import(pathToFileURL(join(directory, `${file}.js`)).href);
  const found: unknown = loaded[exported] ?? loaded.default?.[exported];
  if (typeof found !== 'function') throw new Error(`${name} is not an exported function.`);
  return found as Handler;
}

function buildContext({ requestId, functionArn, deadlineMs }: Invocation): object {
  return {
    awsRequestId: requestId,
    invokedFunctionArn: functionArn,
    functionName: env['AWS_LAMBDA_FUNCTION_NAME'],
    functionVersion: env['AWS_LAMBDA_FUNCTION_VERSION'],
    memoryLimitInMB: env['AWS_LAMBDA_FUNCTION_MEMORY_SIZE'],
    logGroupName: env['AWS_LAMBDA_LOG_GROUP_NAME'],
    logStreamName: env['AWS_LAMBDA_LOG_STREAM_NAME'],
    getRemainingTimeInMillis: () => deadlineMs - Date.now(),
  };
}
