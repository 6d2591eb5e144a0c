import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { CommandError } from '../process/terminal.ts';

/** The address of all local servers except the engine; no other machine can reach it. */
export const localHost = '127.0.0.1';

/**
 * Listens on a port (0 = any free port) and returns its number; throws a CommandError if the port is not free. `option`
 * is the option with which a user chooses the port.
 */
export async function listen(server: Server, port: number, option?: string): Promise<number> {
  server.listen(port, localHost);
  await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    const isReserved = code === 'EACCES';
    const reason = isReserved ? 'for administrators only.' : `not free (${code}): another npm start may use it.`;
    const advice = option === undefined ? '' : ` Choose another port: npm start -- ${option} N (0: any free port).`;
    throw new CommandError(`Port ${port} on ${localHost} is ${reason}${advice}`);
  });
  return (server.address() as AddressInfo).port;
}

/**
 * Returns a port that is free now: the requested port, or any if it is 0. Throws a CommandError if the port is not free.
 * A server that listens in this process needs only `listen`.
 */
export async function findPort(requestedPort: number, option?: string): Promise<number> {
  const probe = createServer();
  const port = await listen(probe, requestedPort, option);
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Parses the port of an option; 0 is allowed. */
export function parsePort(option: string, text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new Error(`${option} takes a number from 0 to 65535.`);
  return Number(text);
}
