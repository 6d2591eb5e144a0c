import type { DirectoryRecord } from '../../../lib/domain/directory-fields.ts';
import { OperatorError } from '../operator-errors.ts';
import { keysIn } from '../tables/directory-records.ts';
import type { DirectorySnapshot } from './directory-snapshot.ts';

/** A user and its account, which is null until the user has a password. */
export interface UserAndAccount {
  readonly user: DirectoryRecord<'user'>;
  readonly account: DirectoryRecord<'account'> | null;
}

/** Returns a user and its account by id (only digits), e-mail or username. Throws an OperatorError for an erased user. */
export async function getUser(directory: DirectorySnapshot, tenant: string, name: string): Promise<UserAndAccount> {
  const user = await getUserOrErasedUser(directory, tenant, name);
  const { erased_at: erasedAt } = user;
  if (erasedAt) throw new OperatorError(`User ${name} of ${tenant} was erased at ${erasedAt}, permanently.`);
  return { user, account: await directory.get(keysIn(tenant).account(user.user_id)) };
}

/** Returns a user, which can be erased, by id (only digits), e-mail or username. Throws an OperatorError if none exists. */
export async function getUserOrErasedUser(directory: DirectorySnapshot, tenant: string, name: string) {
  const keys = keysIn(tenant);
  const login = /^\d+$/.test(name) ? { user_id: name } : await directory.get(keys.login(name));
  // No user has an empty id. For an unknown login name, getExisting throws the error of a missing tenant or user.
  return directory.getExisting(keys.user(login?.user_id ?? ''), name);
}
