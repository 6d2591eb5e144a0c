import { randomInt } from 'node:crypto';
import { findPort, localHost } from './ports.ts';

/**
 * A free port at an address of this machine that no page can guess: any of 127.0.0.0/8, which Linux and Windows give to
 * every machine. Elsewhere it is the address of everything else, and only the port is to be guessed.
 */
export async function findHiddenAddress(): Promise<{ readonly host: string; readonly port: number }> {
  // The engine refuses a port that is taken at the usual address, too.
  const port = await findPort(0);
  const host = `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;
  const isThere = await findPort(port, { host }).then(
    () => true,
    () => false,
  );
  return { host: isThere ? host : localHost, port };
}
