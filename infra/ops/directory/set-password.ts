import { placesIn } from '../apply/directory-state.ts';
import { passwordHashFor } from '../apply/password-hash.ts';
import { planRecords } from '../apply/plan.ts';
import { defineCommand, EXIT, runCommand } from '../command.ts';
import { changeDirectory } from './change-directory.ts';
import { findUser, placesOfUserNamed, USER_ARGUMENT, userIdNamed } from './find-user.ts';
import { readPassword } from './read-password.ts';

/** `set-password`: gives a user a new password. */
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
      const { account: accountOf } = placesIn(tenant);
      return changeDirectory(session, {
        tenant,
        needs(known) {
          const userId = userIdNamed(tenant, user, known);
          return [...placesOfUserNamed(tenant, user, known), ...(userId ? [accountOf(userId)] : [])];
        },
        already: 'The user has this password already.',
        async plan(state) {
          const { place, record, subject } = findUser(tenant, user, state);
          const stored = state.get(accountOf(record.user_id))?.password_hash;
          const hash = await passwordHashFor(password, stored);
          const account = state.changeTo(accountOf(record.user_id), { password_hash: hash });
          return { subject, account, ...planRecords(state.changeTo(place, record), account) };
        },
      });
    }),
  );
