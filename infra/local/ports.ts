import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { StartError } from './start-error.ts';

/** The one address everything local listens on: nothing is reachable from another machine. */
export const localHost = '127.0.0.1';

/** Listens on a port (0 = any free one) and returns its number; a taken port is a StartError. */
export async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, localHost);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new StartError(`Port ${port} on ${localHost} is not free (${(error as NodeJS.ErrnoException).code}).`);
  }
  return (server.address() as AddressInfo).port;
}

/** Finds a free port for a process that cannot say which one it took, or confirms that the wanted one is free. */
export async function findPort(wanted: number): Promise<number> {
  const probe = createServer();
  const port = await listen(probe, wanted);
  probe.close();
  await once(probe, 'close');
  return port;
}
