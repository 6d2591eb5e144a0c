import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { LATEST_FAILURE } from '../../lib/tables/account-table.ts';
import { buildJsonReply, isFromPage, sendReply } from './http.ts';
import { listen, LOCAL_HOST } from './ports.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** The header of every response of the proxy with the offset of the service's clock, in milliseconds. */
export const CLOCK_HEADER = 'x-clock-offset-ms';

/**
 * Starts a proxy that forwards calls to the engine. The proxy rejects calls of pages in a browser, which the engine
 * itself would accept. Each response contains the offset of the clock. Port 0 is any free port. `uncountedTable` is the
 * table of rate counters if requests and failed logins are not counted.
 */
export async function startEngineProxy(port: number, engine: URL, clock: VirtualClock, uncountedTable?: string) {
  const agent = new Agent({ keepAlive: true });
  const forward = async (call: IncomingMessage, response: ServerResponse) => {
    response.setHeader(CLOCK_HEADER, clock.offsetMs);
    if (isFromPage(call.headers)) {
      const message = 'The engine rejects requests of pages in a browser.';
      return sendReply(response, buildJsonReply(403, { __type: 'AccessDeniedException', message }));
    }
    const { method, url: path, headers } = call;
    // A client that has disconnected needs no response.
    const body = await text(call).catch(() => null);
    if (body === null) return;
    const isSingleItem = /\.(?:Get|Update)Item$/.test(String(headers['x-amz-target']));
    const isCounter = body.includes(`"${uncountedTable}"`) || body.includes(LATEST_FAILURE);
    // The response says that nothing was counted before.
    if (uncountedTable && isSingleItem && isCounter) return sendReply(response, buildJsonReply(200, {}));
    const forwarded = request({ agent, hostname: engine.hostname, port: engine.port, method, path, headers });
    // If one side closes its connection, the proxy closes the other one. Therefore it ignores the errors of pipelines.
    forwarded.on('response', (engineResponse) => {
      response.writeHead(engineResponse.statusCode ?? 502, engineResponse.headers);
      pipeline(engineResponse, response).catch(() => {});
    });
    response.on('close', () => forwarded.destroy());
    forwarded.on('error', () => response.destroy());
    forwarded.end(body);
  };
  const server = createServer((call, response) => void forward(call, response));
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
