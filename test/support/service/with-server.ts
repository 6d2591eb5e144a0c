import { createServer, type RequestListener } from 'node:http';
import { listen, LOCAL_HOST } from '../../../infra/local/ports.ts';

/** Starts a server with this listener, calls `use` with its address, and closes the server. */
export async function withServer<Result>(
  listener: RequestListener,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const server = createServer(listener);
  try {
    return await use(`http://${LOCAL_HOST}:${await listen(server, 0)}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
