import { existing } from '../directory/change-directory.ts';
import { placesIn, readState } from '../directory/directory-state.ts';
import type { EntryResult } from '../directory/entry-result.ts';
import type { Installation } from '../installation.ts';
import { findUser, placesOfUserNamed, type UserName } from './find-user.ts';

/** Clears the failures of a user's account, with and without a key, and the sources that it knows. */
export async function unlockUser(
  { records, accountLocks }: Pick<Installation, 'records' | 'accountLocks'>,
  name: UserName,
): Promise<EntryResult> {
  const { tenant } = name;
  const place = placesIn(tenant).tenant;
  const state = await readState(records.read, (known) => [place, ...placesOfUserNamed(name, known)]);
  existing(state, place, `tenant ${tenant}`);
  const { subject, user } = findUser(name, state);
  const { failures, failuresWithKey, knownSources } = await accountLocks.read(tenant, user.user_id);
  const changes = Object.entries({ failures, failures_with_key: failuresWithKey, known_sources: knownSources })
    .filter(([, count]) => count > 0)
    .map(([property, before]) => ({ property, before, after: 0 }));
  if (changes.length > 0) await accountLocks.clear(tenant, user.user_id);
  return { subject, outcome: changes.length > 0 ? 'changed' : 'left', changes, leftAlone: [], generatedKey: undefined };
}
