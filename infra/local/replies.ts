import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { StackDefinition } from './read-stack.ts';

/** A complete response. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Buffer;
}

/** Sends a reply. */
export function sendReply(response: ServerResponse, { status, headers, body }: Reply): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.statusCode = status;
  // Node does not set the length itself if it sends no body.
  if (response.req.method === 'HEAD') response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}

/** Builds a reply with a JSON body. */
export function jsonReply(status: number, value: unknown): Reply {
  const headers = { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' };
  return { status, headers, body: JSON.stringify(value) };
}

const contentType = 'application/json';
const headerParameter = 'gatewayresponse.header.';

/** Builds the gateway's own response of a type from the template; for an unknown type, that of DEFAULT_4XX. */
export function gatewayReply({ gatewayResponses }: StackDefinition, type: string, requestId: string): Reply {
  const find = (responseType: string) => gatewayResponses.find(({ ResponseType }) => ResponseType === responseType);
  const response = (find(type) ?? find('DEFAULT_4XX'))!;
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

// The connection stays open for this time, so that a client that is still sending can read the response.
const LINGER_MS = 2_000;

/**
 * Sets the response of a server to requests that Node itself rejects: invalid HTTP, headers that are too large, a
 * request that takes too long, an unknown expectation.
 */
export function handleProtocolErrors(server: Server, malformed: () => Reply): void {
  server.on('clientError', (_error, socket) => {
    // Emitted again for data after the first error, and when the client has closed the connection.
    if (!socket.writable) return;
    socket.end(formatHttp(malformed()));
    (socket as Socket).setTimeout(LINGER_MS, () => socket.destroy());
  });
  server.on('checkExpectation', (_request, response) => sendReply(response, malformed()));
}

/** Formats a reply as HTTP text, because Node creates no response object for these errors. */
function formatHttp({ status, headers, body }: Reply): string {
  const all = { ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body.toString()].join('\r\n');
}
