import { planUserRecords } from '../../../lib/admin/apply/plan-user-records.ts';
import { defineCommand, runCommand } from '../command.ts';
import { changeDirectory } from './change-directory.ts';
import { findUser, placesOfUserNamed, USER_ARGUMENT } from './find-user.ts';

/** `end-sessions`: the tokens of a user are refused, and it may log in again. */
export const endSessionsCommand = defineCommand('end-sessions', {
  summary: 'End the sessions of a user: from the next request on its tokens are refused, and it may log in again.',
  example: 'end-sessions demo.example ana --local',
})
  .argument('<tenant>', 'the tenant')
  .argument('<user>', USER_ARGUMENT)
  .action((tenant, user, options) =>
    runCommand(options, (session) =>
      changeDirectory(session, {
        tenant,
        needs: (known) => placesOfUserNamed(tenant, user, known),
        async plan(state) {
          const { subject, ...records } = findUser(tenant, user, state);
          return { subject, ...planUserRecords(state, tenant, { ...records, endsSessions: true }) };
        },
      }),
    ),
  );
