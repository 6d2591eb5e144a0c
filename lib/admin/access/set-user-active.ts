import { changeDirectory } from '../directory/change-directory.ts';
import { planUserRecords } from '../directory/plan-user-records.ts';
import type { EntryResult } from '../directory/entry-result.ts';
import { markStop } from '../directory/stopped-by-command.ts';
import type { Installation } from '../installation.ts';
import { findUser, placesOfUserNamed, type UserName } from './find-user.ts';

/**
 * Activates or deactivates a user; a deactivation is marked as a command's, so that no file ends it, and ends all
 * sessions.
 */
export function setUserActive(
  { records }: Pick<Installation, 'records'>,
  name: UserName,
  active: boolean,
): Promise<EntryResult> {
  return changeDirectory(records, {
    tenant: name.tenant,
    needs: (known) => placesOfUserNamed(name, known),
    async plan(state) {
      const { place, user: record, account, subject } = findUser(name, state);
      const { stopped_at: since, ...stored } = record;
      const after = { ...stored, active, ...markStop(!active, since) };
      const endsSessions = !active && state.changeTo(place, after).after !== undefined;
      return { subject, ...planUserRecords(state, name.tenant, { user: after, account, endsSessions }) };
    },
  });
}
