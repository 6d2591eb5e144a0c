import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { printError } from '../terminal.ts';
import { hasLoopbackHost, isFromOtherOrigin } from './callers.ts';
import { EVENT_BRIDGE_PATH } from './local-event-bus.ts';
import type { LocalFunction } from './local-function.ts';
import { matchRoute, buildProxyEvent, type RouteMatch } from './proxy-event.ts';
import type { StackDefinition } from './read-stack.ts';
import { gatewayReply, type Reply, sendReply } from './replies.ts';
import type { RequestLog } from './request-log.ts';
import type { VirtualClock } from './virtual-clock.ts';

const maxBodyBytes = 10 * 1024 * 1024;

/** The parts of a gateway. */
export interface GatewayParts {
  readonly stack: StackDefinition;
  readonly functionOf: (id: string) => LocalFunction;
  readonly clock: VirtualClock;
  /** The responses in addition to the routes of the stack, by method and path, such as `GET /docs/`. */
  readonly pages: Readonly<Record<string, (body: string) => Reply>>;
  readonly log?: RequestLog | undefined;
}

interface Call {
  readonly request: IncomingMessage;
  readonly requestId: string;
  readonly method: string;
  /** Undefined if the body is too large. */
  readonly body: Buffer | undefined;
  /** Undefined if the URL is malformed. */
  readonly url: URL | undefined;
}

/** Creates a server for the routes of the stack, as API Gateway serves them, and for the pages. */
export function createGateway(parts: GatewayParts): Server {
  return createServer((request, response) => void serve(parts, request, response));
}

async function serve(parts: GatewayParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { stack, clock, log } = parts;
  const startMs = performance.now();
  // If the client closed the connection while it sent the body, no response is needed.
  const body = await readBody(request).catch(() => null);
  if (body === null) return;
  const { method = 'GET', url: target = '/' } = request;
  const call = { request, requestId: randomUUID(), method, body, url: parseTarget(target) };
  const path = call.url?.pathname ?? '';
  const match = matchRoute(stack.routes, method, path);
  const reply = await respond(parts, call, match).catch((error: unknown) => {
    printError(error);
    return gatewayReply(stack, 'DEFAULT_5XX', call.requestId);
  });
  // The files of pages and the calls of functions to the event bus have no line in the log.
  const isShown = path.startsWith('/_local/') && path !== EVENT_BRIDGE_PATH;
  if (match !== undefined || reply.status >= 400 || isShown) {
    const shown = match !== undefined && 'id' in match.parameters ? match.resource : path;
    log?.print({ ...call, path: shown }, reply, performance.now() - startMs);
  }
  // Clients compare `Date` with times in the responses of the functions.
  response.setHeader('Date', new Date(clock.now()).toUTCString());
  sendReply(response, reply);
}

/** Returns the response of a route's function, or the gateway's own response if the function fails. */
async function invoke(parts: GatewayParts, call: Call, match: RouteMatch): Promise<Reply> {
  const { stack, clock, functionOf } = parts;
  const { request, requestId, method } = call;
  const received = {
    ...{ requestId, method, url: call.url!, body: call.body!, receivedAt: clock.now() },
    headers: toPairs(request.rawHeaders),
    sourceIp: request.socket.remoteAddress ?? '',
    protocol: `HTTP/${request.httpVersion}`,
  };
  const outcome = await functionOf(match.functionId).invoke(buildProxyEvent(received, match, stack), requestId);
  if ('result' in outcome) return toReply(outcome.result as APIGatewayProxyResult);
  return gatewayReply(stack, outcome.failure === 'timeout' ? 'INTEGRATION_TIMEOUT' : 'DEFAULT_5XX', requestId);
}

/** Returns a rejection of the gateway itself, a page, or the response of a route. */
async function respond(parts: GatewayParts, call: Call, match: RouteMatch | undefined): Promise<Reply> {
  const { stack, pages } = parts;
  const { request, requestId, method, body, url } = call;
  const reject = (type: string) => gatewayReply(stack, type, requestId);
  if (body === undefined) return reject('REQUEST_TOO_LARGE');
  if (url === undefined) return reject('DEFAULT_4XX');
  // Rejections of this gateway alone, with the headers of the template.
  const forbid = (message: string) => ({
    ...reject('ACCESS_DENIED'),
    body: JSON.stringify({ success: false, error: { code: 'FORBIDDEN', message } }),
  });
  if (!hasLoopbackHost(request.headers)) return forbid('Call this machine as localhost or 127.0.0.1.');
  const { pathname: path } = url;
  if (path.startsWith('/_local/') && isFromOtherOrigin(request.headers))
    return forbid('A page of another origin may not do this.');

  const page = pages[`${method === 'HEAD' ? 'GET' : method} ${path}`];
  if (page !== undefined) return page(body.toString());
  return match === undefined ? reject('MISSING_AUTHENTICATION_TOKEN') : invoke(parts, call, match);
}

/** Reads the body to its end, so that the client reads the response; returns undefined if it is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= maxBodyBytes) chunks.push(chunk);
  }
  return bytes > maxBodyBytes ? undefined : Buffer.concat(chunks);
}

/** Parses the URL; undefined if its path has a malformed escape. Functions reject escapes that are not UTF-8. */
function parseTarget(target: string): URL | undefined {
  const url = URL.parse(`http://gateway${target}`);
  return url && !/%(?![\da-f]{2})/i.test(url.pathname) ? url : undefined;
}

function toPairs(flat: readonly string[]): [string, string][] {
  return Array.from(
    { length: flat.length / 2 },
    (_, index) => flat.slice(2 * index, 2 * index + 2) as [string, string],
  );
}

function toReply({ statusCode: status, headers, body }: APIGatewayProxyResult): Reply {
  const texts = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]);
  return { status, headers: { 'Content-Type': 'application/json', ...Object.fromEntries(texts) }, body };
}
