import { hashApiKey, nextTokenCutoff } from '../../../lib/access/access-rules.ts';
import type { DirectoryRecord, EntityKind } from '../../../lib/domain/directory-fields.ts';
import { keysIn, toEntityKey } from '../tables/record-keys.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { newUuid } from '../../../lib/runtime/ids.ts';
import type { RecordChange } from '../tables/directory-records.ts';
import type { Attributes } from '../../../lib/tables/stored-fields.ts';
import { OperatorError } from '../errors.ts';
import type { DirectoryChange, KeptOverride } from './change-directory.ts';
import { toRecord } from './entry-values.ts';
import { type Entry, type EntryOf, loginNames } from './read-entries.ts';
import type { DirectorySnapshot } from './snapshot.ts';

/** The number of characters at the end of an API key by which lists and commands identify it. */
export const LAST_FOUR = 4;

/** The errors of an entry that cannot be applied, each as `path: reason` on a line of the message. */
export class EntryErrors extends OperatorError {}

/** The context of planning the change of an entry; the errors of the entry are added to `errors`. */
interface EntryContext {
  readonly directory: DirectorySnapshot;
  readonly errors: string[];
  readonly passwordHash: string | undefined;
}

/** Plans the change of an entry; throws EntryErrors. `passwordHash` is the hash of the password of the entry. */
export async function planEntry(
  entry: Entry,
  directory: DirectorySnapshot,
  passwordHash?: string,
): Promise<DirectoryChange> {
  const errors = await findMissingReferences(entry, directory);
  const change = await planByKind(entry, { directory, errors, passwordHash });
  if (errors.length > 0) throw new EntryErrors(errors.join('\n'));
  return change;
}

async function findMissingReferences({ kind, path, tenant, value }: Entry, directory: DirectorySnapshot) {
  const errors: string[] = [];
  if (kind === 'tenant') return errors;
  const keys = keysIn(tenant);
  if (!(await directory.get(keys.tenant))) return [`${path}: the tenant does not exist`];
  if (kind !== 'company' && !(await directory.get(keys.company(value.company_id)))) {
    errors.push(`${path}.company_id: company ${value.company_id} does not exist`);
  }
  if (kind === 'user' && value.supplier_id && !(await directory.get(keys.supplier(value.supplier_id)))) {
    errors.push(`${path}.supplier_id: supplier ${value.supplier_id} does not exist`);
  }
  return errors;
}

async function planByKind(entry: Entry, context: EntryContext): Promise<DirectoryChange> {
  if (entry.kind === 'user') return planUserEntry(entry, context);
  if (entry.kind === 'api_key') return planApiKeyEntry(entry, context);
  const { directory } = context;
  const { kind, tenant, value } = entry as EntryOf<'tenant' | 'company' | 'supplier'>;
  const key = toEntityKey(kind, tenant, value);
  const { record, keptOverrides } = keepSuspension(kind, toRecord(kind, value, await directory.get(key)));
  return { record: await directory.planChange(key, record), keptOverrides };
}

/** Plans the change of an API key. An entry without a key changes the latest key of its name, or generates a key. */
async function planApiKeyEntry(entry: EntryOf<'api_key'>, context: EntryContext): Promise<DirectoryChange> {
  const { directory, errors } = context;
  const { kind, path, tenant, value } = entry;
  const { company_id, name } = value;
  const keys = keysIn(tenant);
  const { hash, last4, generatedKey } = await identifyKey(entry, directory);
  const key = keys.apiKey(hash);
  const stored = await directory.get(key);
  if (stored && stored.tenant !== tenant) errors.push(`${path}.key: belongs to another tenant`);

  const { record, keptOverrides } = keepSuspension(kind, { ...toRecord(kind, value, stored), tenant, last4 });
  const others: RecordChange[] = [await directory.planChange(keys.listedApiKey(hash), { key_hash: hash })];
  if (stored?.company_id !== company_id || stored.name !== name) {
    others.push(await directory.planChange(keys.apiKeyName(company_id, name), { key_hash: hash }));
  }
  return { record: await directory.planChange(key, record), others, keptOverrides, generatedKey };
}

async function identifyKey({ tenant, value }: EntryOf<'api_key'>, directory: DirectorySnapshot) {
  const keys = keysIn(tenant);
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
async function planUserEntry(entry: EntryOf<'user'>, context: EntryContext): Promise<DirectoryChange> {
  const { directory, passwordHash } = context;
  const { kind, tenant, value } = entry;
  const keys = keysIn(tenant);
  const stored = await directory.get(keys.user(value.user_id));
  const storedAccount = await directory.get(keys.account(value.user_id));
  const { record: user, keptOverrides } = keepSuspension(kind, toRecord(kind, value, stored));
  const others = [...(await planLogins(entry, user, stored, context)), ...(await checkSupplier(entry, user, context))];

  const storedHash = storedAccount?.password_hash;
  const hash = value.password === null ? undefined : (passwordHash ?? storedHash);
  const account = hash || storedHash ? { ...storedAccount, password_hash: hash } : null;
  const endsSessions = stored !== null && (hash !== storedHash || (stored.active && !user.active));
  const change = await planUser(directory, tenant, { user, account, endsSessions });
  return { ...change, others: [...(change.others ?? []), ...others], keptOverrides };
}

/** A user and its account (null: none) after a change, with the `tokens_from` before it. */
export interface ChangedUser {
  readonly user: DirectoryRecord<'user'>;
  readonly account: DirectoryRecord<'account'> | null;
  /** True if all tokens of the user are rejected from now on. */
  readonly endsSessions: boolean;
}

/** Plans the change of a user and its account. */
export async function planUser(
  directory: DirectorySnapshot,
  tenant: string,
  { user, account, endsSessions }: ChangedUser,
): Promise<DirectoryChange> {
  const keys = keysIn(tenant);
  const { user_id, tokens_from } = user;
  const ended = endsSessions ? { tokens_from: nextTokenCutoff(systemClock.now(), tokens_from) } : {};
  return {
    record: await directory.planChange(keys.user(user_id), { ...user, ...ended }),
    others: account ? [await directory.planChange(keys.account(user_id), { ...account, ...ended })] : [],
  };
}

/** Plans the changes of the login names that a user gets, keeps and loses. */
async function planLogins(
  { path, tenant }: EntryOf<'user'>,
  user: DirectoryRecord<'user'>,
  stored: DirectoryRecord<'user'> | null,
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
  { path, tenant, value }: EntryOf<'user'>,
  { supplier_id: supplierId, company_id: companyId }: DirectoryRecord<'user'>,
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

/** A suspension by a command: the field `mark` contains the time, and `property` has the fixed `value`. */
interface Suspension {
  readonly mark: 'stopped_at' | 'revoked_at';
  readonly property: 'status' | 'active';
  readonly value: string | boolean;
  readonly by: string;
  /** The command that ends the suspension, or null. */
  readonly endedBy: string | null;
}

const SUSPENSIONS: { readonly [Kind in EntityKind]?: Suspension } = {
  company: {
    mark: 'stopped_at',
    property: 'status',
    value: 'SUSPENDED',
    by: 'suspend-company',
    endedBy: 'resume-company',
  },
  user: { mark: 'stopped_at', property: 'active', value: false, by: 'deactivate-user', endedBy: 'activate-user' },
  api_key: { mark: 'revoked_at', property: 'status', value: 'INACTIVE', by: 'revoke-key', endedBy: null },
};

/** Returns the time of the first suspension of an entity, or undefined if the suspension ends. */
export function markSuspended(isSuspended: boolean, since: string | undefined): string | undefined {
  return isSuspended ? (since ?? systemClock.now().toISOString()) : undefined;
}

/** Keeps a record suspended if a command suspended it, and returns the values of the file that are ignored. */
function keepSuspension<Kind extends EntityKind>(kind: Kind, record: DirectoryRecord<Kind>) {
  const suspension = SUSPENSIONS[kind];
  const fields = record as Attributes;
  const since = suspension && (fields[suspension.mark] as string | undefined);
  if (!suspension || since === undefined) return { record, keptOverrides: [] };
  const { property, value, by, endedBy } = suspension;
  const end = endedBy ? `to end this, run ${endedBy}` : 'this is permanent; to issue a new key, run issue-key';
  const kept: KeptOverride = { property, value, reason: `${by} was run at ${since}; ${end}` };
  return { record: { ...record, [property]: value }, keptOverrides: fields[property] === value ? [] : [kept] };
}
