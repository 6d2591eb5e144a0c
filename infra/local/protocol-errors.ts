import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Reply, sendReply } from './reply.ts';

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
