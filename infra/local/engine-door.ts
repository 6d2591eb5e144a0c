import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { isFromPage } from './callers.ts';
import { listen, localHost } from './ports.ts';
import { jsonReply, sendReply } from './replies.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** Where programs of this machine reach the engine, and no page in a browser does. */
export interface EngineDoor {
  readonly endpoint: string;
  close(): Promise<void>;
}

const refusal = jsonReply(403, {
  __type: 'AccessDeniedException',
  message: 'The engine answers programs, and no page in a browser.',
});

/** The header of every answer that tells how far the clock of the service is ahead, in milliseconds. */
export const CLOCK_HEADER = 'x-clock-offset-ms';

/**
 * Opens a port (0 = any free one) that hands calls on to the engine at this address: the engine itself would answer any
 * page, too. Its answers tell the time of the clock.
 */
export async function openEngineDoor(port: number, engine: URL, clock: VirtualClock): Promise<EngineDoor> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((call, response) => {
    response.setHeader(CLOCK_HEADER, clock.offsetMs);
    if (isFromPage(call.headers)) sendReply(response, refusal);
    else void forward(call, response, { engine, agent });
  });
  const endpoint = `http://${localHost}:${await listen(server, port, { option: '--dynamodb-port' })}`;
  return {
    endpoint,
    async close() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      agent.destroy();
    },
  };
}

async function forward(
  call: IncomingMessage,
  response: ServerResponse,
  { engine, agent }: { engine: URL; agent: Agent },
): Promise<void> {
  const { method, url: path, headers } = call;
  const { hostname, port } = engine;
  const forwarded = request({ agent, hostname, port, method, path, headers });
  forwarded.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    pipeline(answer, response).catch(() => {});
  });
  // Either side may hang up: that ends the other, and is no fault of ours.
  response.on('close', () => forwarded.destroy());
  forwarded.on('error', () => response.destroy());
  await pipeline(call, forwarded).catch(() => {});
}
