import { hashApiKey, nextTokenCutoff } from '../../../lib/access/access-rules.ts';
import type { DirectoryRecord, EntityKind, FileValue } from '../../../lib/domain/directory-fields.ts';
import { foldLoginName } from '../../../lib/domain/directory.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { newUuid } from '../../../lib/runtime/ids.ts';
import type { Attributes } from '../../../lib/tables/dynamodb/reads.ts';
import { OperatorError } from '../operator-errors.ts';
import { keysIn, type RecordChange, type RecordKey } from '../tables/directory-records.ts';
import type { DirectoryChange, DirectorySnapshot } from './change-directory.ts';
import { findPasswordError, toPasswordHash } from './password-rules.ts';
import { type Entry, findErrors, toFileEntry, toRecordFields } from './read-entries.ts';

/** Lists and commands identify an API key by its last 4 characters. */
export const LAST4_LENGTH = 4;

/** The errors of an entry that cannot be applied, each as `path: reason`. */
export class EntryErrors extends OperatorError {
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(errors.join('\n'));
    this.errors = errors;
  }
}

interface EntryContext {
  readonly directory: DirectorySnapshot;
  readonly tenant: string;
  readonly keys: ReturnType<typeof keysIn>;
  /** The password that no rule rejects. */
  readonly demoPassword: string | undefined;
  /** Adds an error of a property of the entry. */
  readonly reject: (property: string, reason: string) => void;
}

/** Plans the change of an entry; throws EntryErrors. */
export async function planEntry(
  entry: Entry,
  directory: DirectorySnapshot,
  demoPassword?: string,
): Promise<DirectoryChange> {
  const { kind, path, tenant, value } = entry;
  const errors = findErrors(entry);
  if (errors.length > 0) throw new EntryErrors(errors);

  const keys = keysIn(tenant);
  const reject = (property: string, reason: string) => void errors.push(`${path}.${property}: ${reason}`);
  if (kind !== 'tenant' && kind !== 'company' && !(await directory.get(keys.company(value.company_id)))) {
    reject('company_id', `company ${value.company_id} does not exist`);
  }
  const change = await planByKind(entry, { directory, tenant, keys, demoPassword, reject });
  if (errors.length > 0) throw new EntryErrors(errors);
  return change;
}

/** Plans a change of properties of a stored entity by the rules of a file; throws an OperatorError. */
export async function planPropertyChange<Kind extends 'tenant' | 'supplier' | 'user'>(
  directory: DirectorySnapshot,
  key: RecordKey<Kind>,
  changes: Partial<FileValue<Kind>>,
  demoPassword?: string,
): Promise<DirectoryChange> {
  const value = { ...toFileEntry(key.kind, await directory.getExisting(key)), ...changes };
  const entry = { kind: key.kind, path: key.kind, tenant: key.tenant, value };
  return planEntry(entry as unknown as Entry, directory, demoPassword);
}

async function planByKind({ kind, value }: Entry, context: EntryContext): Promise<DirectoryChange> {
  const { directory, keys } = context;
  if (kind === 'tenant') return planRecord(keys.tenant, value, directory);
  if (kind === 'company') return planRecord(keys.company(value.company_id), value, directory);
  if (kind === 'supplier') return planRecord(keys.supplier(value.supplier_id), value, directory);
  if (kind === 'user') return planUserEntry(value, context);
  return planApiKeyEntry(value, context);
}

async function planRecord<Kind extends EntityKind>(
  key: RecordKey<Kind>,
  value: FileValue<Kind>,
  directory: DirectorySnapshot,
): Promise<DirectoryChange> {
  const { record, keptOverrides } = mergeEntry(key.kind, value, await directory.get(key));
  return { changes: [await directory.planChange(key, record)], keptOverrides };
}

// Matches the API keys of the demo data, which everybody can read, and the zero UUID.
const PUBLIC_KEY = /^(?:7a1e9c52-3f0b-4d68-9b1f-5c2d84e6|[0-]+$)/i;

/** Plans the change of an API key. An entry without a key changes the latest key of its name, or generates a key. */
async function planApiKeyEntry(value: FileValue<'api_key'>, context: EntryContext): Promise<DirectoryChange> {
  const { directory, tenant, keys, demoPassword, reject } = context;
  // Only the service on this machine has a demo password.
  if (demoPassword === undefined && PUBLIC_KEY.test(value.key ?? ''))
    reject('key', 'is public; without it, apply generates a key');
  const { hash, last4, generatedKey } = await identifyKey(value, context);
  const key = keys.apiKey(hash);
  const stored = await directory.get(key);
  if (stored && stored.tenant !== tenant) reject('key', 'belongs to another tenant');

  const { record, keptOverrides } = mergeEntry('api_key', value, stored);
  const change = await directory.planChange(key, { ...record, tenant, last4 });
  const pointers: RecordChange[] = [await directory.planChange(keys.listedApiKey(hash), { key_hash: hash })];
  if (stored?.company_id !== value.company_id || stored.name !== value.name) {
    const nameKey = keys.apiKeyName(value.company_id, value.name);
    pointers.push(await directory.planChange(nameKey, { key_hash: hash }));
  }
  return { changes: [change, ...pointers], keptOverrides, generatedKey };
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
  const key = value.key ?? newUuid();
  const generatedKey = value.key ? undefined : key;
  return { hash: hashApiKey(key), last4: key.slice(-LAST4_LENGTH).toLowerCase(), generatedKey };
}

/** Plans the changes that an entry makes to a user, its login names and its account. */
async function planUserEntry(value: FileValue<'user'>, context: EntryContext): Promise<DirectoryChange> {
  const { directory, tenant, keys, demoPassword, reject } = context;
  const stored = await directory.get(keys.user(value.user_id));
  if (stored?.erased_at) {
    reject('user_id', `user ${value.user_id} was erased at ${stored.erased_at}; remove the entry, or use another id`);
  }
  const storedAccount = await directory.get(keys.account(value.user_id));
  const { record: user, keptOverrides } = mergeEntry('user', value, stored);
  const loginChanges = await planLogins(user, stored, context);
  const supplierChecks = await checkSupplier(user, context);
  if (value.password && value.password !== demoPassword) {
    const company = await directory.get(keys.company(user.company_id));
    const error = await findPasswordError(value.password, tenant, user, company);
    if (error) reject('password', error);
  }

  const storedHash = storedAccount?.password_hash;
  const keptHash = value.password === null ? undefined : storedHash;
  const hash = value.password ? await hashOnce(value, storedHash) : keptHash;
  const account = hash || storedHash ? { ...storedAccount, password_hash: hash } : null;
  const endsSessions = stored !== null && (hash !== storedHash || (stored.active && !user.active));
  const changes = await planUser(directory, tenant, { user, account, endsSessions });
  return { changes: [...changes, ...loginChanges, ...supplierChecks], keptOverrides };
}

/** The hashes of the passwords of entries. An entry is planned several times, and hashing takes long. */
const passwordHashes = new WeakMap<FileValue<'user'>, Promise<string>>();

function hashOnce(value: FileValue<'user'>, storedHash: string | undefined): Promise<string> {
  const hash = passwordHashes.get(value) ?? toPasswordHash(value.password ?? '', storedHash);
  passwordHashes.set(value, hash);
  return hash;
}

/** A user and its account (null: none) after a change. The value of `tokens_from` is that before the change. */
export interface ChangedUser {
  readonly user: DirectoryRecord<'user'>;
  readonly account: DirectoryRecord<'account'> | null;
  /** True if all tokens of the user are rejected from now on. */
  readonly endsSessions: boolean;
}

/** Plans the changes of a user and its account. If its sessions end, both get a new cutoff of its tokens. */
export async function planUser(directory: DirectorySnapshot, tenant: string, change: ChangedUser) {
  const { user, account, endsSessions } = change;
  const keys = keysIn(tenant);
  const cutoff = endsSessions ? { tokens_from: nextTokenCutoff(systemClock.now(), user.tokens_from) } : {};
  const userChange = await directory.planChange(keys.user(user.user_id), { ...user, ...cutoff });
  if (!account) return [userChange] as const;
  return [userChange, await directory.planChange(keys.account(user.user_id), { ...account, ...cutoff })] as const;
}

type User = DirectoryRecord<'user'>;

/** Plans the changes of the login names that a user gets, keeps and loses. */
async function planLogins(user: User, stored: User | null, { directory, keys, reject }: EntryContext) {
  const { user_id, company_id, supplier_id } = user;
  const names = listLoginNames(user);
  const changes: RecordChange[] = [];
  for (const name of new Set([...names, ...listLoginNames(stored)])) {
    const key = keys.login(name);
    const owner = await directory.get(key);
    const isKept = names.includes(name);
    if (!owner || owner.user_id === user_id) {
      changes.push(await directory.planChange(key, isKept ? { user_id, company_id, supplier_id } : null));
    } else if (isKept) {
      reject(name === foldLoginName(user.email) ? 'email' : 'username', 'is the login name of another user');
    }
  }
  return changes;
}

/** Lists the folded login names of a user: its e-mail and its username. */
export function listLoginNames(user: User | null): string[] {
  return [user?.email, user?.username].flatMap((name) => (name === undefined ? [] : foldLoginName(name)));
}

/** Checks that the supplier of a user belongs to its company. Returns a check that the transaction repeats. */
async function checkSupplier(user: User, { directory, keys, reject }: EntryContext) {
  const { supplier_id: supplierId, company_id: companyId } = user;
  if (supplierId === undefined) return [];
  const key = keys.supplier(supplierId);
  const supplier = await directory.get(key);
  if (!supplier) {
    reject('supplier_id', `supplier ${supplierId} does not exist`);
    return [];
  }
  const { company_id: supplierCompany } = supplier;
  // A company that does not exist is reported as a separate error.
  if (supplierCompany !== companyId && (await directory.get(keys.company(companyId)))) {
    const companies = `belongs to company ${supplierCompany}, and the user to company ${companyId}`;
    reject('supplier_id', `supplier ${supplierId} ${companies}`);
  }
  return [{ key, before: { company_id: supplierCompany } }];
}

/** The suspensions by commands: the property and value that a file cannot change, and the command. */
const SUSPENSIONS = {
  company: { property: 'status', value: 'SUSPENDED', command: 'suspend-company' },
  user: { property: 'active', value: false, command: 'deactivate-user' },
  api_key: { property: 'status', value: 'INACTIVE', command: 'revoke-key' },
};

/**
 * Merges an entry of a file into the stored record (null: none). A field that the entry does not contain keeps its
 * value, and null removes it. A record that a command suspended stays suspended.
 */
function mergeEntry<Kind extends EntityKind>(kind: Kind, value: FileValue<Kind>, stored: DirectoryRecord<Kind> | null) {
  const merged: Attributes = { ...stored, ...toRecordFields(kind, value) };
  const suspendedAt = merged['stopped_at'] ?? merged['revoked_at'];
  if (suspendedAt === undefined) return { record: merged as DirectoryRecord<Kind> };

  const { property, value: keptValue, command } = SUSPENSIONS[kind as keyof typeof SUSPENSIONS];
  const record = { ...merged, [property]: keptValue } as DirectoryRecord<Kind>;
  if (merged[property] === keptValue) return { record };
  const reason = `${command} was run at ${suspendedAt as string}`;
  return { record, keptOverrides: [{ property, value: keptValue, reason }] };
}
