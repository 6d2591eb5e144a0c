import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { printError } from '../process/terminal.ts';
import { hasLoopbackHost, isFromOtherOrigin } from './callers.ts';
import type { FaultyOutcome } from './faults.ts';
import { buildProxyEvent, matchRoute, type RouteMatch } from './proxy-event.ts';
import type { StackDefinition } from './read-stack.ts';
import { type Reply, sendReply } from './reply.ts';
import { printRequestLine } from './request-log.ts';
import type { VirtualClock } from './virtual-clock.ts';

const MAX_BODY_BYTES = 10 * 1024 * 1024;
const JSON_TYPE = 'application/json';
/** A percent sign without two hexadecimal digits, such as `%zz`. */
const MALFORMED_ESCAPE = /%(?![\da-f]{2})/i;

interface GatewayParts {
  readonly stack: StackDefinition;
  readonly invoke: (functionId: string, event: APIGatewayProxyEvent, requestId: string) => Promise<FaultyOutcome>;
  readonly clock: VirtualClock;
  /** The routes that only the local service has, by method and path, such as `GET /docs/`. */
  readonly localRoutes: Readonly<Record<string, (body: string) => Reply | Promise<Reply>>>;
  /** True if a readable line is printed for each request. */
  readonly printsRequests?: boolean;
}

/** A request with its complete body. */
interface ReceivedCall {
  readonly request: IncomingMessage;
  readonly requestId: string;
  readonly method: string;
  /** Undefined if the requested path has a malformed escape, such as `%zz`. Then `path` is ''. */
  readonly url: URL | undefined;
  readonly path: string;
  readonly match: RouteMatch | undefined;
  readonly body: Buffer;
}

/** Creates the listener of a server that emulates API Gateway for the routes of the stack, and serves local routes. */
export function createGateway(parts: GatewayParts): RequestListener {
  return (request, response) => void handleRequest(parts, request, response);
}

async function handleRequest(parts: GatewayParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { stack, clock, printsRequests = false } = parts;
  const startMs = performance.now();
  // The read of the body fails only if the client closes the connection. Then no response is needed.
  const body = await buffer(request).catch(() => null);
  if (body === null) return;
  const { method = 'GET', url: target = '/' } = request;
  const requestId = randomUUID();
  const url = parseTarget(target);
  const path = url?.pathname ?? '';
  const match = matchRoute(stack.routes, method, path);
  const call = { request, requestId, method, url, path, match, body };
  const reply = await createReply(parts, call).catch((error: unknown) => {
    printError(error);
    return buildGatewayReply(stack, 'DEFAULT_5XX', requestId);
  });
  // A line is printed for each request of a route of the stack and for each error, but not for the files of the pages.
  const hasLine = match !== undefined || reply.status >= 400;
  if (printsRequests && hasLine) printRequestLine(call, reply, performance.now() - startMs);
  // Testers can move the clock of the functions. `Date` follows it, because clients compare both times.
  response.setHeader('Date', new Date(clock.now()).toUTCString());
  sendReply(response, reply);
}

/** Parses the target of a request. Returns undefined if the path has a malformed escape, which API Gateway rejects. */
function parseTarget(target: string): URL | undefined {
  const url = URL.parse(`http://gateway${target}`);
  if (url === null || MALFORMED_ESCAPE.test(url.pathname)) return undefined;
  return url;
}

/** Creates the response to a request: an error of the gateway, the response of a local route, or that of a function. */
async function createReply(parts: GatewayParts, call: ReceivedCall): Promise<Reply> {
  const { request, requestId, method, url, path, match, body } = call;
  const reject = (type: string) => buildGatewayReply(parts.stack, type, requestId);
  // AWS does not reject hosts and origins. The local response has the headers of the gateway response ACCESS_DENIED.
  const forbid = (message: string): Reply => ({
    ...reject('ACCESS_DENIED'),
    body: JSON.stringify({ success: false, error: { code: 'FORBIDDEN', message } }),
  });
  if (body.length > MAX_BODY_BYTES) return reject('REQUEST_TOO_LARGE');
  if (url === undefined) return reject('DEFAULT_4XX');
  if (!hasLoopbackHost(request.headers)) return forbid('Call this machine as localhost or 127.0.0.1.');
  if (path.startsWith('/_local/') && isFromOtherOrigin(request.headers)) {
    return forbid('A page of another origin has no access to this path.');
  }
  const localMethod = method === 'HEAD' ? 'GET' : method;
  const respondLocally = parts.localRoutes[`${localMethod} ${path}`];
  if (respondLocally !== undefined) return respondLocally(String(body));
  if (match === undefined) return reject('MISSING_AUTHENTICATION_TOKEN');

  const event = buildEvent(parts, call, url, match);
  const outcome = await parts.invoke(match.functionId, event, requestId);
  if (outcome.isLost) request.socket.destroy();
  if ('result' in outcome) return toReply(outcome.result as APIGatewayProxyResult);
  return reject(outcome.failure === 'timeout' ? 'INTEGRATION_TIMEOUT' : 'DEFAULT_5XX');
}

function buildEvent(parts: GatewayParts, call: ReceivedCall, url: URL, match: RouteMatch): APIGatewayProxyEvent {
  const { request, requestId, method, body } = call;
  const sourceIp = request.socket.remoteAddress;
  const headers = toPairs(request.rawHeaders);
  const origin = { sourceIp, protocol: `HTTP/${request.httpVersion}`, receivedAtMs: parts.clock.now() };
  return buildProxyEvent({ requestId, method, url, headers, body, ...origin }, match, parts.stack);
}

/** Converts Node's flat list of header names and values: `['Host', 'a', 'Accept', 'b']` to `[['Host', 'a'], …]`. */
function toPairs([name, value, ...others]: readonly string[]): [string, string][] {
  if (name === undefined || value === undefined) return [];
  return [[name, value], ...toPairs(others)];
}

/** Converts the result of a function. Like API Gateway, adds the type JSON to a result without a `Content-Type`. */
function toReply({ statusCode, headers: ownHeaders = {}, body }: APIGatewayProxyResult): Reply {
  const headers: Record<string, string> = { 'Content-Type': JSON_TYPE };
  for (const [name, value] of Object.entries(ownHeaders)) headers[name] = String(value);
  return { status: statusCode, headers, body };
}

/** Builds the gateway's own response of a type, or the response DEFAULT_4XX if the template does not declare the type. */
function buildGatewayReply({ gatewayResponses }: StackDefinition, type: string, requestId: string): Reply {
  const findResponse = (wantedType: string) => gatewayResponses.find(({ ResponseType }) => ResponseType === wantedType);
  // The template always contains DEFAULT_4XX.
  const { StatusCode, ResponseParameters, ResponseTemplates } = findResponse(type) ?? findResponse('DEFAULT_4XX')!;
  const headers: Record<string, string> = { 'Content-Type': JSON_TYPE };
  // The value of `gatewayresponse.header.NAME` is `context.requestId`, or a fixed value in single quotes.
  for (const [parameter, value] of Object.entries(ResponseParameters)) {
    const name = parameter.replace('gatewayresponse.header.', '');
    headers[name] = value === 'context.requestId' ? requestId : value.slice(1, -1);
  }
  return { status: Number(StatusCode), headers, body: ResponseTemplates[JSON_TYPE] ?? '' };
}
