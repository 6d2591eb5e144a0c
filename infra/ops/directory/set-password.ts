import { passwordHashFor } from '../../../lib/admin/apply/password-hash.ts';
import { planUserRecords } from '../../../lib/admin/apply/plan-user-records.ts';
import { defineCommand, EXIT, runCommand } from '../command.ts';
import { changeDirectory } from './change-directory.ts';
import { findUser, placesOfUserNamed, USER_ARGUMENT } from './find-user.ts';
import { readPassword } from './read-password.ts';

/** `set-password`: gives a user a new password, and ends its sessions. */
export const setPasswordCommand = defineCommand('set-password', {
  summary: 'Give a user a new password; a terminal is asked for it, else it is the first line of standard input.',
  example: 'set-password demo.example ana --local',
})
  .argument('<tenant>', 'the tenant')
  .argument('<user>', USER_ARGUMENT)
  .action((tenant, user, options) =>
    runCommand(options, async (session) => {
      const password = await readPassword();
      if (password === null) return EXIT.interrupted;
      return changeDirectory(session, {
        tenant,
        needs: (known) => placesOfUserNamed(tenant, user, known),
        already: 'The user has this password already.',
        async plan(state) {
          const { user: record, account: stored, subject } = findUser(tenant, user, state);
          const hash = await passwordHashFor(password, stored?.password_hash);
          const account = { ...stored, password_hash: hash };
          const endsSessions = hash !== stored?.password_hash;
          return { subject, ...planUserRecords(state, tenant, { user: record, account, endsSessions }) };
        },
      });
    }),
  );
