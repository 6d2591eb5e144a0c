import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, isIPv4 } from 'node:net';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { localHost } from '../local/ports.ts';
import { CommandError } from '../terminal.ts';

/** A TCP bridge from containers to a port that listens only on the loopback address. */
export interface Bridge {
  /** The address that containers call; nothing outside of this machine reaches it. */
  readonly address: string;
  close(): Promise<void>;
}

/** Opens the bridge on Linux, where Docker offers none; the port number stays the same. */
export async function openBridge(port: number): Promise<Bridge> {
  const address = await findBridgeAddress();
  const closing = new AbortController();
  const server = createServer((container) => void forward(container, port, closing.signal));
  server.listen(port, address);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`Port ${port} does not open on ${address}, the address of Docker's bridge (${error.code}).`);
  });
  return {
    address,
    async close() {
      server.close();
      // A killed container leaves its connections open.
      closing.abort();
      await once(server, 'close');
    },
  };
}

async function findBridgeAddress(): Promise<string> {
  const format = '{{(index .IPAM.Config 0).Gateway}}';
  const inspect = promisify(execFile)('docker', ['network', 'inspect', 'bridge', '--format', format]);
  const { stdout } = await inspect.catch(({ stderr, message }: Error & { stderr?: string }) => {
    throw new CommandError(`Docker does not tell the address of its bridge: ${(stderr || message).trim()}`);
  });
  const address = stdout.trim();
  // No address, or 0.0.0.0, would open the port to every network that this machine is in. Node's list of the machine's
  // addresses does not help: a bridge without a running container is missing there.
  if (isIPv4(address) && address !== '0.0.0.0') return address;
  throw new CommandError(`Docker gives its bridge the address "${address}". A restart of Docker may help.`);
}

async function forward(container: Socket, port: number, signal: AbortSignal): Promise<void> {
  const engine = connect(port, localHost);
  // If one side closes its connection, the other one is closed, too; that is not an error of the bridge.
  await Promise.allSettled([pipeline(container, engine, { signal }), pipeline(engine, container, { signal })]);
}
