import { setUserActive } from '../../../lib/admin/access/set-user-active.ts';
import { runCommand } from '../command.ts';
import { printResult } from './print-result.ts';
import { defineUserCommand } from './user-command.ts';

/** `activate-user`: a deactivated user may log in again. */
export const activateUserCommand = defineUserCommand('activate-user', {
  summary: 'Let a deactivated user in again; its license and expiry still count.',
  example: 'activate-user demo.example fabio@demo.example --local',
}).action((tenant, user, options) =>
  runCommand(options, async ({ installation, output }) => {
    const result = await setUserActive(installation, { tenant, user }, true);
    return printResult(output, result, 'The user is active already.');
  }),
);
