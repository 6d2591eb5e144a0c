import { createInterface } from 'node:readline';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { ask } from '../ask.ts';
import type { HostProcess } from '../host-process.ts';

/**
 * A password: typed twice, unseen, on a terminal (null: given up), else the first line of standard input; throws an
 * OperatorError when it is empty.
 */
export async function readPassword(host: HostProcess): Promise<string | null> {
  const password = host.stdin.isTTY ? await askTwice(host) : await firstLine(host.stdin);
  if (password === '') throw new OperatorError('The password is empty.');
  return password;
}

async function askTwice(host: HostProcess): Promise<string | null> {
  const password = await ask('New password:', host, { silent: true });
  if (!password) return password;
  const again = await ask('The same again:', host, { silent: true });
  if (again !== null && again !== password) throw new OperatorError('The two passwords differ.');
  return again;
}

async function firstLine(input: NodeJS.ReadStream): Promise<string> {
  try {
    for await (const line of createInterface({ input })) return line;
    return '';
  } finally {
    input.destroy();
  }
}
