import { endOf } from '../../domain/iso-date.ts';
import type { DirectoryChange } from '../directory/change.ts';
import { changeUser } from '../directory/change-user.ts';
import { type DirectoryRecord, keysIn, type RecordChange } from '../ports/directory-records.ts';
import { leftAlone } from '../directory/stops.ts';
import type { EntryContext, EntryOf } from './directory-entries.ts';
import { loginNames } from './directory-rules.ts';

type UserEntry = EntryOf<'user'>;
type UserRecord = DirectoryRecord<'user'>;

/** The change to what an entry says of a user, its login names and its account. */
export async function changeUserEntry(entry: UserEntry, context: EntryContext): Promise<DirectoryChange> {
  const { tenant, value } = entry;
  const { directory, passwordHash } = context;
  const keys = keysIn(tenant);
  const stored = await directory.get(keys.user(value.user_id));
  const user = userAfter(value, stored);
  const others = [
    ...(await loginChanges(entry, user, stored, context)),
    ...(await supplierCheck(entry, user, context)),
  ];

  const { password_hash: storedHash, ...accountRest } = (await directory.get(keys.account(value.user_id))) ?? {};
  const hash = value.password === null ? undefined : (passwordHash ?? storedHash);
  const account = hash || storedHash ? { ...accountRest, ...(hash && { password_hash: hash }) } : null;
  const endsSessions = stored !== null && (hash !== storedHash || (stored.active && !user.active));
  const change = await changeUser(directory, tenant, { user, account, endsSessions, others });
  return { ...change, leftAlone: leftAlone('user', value.active, stored?.stopped_at) };
}

/** What an entry makes of a user: what it does not name stays, and null removes it. */
function userAfter(value: UserEntry['value'], stored: UserRecord | null): UserRecord {
  const after = (named: string | null | undefined, before: string | undefined) =>
    named === undefined ? before : (named ?? undefined);
  const username = after(value.username, stored?.username);
  const supplierId = after(value.supplier_id, stored?.supplier_id);
  const expiresAt = after(value.expires_at && endOf(value.expires_at), stored?.expires_at);
  return {
    user_id: value.user_id,
    company_id: value.company_id,
    ...(supplierId && { supplier_id: supplierId }),
    email: value.email,
    ...(username && { username }),
    permissions: [...value.permissions],
    active: value.active && stored?.stopped_at === undefined,
    ...(stored?.stopped_at && { stopped_at: stored.stopped_at }),
    license_active: value.license_active,
    ...(expiresAt && { expires_at: expiresAt }),
    ...(stored?.tokens_from && { tokens_from: stored.tokens_from }),
  };
}

/** The changes of the login names that a user gets, has and gives up. */
async function loginChanges(
  { path, tenant }: UserEntry,
  user: UserRecord,
  stored: UserRecord | null,
  { directory, faults }: EntryContext,
): Promise<RecordChange[]> {
  const { user_id, company_id, supplier_id } = user;
  const reference = { user_id, company_id, ...(supplier_id && { supplier_id }) };
  const names = loginNames(user);
  const changes: RecordChange[] = [];
  for (const name of new Set([...names, ...(stored ? loginNames(stored) : [])])) {
    const key = keysIn(tenant).login(name);
    const isKept = names.includes(name);
    const isEmail = name === user.email.toLowerCase();
    const owner = (await directory.get(key))?.user_id ?? user_id;
    if (owner === user_id) {
      const pointer = { ...reference, ...(!isEmail && { username: true as const }) };
      changes.push(await directory.changeTo(key, isKept ? pointer : null));
    } else if (isKept) faults.push(`${path}.${isEmail ? 'email' : 'username'}: is the login name of another user`);
  }
  return changes;
}

/** Checks that the supplier of a user is of its company, and that it stays so until the user is written. */
async function supplierCheck(
  { path, tenant, value }: UserEntry,
  { supplier_id: supplierId, company_id: companyId }: UserRecord,
  { directory, faults }: EntryContext,
): Promise<RecordChange[]> {
  if (supplierId === undefined) return [];
  const keys = keysIn(tenant);
  const key = keys.supplier(supplierId);
  const company = (await directory.get(key))?.company_id;
  if (company === undefined) return [];
  // A company that does not exist is a fault of its own.
  if (company !== companyId && (await directory.get(keys.company(companyId)))) {
    const property = value.supplier_id ? 'supplier_id' : 'company_id';
    const companies = `belongs to company ${company}, and the user to company ${companyId}`;
    faults.push(`${path}.${property}: supplier ${supplierId} ${companies}`);
  }
  return [{ key, before: { company_id: company } }];
}
