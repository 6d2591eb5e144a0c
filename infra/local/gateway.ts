import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { printError } from '../process/terminal.ts';
import { hasLoopbackHost, isFromOtherOrigin } from './callers.ts';
import type { Outcome } from './local-functions.ts';
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
  readonly invoke: (functionId: string, event: APIGatewayProxyEvent, requestId: string) => Promise<Outcome>;
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
  /** Undefined if the requested path has a malformed escape, such as `%zz`. `path` is then empty. */
  readonly url: URL | undefined;
  readonly path: string;
  readonly match: RouteMatch | undefined;
  readonly body: Buffer;
}

/** Creates the listener of a server for the routes of the stack, as API Gateway serves them, and for local routes. */
export function createGateway(parts: GatewayParts): RequestListener {
  return (request, response) => void handleRequest(parts, request, response);
}

async function handleRequest(parts: GatewayParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { stack, clock, printsRequests = false } = parts;
  const startMs = performance.now();
  // If the client closed the connection while it sent the body, no response is needed.
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
  // Successful calls of local routes, such as reads of the documentation, have no line.
  const hasLine = match !== undefined || reply.status >= 400;
  if (printsRequests && hasLine) printRequestLine(call, reply, performance.now() - startMs);
  // Clients compare `Date` with times in the responses of the functions.
  response.setHeader('Date', new Date(clock.now()).toUTCString());
  sendReply(response, reply);
}

/** Returns undefined if the path has a malformed escape. Functions reject escapes that are not UTF-8. */
function parseTarget(target: string): URL | undefined {
  const url = URL.parse(`http://gateway${target}`);
  if (url === null || MALFORMED_ESCAPE.test(url.pathname)) return undefined;
  return url;
}

async function createReply(parts: GatewayParts, call: ReceivedCall): Promise<Reply> {
  const { request, requestId, method, url, path, match, body } = call;
  const reject = (type: string) => buildGatewayReply(parts.stack, type, requestId);
  // API Gateway has no such rejection. The headers are those that the template declares for ACCESS_DENIED.
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
  const { remoteAddress } = request.socket;
  const headers = toPairs(request.rawHeaders);
  const origin = { sourceIp: remoteAddress, protocol: `HTTP/${request.httpVersion}`, receivedAtMs: parts.clock.now() };
  return buildProxyEvent({ requestId, method, url, headers, body, ...origin }, match, parts.stack);
}

/** Converts Node's flat list of header names and values: `['Host', 'a', 'Accept', 'b']` to `[['Host', 'a'], …]`. */
function toPairs([name, value, ...others]: readonly string[]): [string, string][] {
  if (name === undefined || value === undefined) return [];
  return [[name, value], ...toPairs(others)];
}

function toReply({ statusCode: status, headers, body }: APIGatewayProxyResult): Reply {
  const texts = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]);
  return { status, headers: { 'Content-Type': JSON_TYPE, ...Object.fromEntries(texts) }, body };
}

/** Builds the gateway's own response of a type. For a type that the template lacks, builds the response DEFAULT_4XX. */
function buildGatewayReply({ gatewayResponses }: StackDefinition, type: string, requestId: string): Reply {
  const responses = new Map(gatewayResponses.map((response) => [response.ResponseType, response]));
  // The template always contains DEFAULT_4XX.
  const response = responses.get(type) ?? responses.get('DEFAULT_4XX')!;
  const { StatusCode, ResponseParameters, ResponseTemplates } = response;
  const headers: Record<string, string> = { 'Content-Type': JSON_TYPE };
  // The value of `gatewayresponse.header.NAME` is `context.requestId`, or a fixed value in single quotes.
  for (const [parameter, value] of Object.entries(ResponseParameters)) {
    const name = parameter.replace('gatewayresponse.header.', '');
    headers[name] = value === 'context.requestId' ? requestId : value.slice(1, -1);
  }
  return { status: Number(StatusCode), headers, body: ResponseTemplates[JSON_TYPE] ?? '' };
}
