import { setPassword } from '../../../lib/admin/access/set-password.ts';
import { EXIT, runCommand } from '../command.ts';
import { printResult } from './print-result.ts';
import { readPassword } from './read-password.ts';
import { defineUserCommand } from './user-command.ts';

/** `set-password`: gives a user a new password, and ends its sessions. */
export const setPasswordCommand = defineUserCommand('set-password', {
  summary: 'Give a user a new password; a terminal is asked for it, else it is the first line of standard input.',
  example: 'set-password demo.example ana --local',
}).action((tenant, user, options) =>
  runCommand(options, async ({ installation, output, host }) => {
    const password = await readPassword(host);
    if (password === null) return EXIT.interrupted;
    const result = await setPassword(installation, { tenant, user }, password);
    return printResult(output, result, 'The user has this password already.');
  }),
);
