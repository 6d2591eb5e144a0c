/** A client of the Lambda Runtime API: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html */
import { Agent, request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { env } from 'node:process';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';

/** The subject of a report: the start of the function, or an invocation. */
export type Subject = 'init' | `invocation/${string}`;

/** An invocation of the function. `event` is JSON text, and `deadlineMs` a Unix time. */
export interface Invocation {
  readonly subject: Subject;
  readonly requestId: string;
  readonly functionArn: string;
  readonly deadlineMs: number;
  readonly traceId: string | undefined;
  readonly event: string;
}

const agent = new Agent({ keepAlive: true });

/** Waits for the next invocation without a timeout. */
export async function getNextInvocation(): Promise<Invocation> {
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
export async function sendResponse(subject: Subject, json: string): Promise<void> {
  await callRuntimeApi('POST', `${subject}/response`, json);
}

/** Reports a thrown value as the error of an invocation or of the start. */
export async function sendError(subject: Subject, thrown: unknown): Promise<void> {
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
