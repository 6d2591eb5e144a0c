import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { listen, LOCAL_HOST } from '../../../infra/local/ports.ts';

const TIMEOUT_MS = 20_000;
const runtimeFile = fileURLToPath(new URL('../lambda-runtime/run-function.ts', import.meta.url));

/** A request of a function to the Runtime API. `path` is `init/error`, `invocation/<id>/response` and so on. */
export interface Report {
  readonly path: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- a result, or Lambda's description of an error
  readonly body: any;
}

/** A bundled function and its environment. */
export interface Bundle {
  readonly codeFolder: string;
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Starts a bundle with a fake Runtime API that has one event. Returns the first report, and rejects if the process ends
 * without a report or exceeds the timeout.
 */
export async function runOnce({ codeFolder, handler, environment }: Bundle, event: object): Promise<Report> {
  const { promise: reported, resolve, reject } = Promise.withResolvers<Report>();
  let isDelivered = false;
  let timeout: NodeJS.Timeout | undefined;
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url?.replace('/2018-06-01/runtime/', '') ?? '';
    if (path !== 'invocation/next') {
      const body: unknown = JSON.parse(await text(request));
      response.writeHead(202).end();
      return resolve({ path, body });
    }
    // Without another event, the request stays open, as in Lambda.
    if (isDelivered) return;
    isDelivered = true;
    response.writeHead(200, buildInvocationHeaders()).end(JSON.stringify(event));
    timeout = setTimeout(() => reject(new Error(`Task timed out after ${TIMEOUT_MS} ms.`)), TIMEOUT_MS);
  };
  const api = createServer((request, response) => void respond(request, response).catch(reject));
  const address = `${LOCAL_HOST}:${await listen(api, 0)}`;

  const child = spawn(process.execPath, [runtimeFile], {
    env: {
      ...environment,
      ...lambdaEnvironment,
      AWS_LAMBDA_RUNTIME_API: address,
      LAMBDA_TASK_ROOT: codeFolder,
      _HANDLER: handler,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  }
  child.once('close', (code) => reject(new Error(`The process ended with ${code}, without a report.\n${output}`)));
  try {
    return await reported;
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

function buildInvocationHeaders() {
  return {
    'Content-Type': 'application/json',
    'Lambda-Runtime-Aws-Request-Id': randomUUID(),
    'Lambda-Runtime-Deadline-Ms': String(Date.now() + TIMEOUT_MS),
    'Lambda-Runtime-Invoked-Function-Arn': 'arn:aws:lambda:us-east-1:000000000000:function:function',
  };
}
