import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen, localHost } from '../../../infra/local/ports.ts';
import { moveClock } from './service-client.ts';

/**
 * Stands before a local service and moves its clock, so that nobody meets a limit; what `keepsBack` picks is never
 * answered, nor sent on.
 */
export async function startPacedGateway(
  url: string,
  keepsBack: (path: string) => boolean,
): Promise<{ readonly url: string; close(): void }> {
  let requests = 0;
  const server = createServer((request, response) => {
    const { url: path = '', headers } = request;
    if (keepsBack(path)) return;
    const sent = Object.entries(headers).filter(([name]) =>
      /^(authorization|content-type|tenant|x-api-key)$/.test(name),
    );
    void (async () => {
      if (++requests % 10 === 0) await moveClock(url, 61);
      const answer = await fetch(url + path, {
        method: 'POST',
        headers: sent as [string, string][],
        body: await text(request),
      });
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    })();
  });
  const port = await listen(server, 0);
  return {
    url: `http://${localHost}:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
