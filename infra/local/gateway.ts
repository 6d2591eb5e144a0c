import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { answerClock } from './clock-endpoint.ts';
import { renderGatewayResponse } from './gateway-responses.ts';
import { callsLoopback, isFromOtherOrigin } from './callers.ts';
import type { LocalFunction } from './local-function.ts';
import { answerProtocolErrors } from './protocol-errors.ts';
import { proxyEvent } from './proxy-event.ts';
import { type Reply, sendReply } from './reply.ts';
import type { RequestLog } from './request-log.ts';
import { matchRoute } from './route-match.ts';
import type { StackDefinition } from './stack-definition.ts';
import type { VirtualClock } from './virtual-clock.ts';
import { printError } from '../terminal.ts';

const maxBodyBytes = 10 * 1024 * 1024;

const firstPage = '/docs/';

/** What the gateway serves. */
export interface GatewayParts {
  readonly stack: StackDefinition;
  readonly functionOf: (id: string) => LocalFunction;
  readonly clock: VirtualClock;
  /** What is answered to GET beside the routes of the stack, by path. */
  readonly pages: Readonly<Record<string, () => Reply>>;
  readonly log?: RequestLog | undefined;
}

interface Call {
  readonly request: IncomingMessage;
  readonly requestId: string;
  readonly method: string;
  /** Undefined when it is too large. */
  readonly body: Buffer | undefined;
  /** Undefined when it is none. */
  readonly url: URL | undefined;
}

/** Serves the routes of the stack the way API Gateway does, the pages beside them, and the clock for testers. */
export function createGateway(parts: GatewayParts): Server {
  // Node would answer a request without a host itself.
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    void serve(parts, request, response);
  });
  answerProtocolErrors(server, () => clientError(parts.stack, 'DEFAULT_4XX', randomUUID()));
  return server;
}

async function serve(parts: GatewayParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const startMs = performance.now();
  // When the client hung up while it was sending, nobody waits for an answer.
  const body = await readBody(request).catch(() => null);
  if (body === null) return;
  const { method = 'GET', url: target = '/' } = request;
  const call = { request, requestId: randomUUID(), method, body, url: parseTarget(target) };
  const milliseconds = () => performance.now() - startMs;
  const reply = await answer(parts, call, milliseconds).catch((error: unknown) => {
    printError(error);
    return serverError(parts.stack, 'DEFAULT_5XX', call.requestId);
  });
  // Clients compare it with what the functions say of the time.
  response.setHeader('Date', new Date(parts.clock.now()).toUTCString());
  sendReply(response, reply);
}

async function answer(parts: GatewayParts, call: Call, milliseconds: () => number): Promise<Reply> {
  const { stack, log, clock } = parts;
  const { request, requestId, method, body, url } = call;
  const path = url?.pathname ?? '';
  const own = ownAnswer(parts, call);
  if (own !== undefined) {
    // A page comes with several files.
    const isShown = own.status >= 400 || path.startsWith('/_local/');
    if (isShown)
      log?.end({ requestId, method, path }, { status: own.status, code: codeIn(own), milliseconds: milliseconds() });
    return own;
  }
  const match = matchRoute(stack.routes, method, path)!;
  const logged = { requestId, method, path: 'id' in match.parameters ? match.resource : path };
  log?.begin(logged);
  const { binaryMediaTypes } = stack;
  const routed = {
    request,
    method,
    url: url!,
    body: body!,
    binaryMediaTypes,
    match,
    requestId,
    receivedAt: clock.now(),
  };
  const outcome = await parts.functionOf(match.functionId).invoke(proxyEvent(routed), requestId);
  if ('result' in outcome && isProxyResult(outcome.result)) return functionReply(outcome.result);
  const isLate = 'failure' in outcome && outcome.failure === 'timeout';
  const failed = serverError(stack, isLate ? 'INTEGRATION_TIMEOUT' : 'DEFAULT_5XX', requestId);
  const causes = ['Its function has ended early, or was stopped.'];
  log?.end(logged, { status: failed.status, code: codeIn(failed), milliseconds: milliseconds(), causes });
  return failed;
}

/** What the gateway answers itself: refusals, the clock and the pages; undefined for a route of the stack. */
function ownAnswer({ stack, clock, pages }: GatewayParts, call: Call): Reply | undefined {
  const { request, requestId, method, body, url } = call;
  if (body === undefined) return clientError(stack, 'REQUEST_TOO_LARGE', requestId);
  const hasHost = request.headers.host !== undefined || request.httpVersion === '1.0';
  if (url === undefined || !hasHost) return clientError(stack, 'BAD_REQUEST_PARAMETERS', requestId);
  if (!callsLoopback(request.headers))
    return forbidden(stack, requestId, 'Call this machine as localhost or 127.0.0.1.');
  const { pathname: path } = url;
  if (path.startsWith('/_local/') && isFromOtherOrigin(request.headers))
    return forbidden(stack, requestId, 'A page of another origin may not do this.');

  const reads = method === 'GET' || method === 'HEAD';
  if (path === '/_local/clock' && (reads || method === 'POST'))
    return answerClock(clock, reads ? undefined : body.toString());
  if (reads && path === '/')
    return { status: 302, headers: { Location: firstPage, 'Cache-Control': 'no-store' }, body: '' };
  if (reads && Object.hasOwn(pages, path)) return pages[path]?.();
  const isRoute = matchRoute(stack.routes, method, path) !== undefined;
  return isRoute ? undefined : clientError(stack, 'MISSING_AUTHENTICATION_TOKEN', requestId);
}

function serverError({ gatewayResponses }: StackDefinition, type: string, requestId: string): Reply {
  return renderGatewayResponse(gatewayResponses, type, 'DEFAULT_5XX', requestId);
}

function codeIn({ body }: Reply): string | undefined {
  return /"code":\s*"(\w+)"/.exec(body.toString())?.[1];
}

function clientError({ gatewayResponses }: StackDefinition, type: string, requestId: string): Reply {
  return renderGatewayResponse(gatewayResponses, type, 'DEFAULT_4XX', requestId);
}

/** What only this gateway refuses, in the form of the template. */
function forbidden(stack: StackDefinition, requestId: string, message: string): Reply {
  const body = JSON.stringify({ success: false, error: { code: 'FORBIDDEN', message } });
  return { ...clientError(stack, 'ACCESS_DENIED', requestId), body };
}

/** The whole body, or undefined when it is too large; read to its end, so that the client reads the answer. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= maxBodyBytes) chunks.push(chunk);
  }
  return bytes > maxBodyBytes ? undefined : Buffer.concat(chunks);
}

/** The address, unless its path has an escape that is none; one that is no UTF-8 is for the function to judge. */
function parseTarget(target: string): URL | undefined {
  const url = URL.parse(`http://gateway${target}`);
  return url && !/%(?![\da-f]{2})/i.test(url.pathname) ? url : undefined;
}

function isProxyResult(result: unknown): result is APIGatewayProxyResult {
  return typeof result === 'object' && result !== null && 'statusCode' in result && Number.isInteger(result.statusCode);
}

function functionReply({
  statusCode,
  headers,
  multiValueHeaders,
  body,
  isBase64Encoded,
}: APIGatewayProxyResult): Reply {
  const single = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]);
  const multiple = Object.entries(multiValueHeaders ?? {}).map(([name, values]) => [name, values.map(String)]);
  return {
    status: statusCode,
    headers: { 'Content-Type': 'application/json', ...Object.fromEntries([...single, ...multiple]) },
    body: isBase64Encoded ? Buffer.from(body, 'base64') : (body ?? ''),
  };
}
