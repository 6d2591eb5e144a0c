import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { renderGatewayResponse } from './gateway-responses.ts';
import { callsLoopback, isOfOtherOrigin } from './judge-caller.ts';
import type { LocalFunction } from './local-function.ts';
import type { EndRequest } from './logs/request-log.ts';
import { ownAnswer, type OwnParts } from './own-answers.ts';
import { answerProtocolErrors } from './protocol-errors.ts';
import { proxyEvent } from './proxy-event.ts';
import { type Reply, sendReply } from './reply.ts';
import { matchRoute } from './route-match.ts';
import type { StackDefinition } from './stack-definition.ts';
import { printError } from '../terminal.ts';

const maxBodyBytes = 10 * 1024 * 1024;

/** What the gateway serves. */
export interface GatewayParts extends OwnParts {
  readonly stack: StackDefinition;
  readonly functionOf: (id: string) => LocalFunction;
  /** Is told of each request, and then of its answer. */
  readonly onRequest?: ((requestId: string) => EndRequest) | undefined;
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
  const requestId = randomUUID();
  // When the client hung up while it was sending, nobody waits for an answer.
  const body = await readBody(request).catch(() => null);
  if (body === null) return;
  const end = parts.onRequest?.(requestId);
  const reply = await answer(parts, request, body, requestId).catch((error: unknown) => {
    printError(error);
    return renderGatewayResponse(parts.stack.gatewayResponses, 'DEFAULT_5XX', 'DEFAULT_5XX', requestId);
  });
  // Clients compare it with what the functions say of the time.
  response.setHeader('Date', new Date(parts.clock.now()).toUTCString());
  sendReply(response, reply);

  const { method = 'GET', url: target = '/' } = request;
  const path = parseTarget(target)?.pathname ?? '';
  const match = matchRoute(parts.stack.routes, method, path);
  const durationMs = performance.now() - startMs;
  await end?.({ requestId, method, path, match, body: body ?? Buffer.of(), reply, durationMs });
}

async function answer(
  parts: GatewayParts,
  request: IncomingMessage,
  body: Buffer | undefined,
  requestId: string,
): Promise<Reply> {
  const { stack, functionOf, clock } = parts;
  const { method = 'GET', url: target = '/' } = request;
  const serverError = (type: string) => renderGatewayResponse(stack.gatewayResponses, type, 'DEFAULT_5XX', requestId);

  if (body === undefined) return clientError(stack, 'REQUEST_TOO_LARGE', requestId);
  const url = parseTarget(target);
  const hasHost = request.headers.host !== undefined || request.httpVersion === '1.0';
  if (url === undefined || !hasHost) return clientError(stack, 'BAD_REQUEST_PARAMETERS', requestId);

  if (!callsLoopback(request.headers))
    return forbidden(stack, requestId, 'Call this machine as localhost or 127.0.0.1.');
  if (url.pathname.startsWith('/_local/') && isOfOtherOrigin(request.headers))
    return forbidden(stack, requestId, 'A page of another origin may not do this.');

  const own = ownAnswer(parts, request, url.pathname, body.toString());
  if (own !== undefined) return own;

  const match = matchRoute(stack.routes, method, url.pathname);
  if (match === undefined) return clientError(stack, 'MISSING_AUTHENTICATION_TOKEN', requestId);

  const { binaryMediaTypes } = stack;
  const routed = { request, method, url, body, binaryMediaTypes, match, requestId, receivedAt: clock.now() };
  const outcome = await functionOf(match.functionId).invoke(proxyEvent(routed), requestId);
  if ('failure' in outcome) return serverError(outcome.failure === 'timeout' ? 'INTEGRATION_TIMEOUT' : 'DEFAULT_5XX');
  return isProxyResult(outcome.result) ? functionReply(outcome.result) : serverError('DEFAULT_5XX');
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
