import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { CommandError } from '../process/terminal.ts';

/** The address of all local servers except the engine. No other machine can reach this address. */
export const LOCAL_HOST = '127.0.0.1';

/** Listens on a port (0 = any free port). Throws a CommandError that names `option`, which selects another port. */
export async function listen(server: Server, port: number, option = '--port'): Promise<number> {
  server.listen(port, LOCAL_HOST);
  await once(server, 'listening').catch(({ code = '', message }: NodeJS.ErrnoException) => {
    const problem = code === 'EADDRINUSE' ? 'already in use, perhaps by another npm start' : `not usable: ${message}`;
    throw new CommandError(
      `Port ${port} on ${LOCAL_HOST} is ${problem}. Choose another port with ${option} N; with ${option} 0, any free port.`,
    );
  });
  return (server.address() as AddressInfo).port;
}

/** Checks that a port is free now, and returns its number (for 0, that of any free port). Throws if it is not free. */
export async function requireFreePort(port: number, option?: string): Promise<number> {
  const probe = createServer();
  const freePort = await listen(probe, port, option);
  await probe[Symbol.asyncDispose]();
  return freePort;
}

/** Returns the number of a port that is free now, for a server in another process. */
export const findFreePort = () => requireFreePort(0);

/** Parses the port that is the value of an option, from 0 to 65535. Throws an error with the option for another value. */
export function parsePort(option: string, text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new Error(`${option} takes a number from 0 to 65535.`);
  return Number(text);
}
