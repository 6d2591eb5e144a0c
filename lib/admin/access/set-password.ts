import { changeDirectory } from '../directory/change-directory.ts';
import { passwordHashFor } from '../directory/password-hash.ts';
import { placesIn } from '../directory/directory-state.ts';
import { namesOf, passwordFault } from '../directory/password-rules.ts';
import { planUserRecords } from '../directory/plan-user-records.ts';
import type { EntryResult } from '../directory/entry-result.ts';
import type { Installation } from '../installation.ts';
import { OperatorError } from '../operator-error.ts';
import { findUser, placesOfUserNamed, type UserName } from './find-user.ts';

/** Gives a user a new password, and ends its sessions; throws an OperatorError when it must not be one. */
export async function setPassword(
  { records, demoPassword }: Pick<Installation, 'records' | 'demoPassword'>,
  name: UserName,
  password: string,
): Promise<EntryResult> {
  const { tenant } = name;
  return changeDirectory(records, {
    tenant,
    needs(known) {
      const places = placesOfUserNamed(name, known);
      const found = places.map((place) => known.get(place));
      const companies = found.flatMap((record) => (record && 'company_id' in record ? record.company_id : []));
      return [...places, ...companies.map(placesIn(tenant).company)];
    },
    async plan(state) {
      const { user, account: stored, subject } = findUser(name, state);
      const fault = password === demoPassword ? null : passwordFault(password, namesOf(tenant, user, state));
      if (fault) throw new OperatorError(`The password ${fault}.`);
      const hash = await passwordHashFor(password, stored?.password_hash);
      const account = { ...stored, password_hash: hash };
      const endsSessions = hash !== stored?.password_hash;
      return { subject, ...planUserRecords(state, tenant, { user, account, endsSessions }) };
    },
  });
}
