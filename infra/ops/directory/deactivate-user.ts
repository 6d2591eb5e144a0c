import { setUserActive } from '../../../lib/admin/access/set-user-active.ts';
import { runCommand } from '../command.ts';
import { printResult } from './print-result.ts';
import { defineUserCommand } from './user-command.ts';

/** `deactivate-user`: a user is let in no more. */
export const deactivateUserCommand = defineUserCommand('deactivate-user', {
  summary: 'Let a user in no more: its logins and, from the next request on, its tokens are refused.',
  example: 'deactivate-user demo.example ana --local',
}).action((tenant, user, options) =>
  runCommand(options, async ({ installation, output }) => {
    const result = await setUserActive(installation, { tenant, user }, false);
    return printResult(output, result, 'The user is deactivated already.');
  }),
);
