import { changeDirectory } from '../directory/change-directory.ts';
import { planUserRecords } from '../directory/plan-user-records.ts';
import type { EntryResult } from '../directory/entry-result.ts';
import type { Installation } from '../installation.ts';
import { findUser, placesOfUserNamed, type UserName } from './find-user.ts';

/** Ends the sessions of a user: its tokens are refused, and it may log in again. */
export function endSessions({ records }: Pick<Installation, 'records'>, name: UserName): Promise<EntryResult> {
  return changeDirectory(records, {
    tenant: name.tenant,
    needs: (known) => placesOfUserNamed(name, known),
    async plan(state) {
      const { subject, user, account } = findUser(name, state);
      return { subject, ...planUserRecords(state, name.tenant, { user, account, endsSessions: true }) };
    },
  });
}
