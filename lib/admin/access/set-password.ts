import { changeDirectory } from '../directory/change-directory.ts';
import { passwordHashFor } from '../directory/password-hash.ts';
import { passwordFault } from '../directory/password-rules.ts';
import { planUserRecords } from '../directory/plan-user-records.ts';
import type { EntryResult } from '../directory/entry-result.ts';
import type { Installation } from '../installation.ts';
import { OperatorError } from '../operator-error.ts';
import { findUser, placesOfUserNamed, type UserName } from './find-user.ts';

/** Gives a user a new password, and ends its sessions; throws an OperatorError when it must not be one. */
export async function setPassword(
  { records }: Pick<Installation, 'records'>,
  name: UserName,
  password: string,
): Promise<EntryResult> {
  const fault = passwordFault(password);
  if (fault) throw new OperatorError(`The password ${fault}.`);
  return changeDirectory(records, {
    tenant: name.tenant,
    needs: (known) => placesOfUserNamed(name, known),
    async plan(state) {
      const { user, account: stored, subject } = findUser(name, state);
      const hash = await passwordHashFor(password, stored?.password_hash);
      const account = { ...stored, password_hash: hash };
      const endsSessions = hash !== stored?.password_hash;
      return { subject, ...planUserRecords(state, name.tenant, { user, account, endsSessions }) };
    },
  });
}
