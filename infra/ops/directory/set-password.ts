import { createInterface } from 'node:readline';
import { setPassword } from '../../../lib/admin/access/users.ts';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { EXIT, runCommand } from '../command.ts';
import { ask } from '../confirm.ts';
import type { HostProcess } from '../host-process.ts';
import { printResult } from './result-texts.ts';
import { defineUserCommand } from './stops.ts';

/** `set-password`: gives a user a new password, and ends its sessions. */
export const setPasswordCommand = defineUserCommand('set-password', {
  summary: 'Give a user a new password; a terminal is asked for it, else it is the first line of standard input.',
  example: 'ana',
}).action((tenant, user, options) =>
  runCommand(options, async ({ ports, output, host }) => {
    const password = host.stdin.isTTY ? await askTwice(host) : await firstLine(host.stdin);
    if (password === null) return EXIT.interrupted;
    if (password === '') throw new OperatorError('The password is empty.');
    const result = await setPassword(ports, { tenant, user }, password);
    return printResult(output, result, 'The user has this password already.');
  }),
);

/** The password that is typed twice, unseen; null: given up. */
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
