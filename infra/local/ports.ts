import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { CommandError } from '../terminal.ts';

/** The address of all local servers except the engine; no other machine can reach it. */
export const localHost = '127.0.0.1';

/** The address to listen on, by default `localHost`, and the option with which a user chooses the port. */
interface Setting {
  readonly host?: string;
  readonly option?: string;
}

/** Listens on a port (0 = any free port) and returns its number; throws a CommandError if the port is not free. */
export async function listen(
  server: Server,
  port: number,
  { host = localHost, option }: Setting = {},
): Promise<number> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const advice = option === undefined ? '' : ` Choose another port: npm start -- ${option} N (0: any free port).`;
    throw new CommandError(`${explain(port, host, error as NodeJS.ErrnoException)}${advice}`);
  }
  return (server.address() as AddressInfo).port;
}

/** Finds a free port (0) for a process that cannot report its port, or checks that a port is free. */
export async function findPort(wanted: number, setting?: Setting): Promise<number> {
  const probe = createServer();
  const port = await listen(probe, wanted, setting);
  probe.close();
  await once(probe, 'close');
  return port;
}

function explain(port: number, host: string, { code }: NodeJS.ErrnoException): string {
  if (code === 'EACCES') return `Port ${port} on ${host} is for administrators only.`;
  return `Port ${port} on ${host} is not free (${code}): another npm start may use it.`;
}

/** Parses the port of an option; 0 is allowed. */
export function parsePort(option: string, text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new Error(`${option} takes a number from 0 to 65535.`);
  return Number(text);
}
