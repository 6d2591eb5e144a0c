import { hashApiKey, nextTokenCutoff } from '../../../lib/access/access-rules.ts';
import type { DirectoryRecord, EntityKind, FileValue } from '../../../lib/domain/directory-fields.ts';
import { keysIn, toEntityKey, type RecordChange } from '../tables/directory-records.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { newUuid } from '../../../lib/runtime/ids.ts';
import type { Attributes } from '../../../lib/tables/stored-fields.ts';
import { OperatorError } from '../operator-errors.ts';
import type { DirectoryChange, DirectorySnapshot } from './change-directory.ts';
import { findPasswordError } from './password-rules.ts';
import { type Entry, type EntryOf, findErrors, readFields } from './read-entries.ts';

/** The number of characters at the end of an API key by which lists and commands identify it. */
export const LAST_FOUR = 4;

/** The errors of an entry that cannot be applied, each as `path: reason` on a line of the message. */
export class EntryErrors extends OperatorError {}

type Keys = ReturnType<typeof keysIn>;

/** The hash of the password of an entry, and a password that no rule rejects. */
type HashedPassword = Readonly<Record<'hash' | 'accepted', string | undefined>>;

/** The context of planning the change of an entry. */
interface EntryContext {
  readonly directory: DirectorySnapshot;
  readonly tenant: string;
  readonly keys: Keys;
  readonly password: HashedPassword | undefined;
  /** Adds an error of a property of the entry. */
  readonly reject: (property: string, reason: string) => void;
}

/** Plans the change of an entry; throws EntryErrors. A password is only checked and set with its hash. */
export async function planEntry(
  entry: Entry,
  directory: DirectorySnapshot,
  password?: HashedPassword,
): Promise<DirectoryChange> {
  const { kind, path, tenant, value } = entry;
  const keys = keysIn(tenant);
  const errors = findErrors(entry);
  if (errors.length > 0) throw new EntryErrors(errors.join('\n'));
  const reject = (property: string, reason: string) => void errors.push(`${path}.${property}: ${reason}`);
  if (kind !== 'tenant' && kind !== 'company' && !(await directory.get(keys.company(value.company_id)))) {
    reject('company_id', `company ${value.company_id} does not exist`);
  }
  const change = await planByKind(entry, { directory, tenant, keys, password, reject });
  if (errors.length > 0) throw new EntryErrors(errors.join('\n'));
  return change;
}

async function planByKind(entry: Entry, context: EntryContext): Promise<DirectoryChange> {
  if (entry.kind === 'user') return planUserEntry(entry.value, context);
  if (entry.kind === 'api_key') return planApiKeyEntry(entry.value, context);
  const { kind, value } = entry as EntryOf<'tenant' | 'company' | 'supplier'>;
  const { directory, tenant } = context;
  const key = toEntityKey(kind, tenant, value);
  const { record, keptOverrides } = mergeEntry(kind, value, await directory.get(key));
  return { changes: [await directory.planChange(key, record)], keptOverrides };
}

/** Plans the change of an API key. An entry without a key changes the latest key of its name, or generates a key. */
async function planApiKeyEntry(value: FileValue<'api_key'>, context: EntryContext): Promise<DirectoryChange> {
  const { directory, tenant, keys, reject } = context;
  const { company_id, name } = value;
  const { hash, last4, generatedKey } = await identifyKey(value, context);
  const key = keys.apiKey(hash);
  const stored = await directory.get(key);
  if (stored && stored.tenant !== tenant) reject('key', 'belongs to another tenant');

  const { record, keptOverrides } = mergeEntry('api_key', value, stored);
  const changes: DirectoryChange['changes'] = [
    await directory.planChange(key, { ...record, tenant, last4 }),
    await directory.planChange(keys.listedApiKey(hash), { key_hash: hash }),
  ];
  if (stored?.company_id === company_id && stored.name === name) return { changes, keptOverrides, generatedKey };
  const pointer = await directory.planChange(keys.apiKeyName(company_id, name), { key_hash: hash });
  return { changes: [...changes, pointer], keptOverrides, generatedKey };
}

async function identifyKey(value: FileValue<'api_key'>, { directory, keys }: EntryContext) {
  if (!value.key) {
    const pointer = await directory.get(keys.apiKeyName(value.company_id, value.name));
    const named = pointer && (await directory.get(keys.apiKey(pointer.key_hash)));
    // A key that was renamed later no longer has this name.
    if (pointer && named?.company_id === value.company_id && named.name === value.name) {
      return { hash: pointer.key_hash, last4: named.last4 };
    }
  }
  const generatedKey = value.key ? undefined : newUuid();
  const key = value.key ?? generatedKey ?? '';
  return { hash: hashApiKey(key), last4: key.slice(-LAST_FOUR).toLowerCase(), generatedKey };
}

/** Plans the change that an entry makes of a user, its login names and its account. */
async function planUserEntry(value: FileValue<'user'>, context: EntryContext): Promise<DirectoryChange> {
  const { directory, tenant, keys, password, reject } = context;
  const stored = await directory.get(keys.user(value.user_id));
  const storedAccount = await directory.get(keys.account(value.user_id));
  const { record: user, keptOverrides } = mergeEntry('user', value, stored);
  const others = [...(await planLogins(user, stored, context)), ...(await checkSupplier(user, value, context))];
  if (value.password && password?.hash && value.password !== password.accepted) {
    const company = await directory.get(keys.company(user.company_id));
    const error = findPasswordError(value.password, tenant, user, company);
    if (error) reject('password', error);
  }

  const storedHash = storedAccount?.password_hash;
  const hash = value.password === null ? undefined : (password?.hash ?? storedHash);
  const account = hash || storedHash ? { ...storedAccount, password_hash: hash } : null;
  const endsSessions = stored !== null && (hash !== storedHash || (stored.active && !user.active));
  const changes = await planUser(directory, keys, { user, account, endsSessions });
  return { changes: [...changes, ...others], keptOverrides };
}

/** A user and its account (null: none) after a change, with the `tokens_from` before it. */
export interface ChangedUser {
  readonly user: DirectoryRecord<'user'>;
  readonly account: DirectoryRecord<'account'> | null;
  /** True if all tokens of the user are rejected from now on. */
  readonly endsSessions: boolean;
}

/** Plans the changes of a user and its account. */
export async function planUser(
  directory: DirectorySnapshot,
  keys: Keys,
  { user, account, endsSessions }: ChangedUser,
): Promise<DirectoryChange['changes']> {
  const ended = endsSessions ? { tokens_from: nextTokenCutoff(systemClock.now(), user.tokens_from) } : {};
  const change = await directory.planChange(keys.user(user.user_id), { ...user, ...ended });
  if (!account) return [change];
  return [change, await directory.planChange(keys.account(user.user_id), { ...account, ...ended })];
}

type User = DirectoryRecord<'user'>;

/** Plans the changes of the login names that a user gets, keeps and loses. */
async function planLogins(user: User, stored: User | null, { directory, keys, reject }: EntryContext) {
  const { user_id, company_id, supplier_id } = user;
  const toNames = (of: User | null) => [of?.email, of?.username].flatMap((name) => name?.toLowerCase() ?? []);
  const names = toNames(user);
  const changes: RecordChange[] = [];
  for (const name of new Set([...names, ...toNames(stored)])) {
    const key = keys.login(name);
    const isKept = names.includes(name);
    const isEmail = name === user.email.toLowerCase();
    const owner = (await directory.get(key))?.user_id ?? user_id;
    if (owner === user_id) {
      const pointer = { user_id, company_id, supplier_id, ...(!isEmail && { username: true }) };
      changes.push(await directory.planChange(key, isKept ? pointer : null));
    } else if (isKept) reject(isEmail ? 'email' : 'username', 'is the login name of another user');
  }
  return changes;
}

/** Checks that the supplier of a user belongs to its company, also at the time of the write. */
async function checkSupplier(user: User, value: FileValue<'user'>, { directory, keys, reject }: EntryContext) {
  const { supplier_id: supplierId, company_id: companyId } = user;
  if (supplierId === undefined) return [];
  const key = keys.supplier(supplierId);
  const supplier = await directory.get(key);
  if (!supplier) reject('supplier_id', `supplier ${supplierId} does not exist`);
  const company = supplier?.company_id ?? companyId;
  // A company that does not exist is reported as a separate error.
  if (company !== companyId && (await directory.get(keys.company(companyId)))) {
    const companies = `belongs to company ${company}, and the user to company ${companyId}`;
    reject(value.supplier_id ? 'supplier_id' : 'company_id', `supplier ${supplierId} ${companies}`);
  }
  return [{ key, before: { company_id: company } }];
}

const SUSPENSIONS = {
  company: { property: 'status', value: 'SUSPENDED', by: 'suspend-company', end: 'to end this, run resume-company' },
  user: { property: 'active', value: false, by: 'deactivate-user', end: 'to end this, run activate-user' },
  api_key: {
    property: 'status',
    value: 'INACTIVE',
    by: 'revoke-key',
    end: 'this is permanent; to issue a new key, run issue-key',
  },
};

/** Returns the time of the first suspension of an entity, or undefined if the suspension ends. */
export function markSuspended(isSuspended: boolean, since: string | undefined): string | undefined {
  return isSuspended ? (since ?? systemClock.now().toISOString()) : undefined;
}

/**
 * Merges an entry of a file into the stored record (null: none). A field that the entry does not contain keeps its
 * value, and null removes it. A record that a command suspended stays suspended.
 */
function mergeEntry<Kind extends EntityKind>(
  kind: Kind,
  value: FileValue<Kind>,
  stored: DirectoryRecord<Kind> | null,
): { record: DirectoryRecord<Kind>; keptOverrides?: DirectoryChange['keptOverrides'] } {
  const merged: Attributes = { ...stored, ...readFields(kind, value) };
  const since = merged['stopped_at'] ?? merged['revoked_at'];
  if (since === undefined) return { record: merged as DirectoryRecord<Kind> };
  const { property, value: kept, by, end } = SUSPENSIONS[kind as keyof typeof SUSPENSIONS];
  const keptOverrides = [{ property, value: kept, reason: `${by} was run at ${since as string}; ${end}` }];
  const record = { ...merged, [property]: kept } as DirectoryRecord<Kind>;
  return merged[property] === kept ? { record } : { record, keptOverrides };
}
