import { defineCommand, runCommand } from '../command.ts';
import { USER_ARGUMENT } from './find-user.ts';
import { setUserActive } from './set-user-active.ts';

/** `activate-user`: a deactivated user may log in again. */
export const activateUserCommand = defineCommand('activate-user', {
  summary: 'Let a deactivated user in again; its license and expiry still count.',
  example: 'activate-user demo.example fabio@demo.example --local',
})
  .argument('<tenant>', 'the tenant')
  .argument('<user>', USER_ARGUMENT)
  .action((tenant, user, options) => runCommand(options, (session) => setUserActive(session, tenant, user, true)));
