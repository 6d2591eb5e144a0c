import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { StackDefinition } from './read-stack.ts';

/** An answer ready to be sent. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
}

/** Sends a reply. */
export function sendReply(response: ServerResponse, { status, headers, body }: Reply): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.statusCode = status;
  // Node counts only what it sends.
  if (response.req.method === 'HEAD') response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

/** A reply with a JSON body. */
export function jsonReply(status: number, value: unknown): Reply {
  const headers = { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' };
  return { status, headers, body: JSON.stringify(value) };
}

const contentType = 'application/json';
const headerParameter = 'gatewayresponse.header.';

/** The gateway's own answer of a type, as the template words it; without words of its own it is any refusal. */
export function gatewayReply({ gatewayResponses }: StackDefinition, type: string, requestId: string): Reply {
  const ofType = (wanted: string) => gatewayResponses.find(({ ResponseType }) => ResponseType === wanted);
  const response = (ofType(type) ?? ofType('DEFAULT_4XX'))!;
  const context: Record<string, string> = { 'context.requestId': requestId };
  const headers = Object.entries(response.ResponseParameters).map(([name, value]) => [
    name.slice(headerParameter.length),
    value.startsWith("'") ? value.slice(1, -1) : (context[value] ?? ''),
  ]);
  return {
    status: Number(response.StatusCode),
    headers: { 'Content-Type': contentType, ...Object.fromEntries(headers) },
    body: response.ResponseTemplates[contentType] ?? '',
  };
}

// How long a client that goes on sending may take to see that it has been answered.
const LINGER_MS = 2_000;

/**
 * Lets a server answer like this what Node refuses by itself: no HTTP, headers too large, a request that takes too
 * long, an unknown expectation.
 */
export function answerProtocolErrors(server: Server, malformed: () => Reply): void {
  server.on('clientError', (_error, socket) => {
    // There is one of these for everything that arrives after the first fault, and when the client has gone.
    if (!socket.writable) return;
    socket.end(httpText(malformed()));
    (socket as Socket).setTimeout(LINGER_MS, () => socket.destroy());
  });
  server.on('checkExpectation', (_request, response) => sendReply(response, malformed()));
}

/** A reply as it goes over the wire, for there is no request to respond to. */
function httpText({ status, headers, body }: Reply): string {
  const all = { ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body.toString()].join('\r\n');
}
