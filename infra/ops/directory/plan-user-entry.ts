import type { DirectoryRecord } from '../../../lib/domain/directory-fields.ts';
import { keysIn } from '../../../lib/domain/record-keys.ts';
import type { RecordChange } from '../../../lib/storage/directory/directory-records.ts';
import type { DirectoryChange } from './change-directory.ts';
import { toRecord } from './entry-values.ts';
import { type EntryOf, loginNames } from './read-entries.ts';
import type { DirectorySnapshot } from './snapshot.ts';
import { keepSuspension } from './suspensions.ts';
import { planUser } from './access.ts';

type UserEntry = EntryOf<'user'>;
type UserRecord = DirectoryRecord<'user'>;

/** The context of planning the change of an entry; the errors of the entry are added to `errors`. */
export interface EntryContext {
  readonly directory: DirectorySnapshot;
  readonly errors: string[];
  /** The hash of the password of the entry. */
  readonly passwordHash?: string | undefined;
}

/** Plans the change that an entry makes of a user, its login names and its account. */
export async function planUserEntry(entry: UserEntry, context: EntryContext): Promise<DirectoryChange> {
  const { kind, tenant, value } = entry;
  const { directory, passwordHash } = context;
  const keys = keysIn(tenant);
  const stored = await directory.get(keys.user(value.user_id));
  const { record: user, keptOverrides } = keepSuspension(kind, toRecord(kind, value, stored));
  const others = [...(await planLogins(entry, user, stored, context)), ...(await checkSupplier(entry, user, context))];

  const storedAccount = await directory.get(keys.account(value.user_id));
  const storedHash = storedAccount?.password_hash;
  const hash = value.password === null ? undefined : (passwordHash ?? storedHash);
  const account = hash || storedHash ? { ...storedAccount, password_hash: hash } : null;
  const endsSessions = stored !== null && (hash !== storedHash || (stored.active && !user.active));
  return { ...(await planUser(directory, tenant, { user, account, endsSessions, others })), keptOverrides };
}

/** Plans the changes of the login names that a user gets, keeps and loses. */
async function planLogins(
  { path, tenant }: UserEntry,
  user: UserRecord,
  stored: UserRecord | null,
  { directory, errors }: EntryContext,
): Promise<RecordChange[]> {
  const { user_id, company_id, supplier_id } = user;
  const names = loginNames(user);
  const changes: RecordChange[] = [];
  for (const name of new Set([...names, ...(stored ? loginNames(stored) : [])])) {
    const key = keysIn(tenant).login(name);
    const isKept = names.includes(name);
    const isEmail = name === user.email.toLowerCase();
    const owner = (await directory.get(key))?.user_id ?? user_id;
    if (owner === user_id) {
      const pointer = { user_id, company_id, supplier_id, ...(!isEmail && { username: true }) };
      changes.push(await directory.planChange(key, isKept ? pointer : null));
    } else if (isKept) errors.push(`${path}.${isEmail ? 'email' : 'username'}: is the login name of another user`);
  }
  return changes;
}

/** Checks that the supplier of a user belongs to its company, also at the time of the write. */
async function checkSupplier(
  { path, tenant, value }: UserEntry,
  { supplier_id: supplierId, company_id: companyId }: UserRecord,
  { directory, errors }: EntryContext,
): Promise<RecordChange[]> {
  if (supplierId === undefined) return [];
  const keys = keysIn(tenant);
  const key = keys.supplier(supplierId);
  const company = (await directory.get(key))?.company_id;
  if (company === undefined) return [];
  // A company that does not exist is reported as a separate error.
  if (company !== companyId && (await directory.get(keys.company(companyId)))) {
    const property = value.supplier_id ? 'supplier_id' : 'company_id';
    const companies = `belongs to company ${company}, and the user to company ${companyId}`;
    errors.push(`${path}.${property}: supplier ${supplierId} ${companies}`);
  }
  return [{ key, before: { company_id: company } }];
}
