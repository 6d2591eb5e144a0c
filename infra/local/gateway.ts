import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { printError } from '../process/terminal.ts';
import { hasLoopbackHost, isFromOtherOrigin, type Reply, sendReply } from './http.ts';
import { EVENT_BRIDGE_PATH } from './local-event-bus.ts';
import type { LocalFunction } from './local-function.ts';
import { buildProxyEvent, matchRoute } from './proxy-event.ts';
import type { StackDefinition } from './read-stack.ts';
import type { RequestLog } from './request-log.ts';
import type { VirtualClock } from './virtual-clock.ts';

const maxBodyBytes = 10 * 1024 * 1024;

interface GatewayParts {
  readonly stack: StackDefinition;
  readonly functionOf: (id: string) => LocalFunction;
  readonly clock: VirtualClock;
  /** The responses in addition to the routes of the stack, by method and path, such as `GET /docs/`. */
  readonly pages: Readonly<Record<string, (body: string) => Reply>>;
  readonly log?: RequestLog | undefined;
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
  const requestId = randomUUID();
  const url = parseTarget(target);
  const path = url?.pathname ?? '';
  const match = matchRoute(stack.routes, method, path);
  const reject = (type: string) => buildGatewayReply(stack, type, requestId);
  // A rejection of this gateway alone, with the headers of the template.
  const forbid = (message: string) => ({
    ...reject('ACCESS_DENIED'),
    body: JSON.stringify({ success: false, error: { code: 'FORBIDDEN', message } }),
  });
  const respond = async () => {
    if (body === undefined) return reject('REQUEST_TOO_LARGE');
    if (url === undefined) return reject('DEFAULT_4XX');
    if (!hasLoopbackHost(request.headers)) return forbid('Call this machine as localhost or 127.0.0.1.');
    if (path.startsWith('/_local/') && isFromOtherOrigin(request.headers))
      return forbid('A page of another origin may not do this.');
    const page = parts.pages[`${method === 'HEAD' ? 'GET' : method} ${path}`];
    if (page !== undefined) return page(String(body));
    if (match === undefined) return reject('MISSING_AUTHENTICATION_TOKEN');
    const received = {
      ...{ requestId, method, url, body, receivedAtMs: clock.now() },
      headers: toPairs(request.rawHeaders),
      sourceIp: request.socket.remoteAddress,
      protocol: `HTTP/${request.httpVersion}`,
    };
    const event = buildProxyEvent(received, match, stack);
    const outcome = await parts.functionOf(match.functionId).invoke(event, requestId);
    if ('result' in outcome) return toReply(outcome.result as APIGatewayProxyResult);
    return reject(outcome.failure === 'timeout' ? 'INTEGRATION_TIMEOUT' : 'DEFAULT_5XX');
  };
  const reply = await respond().catch((error: unknown) => {
    printError(error);
    return reject('DEFAULT_5XX');
  });
  // The files of pages and the calls of functions to the event bus have no line in the log.
  const isShown = path.startsWith('/_local/') && path !== EVENT_BRIDGE_PATH;
  if (match !== undefined || reply.status >= 400 || isShown) {
    const shown = match !== undefined && 'id' in match.parameters ? match.resource : path;
    log?.print({ requestId, method, path: shown }, reply, performance.now() - startMs);
  }
  // Clients compare `Date` with times in the responses of the functions.
  response.setHeader('Date', new Date(clock.now()).toUTCString());
  sendReply(response, reply);
}

/** Reads the body to its end, so that the client reads the response. Returns undefined if the body is too large. */
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
  return flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1]!]] : []));
}

function toReply({ statusCode: status, headers, body }: APIGatewayProxyResult): Reply {
  const texts = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]);
  return { status, headers: { 'Content-Type': JSON_TYPE, ...Object.fromEntries(texts) }, body };
}

const JSON_TYPE = 'application/json';

/** Builds the gateway's own response of a type from the template; for an unknown type, that of DEFAULT_4XX. */
export function buildGatewayReply({ gatewayResponses }: StackDefinition, type: string, requestId: string): Reply {
  const find = (responseType: string) => gatewayResponses.find(({ ResponseType }) => ResponseType === responseType);
  const { StatusCode, ResponseParameters, ResponseTemplates } = (find(type) ?? find('DEFAULT_4XX'))!;
  const headers = Object.entries(ResponseParameters).map(([name, value]) => [
    name.replace('gatewayresponse.header.', ''),
    value === 'context.requestId' ? requestId : value.replaceAll(/^'|'$/g, ''),
  ]);
  return {
    status: Number(StatusCode),
    headers: { 'Content-Type': JSON_TYPE, ...Object.fromEntries(headers) },
    body: ResponseTemplates[JSON_TYPE] ?? '',
  };
}
