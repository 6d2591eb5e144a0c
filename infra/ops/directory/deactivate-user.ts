import { defineCommand, runCommand } from '../command.ts';
import { USER_ARGUMENT } from './find-user.ts';
import { setUserActive } from './set-user-active.ts';

/** `deactivate-user`: a user is let in no more. */
export const deactivateUserCommand = defineCommand('deactivate-user', {
  summary: 'Let a user in no more: its logins and, from the next request on, its tokens are refused.',
  example: 'deactivate-user demo.example ana --local',
})
  .argument('<tenant>', 'the tenant')
  .argument('<user>', USER_ARGUMENT)
  .action((tenant, user, options) => runCommand(options, (session) => setUserActive(session, tenant, user, false)));
