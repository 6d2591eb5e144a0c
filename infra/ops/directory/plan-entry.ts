import { hashApiKey } from '../../../lib/auth/api-keys.ts';
import { keysIn, toEntityKey } from '../../../lib/domain/record-keys.ts';
import { newUuid } from '../../../lib/runtime/ids.ts';
import type { RecordChange } from '../../../lib/storage/directory/directory-records.ts';
import { OperatorError } from '../operator-error.ts';
import type { DirectoryChange } from './change-directory.ts';
import { toRecord } from './entry-values.ts';
import { type EntryContext, planUserEntry } from './plan-user-entry.ts';
import type { Entry, EntryOf } from './read-entries.ts';
import type { DirectorySnapshot } from './snapshot.ts';
import { keepSuspension } from './suspensions.ts';

/** The errors of an entry that cannot be applied, each as `path: reason` on a line of the message. */
export class EntryErrors extends OperatorError {}

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

function planByKind(entry: Entry, context: EntryContext): Promise<DirectoryChange> {
  if (entry.kind === 'user') return planUserEntry(entry, context);
  return entry.kind === 'api_key'
    ? planApiKeyEntry(entry, context)
    : planRecordEntry(entry as EntryOf<RecordEntryKind>, context);
}

async function findMissingReferences(
  { kind, path, tenant, value }: Entry,
  directory: DirectorySnapshot,
): Promise<string[]> {
  if (kind === 'tenant') return [];
  const keys = keysIn(tenant);
  if (!(await directory.get(keys.tenant))) return [`${path}: the tenant does not exist`];
  const errors: string[] = [];
  if (kind !== 'company' && !(await directory.get(keys.company(value.company_id)))) {
    errors.push(`${path}.company_id: company ${value.company_id} does not exist`);
  }
  if (kind === 'user' && value.supplier_id && !(await directory.get(keys.supplier(value.supplier_id)))) {
    errors.push(`${path}.supplier_id: supplier ${value.supplier_id} does not exist`);
  }
  return errors;
}

/** The kinds of entries that change one record. */
type RecordEntryKind = 'tenant' | 'company' | 'supplier';

async function planRecordEntry(
  { kind, tenant, value }: EntryOf<RecordEntryKind>,
  { directory }: EntryContext,
): Promise<DirectoryChange> {
  const key = toEntityKey(kind, tenant, value);
  const { record, keptOverrides } = keepSuspension(kind, toRecord(kind, value, await directory.get(key)));
  return { record: await directory.planChange(key, record), keptOverrides };
}

/** Plans the change of an API key. An entry without a key changes the latest key of its name, or generates a key. */
async function planApiKeyEntry(
  entry: EntryOf<'api_key'>,
  { directory, errors }: EntryContext,
): Promise<DirectoryChange> {
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
  return {
    record: await directory.planChange(key, record),
    others,
    keptOverrides,
    generatedKey,
  };
}

async function identifyKey({ tenant, value }: EntryOf<'api_key'>, directory: DirectorySnapshot) {
  const keys = keysIn(tenant);
  if (value.key) return { hash: hashApiKey(value.key), last4: takeLastFour(value.key) };

  const pointer = await directory.get(keys.apiKeyName(value.company_id, value.name));
  const named = pointer && (await directory.get(keys.apiKey(pointer.key_hash)));
  // A key that was renamed later no longer has this name.
  if (pointer && named?.company_id === value.company_id && named.name === value.name) {
    return { hash: pointer.key_hash, last4: named.last4 };
  }
  const generatedKey = newUuid();
  return { hash: hashApiKey(generatedKey), last4: takeLastFour(generatedKey), generatedKey };
}

function takeLastFour(key: string): string {
  return key.slice(-4).toLowerCase();
}
