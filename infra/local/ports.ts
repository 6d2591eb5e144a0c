import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { CommandError } from '../terminal.ts';

/** The one address everything local listens on, but the engine itself: nothing is reachable from another machine. */
export const localHost = '127.0.0.1';

/** Where to listen, if not at the address of everything local, and the option with which a user chooses the port. */
interface Setting {
  readonly host?: string;
  readonly option?: string;
}

/** Listens on a port (0 = any free one) and returns its number; a port that is not free is a CommandError. */
export async function listen(
  server: Server,
  port: number,
  { host = localHost, option }: Setting = {},
): Promise<number> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const advice = option === undefined ? '' : ` Choose another one: npm start -- ${option} N (0: any free one).`;
    throw new CommandError(`${whyNot(port, host, error as NodeJS.ErrnoException)}${advice}`);
  }
  return (server.address() as AddressInfo).port;
}

/** Finds a free port for a process that cannot say which one it took, or confirms that the wanted one is free. */
export async function findPort(wanted: number, setting?: Setting): Promise<number> {
  const probe = createServer();
  const port = await listen(probe, wanted, setting);
  probe.close();
  await once(probe, 'close');
  return port;
}

function whyNot(port: number, host: string, { code }: NodeJS.ErrnoException): string {
  if (code === 'EACCES') return `Port ${port} on ${host} is for administrators only.`;
  return `Port ${port} on ${host} is not free (${code}): another npm start may have it.`;
}

/** The port that an option was given, from 0 on. */
export function portNumber(option: string, text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new Error(`${option} takes a number from 0 to 65535.`);
  return Number(text);
}
