import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { printError } from '../terminal.ts';
import { callsLoopback, isFromOtherOrigin } from './callers.ts';
import { answerClock } from './clock-endpoint.ts';
import type { LocalFunction } from './local-function.ts';
import { matchRoute, proxyEvent, type RouteMatch } from './proxy-event.ts';
import type { StackDefinition } from './read-stack.ts';
import { answerProtocolErrors, gatewayReply, type Reply, sendReply } from './replies.ts';
import type { RequestLog } from './request-log.ts';
import type { VirtualClock } from './virtual-clock.ts';

const maxBodyBytes = 10 * 1024 * 1024;

const firstPage = '/docs/';

/** What the gateway serves. */
export interface GatewayParts {
  readonly stack: StackDefinition;
  readonly functionOf: (id: string) => LocalFunction;
  readonly clock: VirtualClock;
  /** What is answered to GET beside the routes of the stack, by path. */
  readonly pages: Readonly<Record<string, () => Reply>>;
  /** What is answered to a POST of a function, by path; such a call has no line in the log. */
  readonly calls?: Readonly<Record<string, (body: string) => Reply>> | undefined;
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
  answerProtocolErrors(server, () => gatewayReply(parts.stack, 'DEFAULT_4XX', randomUUID()));
  return server;
}

async function serve(parts: GatewayParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { stack, clock, calls = {}, log } = parts;
  const startMs = performance.now();
  // When the client hung up while it was sending, nobody waits for an answer.
  const body = await readBody(request).catch(() => null);
  if (body === null) return;
  const { method = 'GET', url: target = '/' } = request;
  const call = { request, requestId: randomUUID(), method, body, url: parseTarget(target) };
  const path = call.url?.pathname ?? '';
  const match = matchRoute(stack.routes, method, path);
  const reply = await answer(parts, call, match).catch((error: unknown) => {
    printError(error);
    return gatewayReply(stack, 'DEFAULT_5XX', call.requestId);
  });
  // A page comes with several files.
  const isShown = path.startsWith('/_local/') && !Object.hasOwn(calls, path);
  if (match !== undefined || reply.status >= 400 || isShown) {
    const shown = match !== undefined && 'id' in match.parameters ? match.resource : path;
    log?.print({ ...call, path: shown }, reply, performance.now() - startMs);
  }
  // Clients compare it with what the functions say of the time.
  response.setHeader('Date', new Date(clock.now()).toUTCString());
  sendReply(response, reply);
}

async function answer(parts: GatewayParts, call: Call, match: RouteMatch | undefined): Promise<Reply> {
  return ownAnswer(parts, call, match) ?? invoke(parts, call, match!);
}

/** What the function of a route answers, or the gateway where it does not. */
async function invoke(parts: GatewayParts, call: Call, match: RouteMatch): Promise<Reply> {
  const { stack, clock, functionOf } = parts;
  const { request, requestId, method } = call;
  const received = {
    ...{ requestId, method, url: call.url!, body: call.body!, receivedAt: clock.now() },
    headers: pairs(request.rawHeaders),
    sourceIp: request.socket.remoteAddress ?? '',
    protocol: `HTTP/${request.httpVersion}`,
  };
  const outcome = await functionOf(match.functionId).invoke(proxyEvent(received, match, stack), requestId);
  if ('result' in outcome && isProxyResult(outcome.result)) return functionReply(outcome.result);
  const isLate = 'failure' in outcome && outcome.failure === 'timeout';
  return gatewayReply(stack, isLate ? 'INTEGRATION_TIMEOUT' : 'DEFAULT_5XX', requestId);
}

/** What the gateway answers itself: refusals, the clock and the pages; undefined for a route of the stack. */
function ownAnswer({ stack, clock, pages, calls = {} }: GatewayParts, call: Call, match: RouteMatch | undefined) {
  const { request, requestId, method, body, url } = call;
  const refusal = (type: string) => gatewayReply(stack, type, requestId);
  if (body === undefined) return refusal('REQUEST_TOO_LARGE');
  const hasHost = request.headers.host !== undefined || request.httpVersion === '1.0';
  if (url === undefined || !hasHost) return refusal('DEFAULT_4XX');
  // What only this gateway refuses, in the form of the template.
  const forbidden = (message: string) => ({
    ...refusal('ACCESS_DENIED'),
    body: JSON.stringify({ success: false, error: { code: 'FORBIDDEN', message } }),
  });
  if (!callsLoopback(request.headers)) return forbidden('Call this machine as localhost or 127.0.0.1.');
  const { pathname: path } = url;
  if (path.startsWith('/_local/') && isFromOtherOrigin(request.headers))
    return forbidden('A page of another origin may not do this.');

  const reads = method === 'GET' || method === 'HEAD';
  if (path === '/_local/clock' && (reads || method === 'POST'))
    return answerClock(clock, reads ? undefined : body.toString());
  if (reads && path === '/')
    return { status: 302, headers: { Location: firstPage, 'Cache-Control': 'no-store' }, body: '' };
  if (reads && Object.hasOwn(pages, path)) return pages[path]?.();
  if (method === 'POST' && Object.hasOwn(calls, path)) return calls[path]?.(body.toString());
  return match === undefined ? refusal('MISSING_AUTHENTICATION_TOKEN') : undefined;
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

function pairs(flat: readonly string[]): [string, string][] {
  return Array.from(
    { length: flat.length / 2 },
    (_, index) => flat.slice(2 * index, 2 * index + 2) as [string, string],
  );
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
