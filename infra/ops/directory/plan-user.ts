import { nextTokenCutoff } from '../../../lib/access/access-rules.ts';
import type { DirectoryRecord, FileValue } from '../../../lib/domain/directory-fields.ts';
import { foldLoginName } from '../../../lib/domain/directory.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { keysIn, type RecordChange } from '../tables/directory-records.ts';
import type { DirectoryChange } from './change-result.ts';
import type { DirectorySnapshot } from './change-directory.ts';
import { mergeEntry } from './entry-fields.ts';
import { findPasswordError, toPasswordHash } from './password-rules.ts';
import type { UserAndAccount } from './read-directory.ts';
import type { EntryContext } from './read-entries.ts';

type User = DirectoryRecord<'user'>;

/** A user and its account after a change, except the cutoff of the tokens (`tokens_from`), which planUserRecords sets. */
export interface ChangedUser extends UserAndAccount {
  /** True if all tokens of the user are rejected from now on. */
  readonly endsSessions: boolean;
}

// The hash of the password of each entry. apply-directory.ts plans an entry several times, and hashing takes long.
const passwordHashes = new WeakMap<FileValue<'user'>, Promise<string>>();

/** Plans the changes that an entry makes to a user, its login names and its account. */
export async function planUserEntry(value: FileValue<'user'>, context: EntryContext): Promise<DirectoryChange> {
  const { directory, tenant, keys, reject } = context;
  const stored = await directory.get(keys.user(value.user_id));
  if (stored?.erased_at) {
    reject('user_id', `user ${value.user_id} was erased at ${stored.erased_at}; remove the entry, or use another id`);
  }
  const { record: user, keptOverrides } = mergeEntry('user', value, stored);
  const loginChanges = await planLogins(user, stored, context);
  const supplierChecks = await checkSupplier(user, context);
  await checkPassword(value.password, user, context);

  const storedAccount = await directory.get(keys.account(value.user_id));
  const storedHash = storedAccount?.password_hash;
  const hash = await planPasswordHash(value, storedHash);
  // A user that has never had a password has no account. A removed password leaves an account without a hash.
  const hasAccount = hash !== undefined || storedHash !== undefined;
  const account = hasAccount ? { ...storedAccount, password_hash: hash } : null;
  const isDeactivated = stored !== null && stored.active && !user.active;
  const endsSessions = stored !== null && (hash !== storedHash || isDeactivated);
  const { entity, relatedChanges } = await planUserRecords(directory, tenant, { user, account, endsSessions });
  return { entity, relatedChanges: [...relatedChanges, ...loginChanges, ...supplierChecks], keptOverrides };
}

/** Plans the login names of a user: adds the current ones, and deletes those that it no longer has. */
async function planLogins(user: User, stored: User | null, { directory, keys, reject }: EntryContext) {
  const { user_id, company_id, supplier_id } = user;
  const names = listLoginNames(user);
  const changes: RecordChange[] = [];
  for (const name of new Set([...names, ...listLoginNames(stored)])) {
    const key = keys.login(name);
    const owner = await directory.get(key);
    const isCurrentName = names.includes(name);
    if (!owner || owner.user_id === user_id) {
      const login = isCurrentName ? { user_id, company_id, supplier_id } : null;
      changes.push(await directory.planChange(key, login));
    } else if (isCurrentName) {
      const property = name === foldLoginName(user.email) ? 'email' : 'username';
      reject(property, 'is the login name of another user');
    }
  }
  return changes;
}

/** Lists the folded login names of a user: its e-mail and its username. */
export function listLoginNames(user: User | null): string[] {
  return [user?.email, user?.username].filter((name) => name !== undefined).map(foldLoginName);
}

/** Rejects a user whose supplier does not belong to its company. Returns the check that the transaction repeats. */
async function checkSupplier(user: User, { directory, keys, reject }: EntryContext): Promise<RecordChange[]> {
  const { supplier_id: supplierId, company_id: companyId } = user;
  if (supplierId === undefined) return [];
  const key = keys.supplier(supplierId);
  const supplier = await directory.get(key);
  if (!supplier) {
    reject('supplier_id', `supplier ${supplierId} does not exist`);
    return [];
  }
  const { company_id: supplierCompany } = supplier;
  const company = await directory.get(keys.company(companyId));
  // planEntry has already rejected a user whose company does not exist.
  if (company && supplierCompany !== companyId) {
    const owner = `supplier ${supplierId} belongs to company ${supplierCompany}`;
    reject('supplier_id', `${owner}, and the user to company ${companyId}`);
  }
  return [{ key, before: { company_id: supplierCompany } }];
}

/** Rejects a user whose new password breaks a rule. The password of the demo users is exempt. */
async function checkPassword(password: string | null | undefined, user: User, context: EntryContext): Promise<void> {
  const { directory, tenant, keys, demoPassword, reject } = context;
  if (!password || password === demoPassword) return;
  const company = await directory.get(keys.company(user.company_id));
  const error = await findPasswordError(password, tenant, user, company);
  if (error) reject('password', error);
}

/** Returns the hash of the password after the change. An absent password keeps the stored hash, and null removes it. */
async function planPasswordHash(value: FileValue<'user'>, storedHash: string | undefined): Promise<string | undefined> {
  const { password } = value;
  if (password === null) return undefined;
  if (!password) return storedHash;
  const hash = passwordHashes.get(value) ?? toPasswordHash(password, storedHash);
  passwordHashes.set(value, hash);
  return hash;
}

/** Plans the changes of a user and its account. To end its sessions, rejects the tokens that were issued until now. */
export async function planUserRecords(
  directory: DirectorySnapshot,
  tenant: string,
  { user, account, endsSessions }: ChangedUser,
): Promise<DirectoryChange> {
  const keys = keysIn(tenant);
  const cutoff = endsSessions ? { tokens_from: nextTokenCutoff(systemClock.now(), user.tokens_from) } : null;
  const entity = await directory.planChange(keys.user(user.user_id), { ...user, ...cutoff });
  if (!account) return { entity, relatedChanges: [] };
  const accountChange = await directory.planChange(keys.account(user.user_id), { ...account, ...cutoff });
  return { entity, relatedChanges: [accountChange] };
}
