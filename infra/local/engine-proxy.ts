import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { isFromPage } from './callers.ts';
import { listen, LOCAL_HOST } from './ports.ts';
import { buildJsonReply, sendReply } from './reply.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** The header with the offset of the service's clock in milliseconds, which infra/ops/targets/local-target.ts reads. */
export const CLOCK_HEADER = 'x-clock-offset-ms';

const PAGE_MESSAGE = 'The engine rejects requests of pages in a browser.';
const PAGE_REJECTION = buildJsonReply(403, { __type: 'AccessDeniedException', message: PAGE_MESSAGE });

/**
 * Starts a proxy through which other programs call the engine. The proxy rejects calls of pages in a browser, which the
 * engine itself would accept. Each response contains the offset of the clock. Port 0 is any free port.
 */
export async function startEngineProxy(port: number, engineEndpoint: string, clock: VirtualClock) {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((call, response) => {
    response.setHeader(CLOCK_HEADER, clock.offsetMs);
    if (isFromPage(call.headers)) return sendReply(response, PAGE_REJECTION);
    forwardCall(call, response, engineEndpoint, agent);
  });
  const endpoint = `http://${LOCAL_HOST}:${await listen(server, port, '--dynamodb-port')}`;
  return {
    endpoint,
    close: async () => {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
      agent.destroy();
    },
  };
}

function forwardCall(call: IncomingMessage, response: ServerResponse, engineEndpoint: string, agent: Agent): void {
  const { method, url: path, headers } = call;
  const forwardedCall = request(engineEndpoint, { agent, method, path, headers });
  forwardedCall.on('response', (engineResponse) => {
    response.writeHead(engineResponse.statusCode ?? 502, engineResponse.headers);
    // If one of the connections closes, `pipeline` closes the other one.
    pipeline(engineResponse, response).catch(() => {});
  });
  // Before the engine responds, the client or the engine can also close its connection. Then the other one is closed.
  response.on('close', () => forwardedCall.destroy());
  forwardedCall.on('error', () => response.destroy());
  call.pipe(forwardedCall);
}
