import { createServer, type RequestListener } from 'node:http';
import { listen, localHost } from '../../../infra/local/ports.ts';

/** Uses a server that answers so, by its address, and closes it. */
export async function withServer<Result>(
  answer: RequestListener,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const server = createServer(answer);
  try {
    return await use(`http://${localHost}:${await listen(server, 0)}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
