/**
 * Runs a function as the Node.js runtime of Lambda does: loads its handler, then gives it one event after the other,
 * until the process is ended, or ends itself over a fault. Answers are not streamed, and the console writes what it is
 * given.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { type Invocation, nextInvocation, sendAnswer, sendError, type Subject } from './runtime-api.ts';

type Handler = (event: unknown, context: object) => unknown;

/** Of what a fault that nobody handles is reported: of nothing between two invocations. */
let subject: Subject | undefined = 'init';
let ending: Promise<never> | undefined;

process.on('uncaughtException', (error) => void (ending ??= end(error, 129)));
process.on('unhandledRejection', (reason) => {
  const message = reason instanceof Error ? String(reason) : inspect(reason);
  ending ??= end(runtimeError('UnhandledPromiseRejection', message, reason), 128);
});

const handler = await loadHandler(env['LAMBDA_TASK_ROOT'] ?? '', env['_HANDLER'] ?? '').catch(
  (error: unknown) => (ending ??= end(error, 1)),
);
for (;;) {
  subject = undefined;
  const invocation = await nextInvocation();
  subject = invocation.subject;
  const report = await run(invocation);
  // By then a rejection that nobody handles is known: it is reported in place of the outcome, and ends the process.
  await setImmediate();
  await ending;
  subject = undefined;
  await report();
}

/** Calls the handler, and gives what sends its outcome. */
async function run(invocation: Invocation): Promise<() => Promise<void>> {
  const { traceId, event } = invocation;
  if (traceId === undefined) delete env['_X_AMZN_TRACE_ID'];
  else env['_X_AMZN_TRACE_ID'] = traceId;
  try {
    const json = toJson(await handler(JSON.parse(event), contextOf(invocation)));
    return () => sendAnswer(invocation.subject, json);
  } catch (error) {
    console.error(error);
    return () => sendError(invocation.subject, error);
  }
}

async function end(error: unknown, exitCode: number): Promise<never> {
  console.error(error);
  try {
    if (subject !== undefined) await sendError(subject, error);
  } finally {
    process.exit(exitCode);
  }
}

/** `<file>.<export>`, as every template names a handler. */
async function loadHandler(directory: string, name: string): Promise<Handler> {
  const [, file, exported] = /^([^.]+)\.([^.]+)$/.exec(name) ?? [];
  if (!file || !exported) throw runtimeError('MalformedHandlerName', `${name} is not <file>.<export>.`);
  const path = ['.js', '.mjs', '.cjs']
    .map((extension) => join(directory, file + extension))
    .find((each) => existsSync(each));
  if (path === undefined) throw runtimeError('ImportModuleError', `There is no module ${file} in ${directory}.`);
  const loaded = await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw importError(error);
  });
  const found: unknown = loaded[exported] ?? loaded.default?.[exported];
  if (typeof found !== 'function') throw runtimeError('HandlerNotFound', `${name} is no exported function.`);
  if (found.length > 2) {
    throw runtimeError(
      'CallbackHandlerDeprecated',
      `${name} takes a callback, which Node.js 24 on Lambda does not offer.`,
    );
  }
  return found as Handler;
}

function importError(error: unknown): unknown {
  if (error instanceof SyntaxError) return runtimeError('UserCodeSyntaxError', String(error), error);
  const isMissing = (error as NodeJS.ErrnoException | undefined)?.code === 'MODULE_NOT_FOUND';
  return isMissing ? runtimeError('ImportModuleError', String(error), error) : error;
}

function contextOf({ requestId, functionArn, deadlineMs }: Invocation): object {
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

function toJson(result: unknown): string {
  try {
    return JSON.stringify(result) ?? 'null';
  } catch (error) {
    throw runtimeError('JSONStringifyError', `The answer is no JSON: ${String(error)}`, error);
  }
}

function runtimeError(reason: string, message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { name: `Runtime.${reason}` });
}
