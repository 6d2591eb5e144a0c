import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { StartError } from './start-error.ts';

/** The one address everything local listens on, but the engine itself: nothing is reachable from another machine. */
export const localHost = '127.0.0.1';

/** Listens on a port (0 = any free one) and returns its number; a taken port is a StartError. */
export async function listen(server: Server, port: number, host = localHost): Promise<number> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new StartError(`Port ${port} on ${host} is not free (${(error as NodeJS.ErrnoException).code}).`);
  }
  return (server.address() as AddressInfo).port;
}

/** Finds a free port for a process that cannot say which one it took, or confirms that the wanted one is free. */
export async function findPort(wanted: number, host = localHost): Promise<number> {
  const probe = createServer();
  const port = await listen(probe, wanted, host);
  probe.close();
  await once(probe, 'close');
  return port;
}
