import { unlockUser } from '../../../lib/admin/access/unlock-user.ts';
import { runCommand } from '../command.ts';
import { printResult } from './print-result.ts';
import { defineUserCommand } from './user-command.ts';

/** `unlock-user`: failed logins hold a user up no more. */
export const unlockUserCommand = defineUserCommand('unlock-user', {
  summary: 'Clear the failed logins of a user, which hold it up, and the addresses that it has logged in from.',
  example: 'unlock-user demo.example ana --local',
}).action((tenant, user, options) =>
  runCommand(options, async ({ installation, output }) =>
    printResult(output, await unlockUser(installation, { tenant, user }), 'Nothing holds the user up.'),
  ),
);
