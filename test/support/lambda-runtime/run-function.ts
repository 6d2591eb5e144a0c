/**
 * Runs a function as the Node.js runtime of Lambda does: loads its handler, then calls the handler with one event after
 * the other. An unhandled error is reported and ends the process. The Lambda Runtime API provides the events:
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { env } from 'node:process';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';

const agent = new Agent({ keepAlive: true });

/** The subject of a report: the start of the function, or an invocation. */
type Subject = 'init' | `invocation/${string}`;

/** An invocation of the function. `event` is JSON text, and `deadlineMs` a Unix time. */
interface Invocation {
  readonly subject: Subject;
  readonly requestId: string;
  readonly functionArn: string;
  readonly deadlineMs: number;
  readonly traceId: string | undefined;
  readonly event: string;
}

type Handler = (event: unknown, context: object) => unknown;

/** The subject of the report of an unhandled error; undefined between two invocations. */
let currentSubject: Subject | undefined = 'init';
let ending: Promise<never> | undefined;

for (const kind of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(kind, (error: unknown) => void (ending ??= reportAndExit(error)));

const handler = await loadHandler(env['LAMBDA_TASK_ROOT'] ?? '', env['_HANDLER'] ?? '').catch(
  (error: unknown) => (ending ??= reportAndExit(error)),
);
for (;;) {
  currentSubject = undefined;
  const invocation = await getNextInvocation();
  currentSubject = invocation.subject;
  const report = await invokeHandler(invocation);
  // Unhandled rejections have been emitted now. They are reported instead of the outcome, and end the process.
  await setImmediate();
  await ending;
  currentSubject = undefined;
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
    if (currentSubject !== undefined) await sendError(currentSubject, error);
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

/** Waits for the next invocation without a timeout. */
async function getNextInvocation(): Promise<Invocation> {
  const { headers, body } = await callRuntimeApi('GET', 'invocation/next');
  const header = (name: string) => {
    const value = headers[name];
    if (typeof value !== 'string') throw new Error(`The Runtime API returned an invocation without ${name}.`);
    return value;
  };
  const requestId = header('lambda-runtime-aws-request-id');
  const deadlineMs = Number(header('lambda-runtime-deadline-ms'));
  if (Number.isNaN(deadlineMs)) throw new Error('The deadline that the Runtime API returned is not a number.');
  return {
    subject: `invocation/${encodeURIComponent(requestId)}`,
    requestId,
    functionArn: header('lambda-runtime-invoked-function-arn'),
    deadlineMs,
    traceId: headers['lambda-runtime-trace-id']?.toString(),
    event: body,
  };
}

/** Sends JSON text as the response to an invocation. */
async function sendResponse(subject: Subject, json: string): Promise<void> {
  await callRuntimeApi('POST', `${subject}/response`, json);
}

/** Reports a thrown value as the error of an invocation or of the start. */
async function sendError(subject: Subject, thrown: unknown): Promise<void> {
  const { name, message, stack = '' } = thrown instanceof Error ? thrown : new Error(inspect(thrown));
  const report = { errorType: name, errorMessage: message, trace: stack.split('\n') };
  await callRuntimeApi('POST', `${subject}/error`, JSON.stringify(report));
}

// fetch cannot be used, because it times out after five minutes.
async function callRuntimeApi(method: string, path: string, body?: string) {
  const url = `http://${env['AWS_LAMBDA_RUNTIME_API']}/2018-06-01/runtime/${path}`;
  const { promise, resolve, reject } = Promise.withResolvers<{ headers: IncomingHttpHeaders; body: string }>();
  const outgoing = request(url, { method, agent, headers: { 'Content-Type': 'application/json' } });
  outgoing.on('error', reject).on('response', (response) => {
    const { statusCode = 0 } = response;
    // If a report is rejected with 4xx (too large, too late), Lambda handles it, and the next report can succeed.
    if (statusCode >= 500) reject(new Error(`The Runtime API returned ${statusCode} for ${path}.`));
    text(response).then((received) => resolve({ headers: response.headers, body: received }), reject);
  });
  outgoing.end(body);
  return promise;
}
