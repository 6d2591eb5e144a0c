import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { LATEST_FAILURE } from '../../lib/tables/account-table.ts';
import { buildJsonReply, isFromPage, sendReply } from './http.ts';
import { listen, LOCAL_HOST } from './ports.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** The header of every response of the proxy with the offset of the service's clock, in milliseconds. */
export const CLOCK_HEADER = 'x-clock-offset-ms';

const PAGE_MESSAGE = 'The engine rejects requests of pages in a browser.';
const PAGE_REJECTION = buildJsonReply(403, { __type: 'AccessDeniedException', message: PAGE_MESSAGE });

/** The response to a call that must not count. It means that nothing was counted before. */
const NOTHING_COUNTED = buildJsonReply(200, {});

/**
 * Starts a proxy that forwards calls to the engine. The proxy rejects calls of pages in a browser, which the engine
 * itself would accept. Each response contains the offset of the clock. Port 0 is any free port. If requests and failed
 * logins are not counted, `uncountedTable` is the table of rate counters.
 */
export async function startEngineProxy(port: number, engine: URL, clock: VirtualClock, uncountedTable?: string) {
  const agent = new Agent({ keepAlive: true });
  const handleCall = async (call: IncomingMessage, response: ServerResponse) => {
    response.setHeader(CLOCK_HEADER, clock.offsetMs);
    if (isFromPage(call.headers)) return sendReply(response, PAGE_REJECTION);
    const body = await text(call).catch(() => null);
    // A client that has disconnected needs no response.
    if (body === null) return;
    const isUncounted = uncountedTable !== undefined && isCounterCall(call, body, uncountedTable);
    if (isUncounted) return sendReply(response, NOTHING_COUNTED);
    forwardCall(call, body, response, { agent, hostname: engine.hostname, port: engine.port });
  };
  const server = createServer((call, response) => void handleCall(call, response));
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

function isCounterCall({ headers }: IncomingMessage, body: string, counterTable: string): boolean {
  const isSingleItem = /\.(?:Get|Update)Item$/.test(String(headers['x-amz-target']));
  return isSingleItem && (body.includes(`"${counterTable}"`) || body.includes(LATEST_FAILURE));
}

function forwardCall(call: IncomingMessage, body: string, response: ServerResponse, target: RequestOptions): void {
  const { method, url: path, headers } = call;
  const forwarded = request({ ...target, method, path, headers });
  // If one side closes its connection, the proxy closes the other one. Therefore it ignores the errors of pipelines.
  forwarded.on('response', (engineResponse) => {
    response.writeHead(engineResponse.statusCode ?? 502, engineResponse.headers);
    pipeline(engineResponse, response).catch(() => {});
  });
  response.on('close', () => forwarded.destroy());
  forwarded.on('error', () => response.destroy());
  forwarded.end(body);
}
