import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { listen, localHost } from '../../../infra/local/ports.ts';

const loop = fileURLToPath(new URL('../lambda-runtime/run-function.ts', import.meta.url));

/** What a function tells Lambda: where (`init/error`, `invocation/<id>/response`, …), and what. */
export interface Report {
  readonly path: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- a result, or Lambda's description of an error
  readonly body: any;
  readonly headers?: IncomingHttpHeaders;
}

/** A bundle as Lambda starts it. */
export interface Bundle {
  readonly codeDirectory: string;
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** An event as its JSON text, with the headers of its own, in place of those that every event has. */
export interface Invocation {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What became of a function; `code` is null when it did not end by itself, but waited for another event. */
export interface Run {
  readonly reports: readonly Report[];
  readonly output: string;
  readonly code: number | null;
}

/** How a Runtime API behaves. */
export interface RuntimeOptions {
  /** How long an invocation may take. */
  readonly timeoutMs?: number;
  /** The status with which reports are taken, and how long that takes. */
  readonly status?: number;
  readonly reportMs?: number;
  /** Whether a function that waits for another event is left alone until it ends by itself. */
  readonly untilItEnds?: boolean;
}

/**
 * Starts a bundle with a Runtime API that has one event for it, and gives its first report; rejects when the time for
 * the event is over.
 */
export async function runOnce(bundle: Bundle, event: object, timeoutMs?: number): Promise<Report> {
  const options = timeoutMs === undefined ? {} : { timeoutMs };
  const { reports, code, output } = await runAll(bundle, [{ body: JSON.stringify(event) }], options);
  if (reports[0]) return reports[0];
  throw new Error(`It ended with ${code}, without a report.\n${output}`);
}

/**
 * Starts a bundle with a Runtime API that hands out events, until it asks for more of them or ends; rejects when the
 * time is over.
 */
export async function runAll(
  { codeDirectory, handler, environment }: Bundle,
  invocations: readonly Invocation[],
  { timeoutMs = 20_000, status = 202, reportMs = 0, untilItEnds = false }: RuntimeOptions = {},
): Promise<Run> {
  const reports: Report[] = [];
  const waiting = [...invocations];
  const { promise: satisfied, resolve, reject } = Promise.withResolvers<null>();
  let timeout: NodeJS.Timeout | undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url?.replace('/2018-06-01/runtime/', '') ?? '';
    if (path === 'invocation/next') {
      clearTimeout(timeout);
      const next = waiting.shift();
      // Held open when there is none, as Lambda does.
      if (next === undefined) return untilItEnds || resolve(null);
      response.writeHead(200, { ...invocationHeaders(timeoutMs), ...next.headers }).end(next.body);
      timeout = setTimeout(() => reject(new Error(`Task timed out after ${timeoutMs} ms.`)), timeoutMs);
      return;
    }
    reports.push({ path, body: JSON.parse(await text(request)), headers: request.headers });
    await sleep(reportMs);
    response.writeHead(status).end();
  };
  const api = createServer((request, response) => void answer(request, response).catch(reject));
  const address = `${localHost}:${await listen(api, 0)}`;

  const child = spawn(process.execPath, [loop], {
    env: {
      ...environment,
      ...lambdaEnvironment,
      AWS_LAMBDA_RUNTIME_API: address,
      LAMBDA_TASK_ROOT: codeDirectory,
      _HANDLER: handler,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  }
  const closed = once(child, 'close');
  try {
    const code = await Promise.race([satisfied, closed.then(([exitCode]) => exitCode as number)]);
    return { reports, output, code };
  } finally {
    clearTimeout(timeout);
    child.kill();
    api.close();
    api.closeAllConnections();
  }
}

const lambdaEnvironment = {
  AWS_LAMBDA_FUNCTION_NAME: 'function',
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
  AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/function',
  AWS_LAMBDA_LOG_STREAM_NAME: 'stream',
};

function invocationHeaders(timeoutMs: number) {
  return {
    'Content-Type': 'application/json',
    'Lambda-Runtime-Aws-Request-Id': randomUUID(),
    'Lambda-Runtime-Deadline-Ms': String(Date.now() + timeoutMs),
    'Lambda-Runtime-Invoked-Function-Arn': 'arn:aws:lambda:us-east-1:000000000000:function:function',
  };
}
