import { hashApiKey } from '../../auth/api-keys.ts';
import { endOf, startOf } from '../../domain/iso-date.ts';
import { newUuid } from '../../runtime/ids.ts';
import type { DirectoryChange } from '../directory/change.ts';
import { type DirectoryRecord, keysIn } from '../ports/directory-records.ts';
import type { DirectorySnapshot } from '../directory/snapshot.ts';
import { leftAlone } from '../directory/stops.ts';
import type { EntryContext, EntryOf } from './directory-entries.ts';

type KeyEntry = EntryOf<'api_key'>;

/** The change to what an entry says of an API key; one that is left out is the latest of its name, or is made up. */
export async function changeApiKeyEntry(
  entry: KeyEntry,
  { directory, faults }: EntryContext,
): Promise<DirectoryChange> {
  const { kind, path, tenant, value } = entry;
  const { company_id, name, scope } = value;
  const keys = keysIn(tenant);
  const { hash, last4, generatedKey } = await identify(entry, directory);
  const key = keys.apiKey(hash);
  const stored = await directory.get(key);
  if (stored && stored.tenant !== tenant) faults.push(`${path}.key: belongs to another tenant`);

  const record: DirectoryRecord<'apiKey'> = {
    tenant,
    company_id,
    name,
    scope,
    status: stored?.revoked_at ? 'INACTIVE' : value.status,
    valid_from: startOf(value.valid_from),
    valid_until: endOf(value.valid_until),
    last4,
    ...(stored?.revoked_at && { revoked_at: stored.revoked_at }),
  };
  const pointers = [await directory.changeTo(keys.listedApiKey(hash), { key_hash: hash })];
  if (stored?.company_id !== company_id || stored.name !== name) {
    pointers.push(await directory.changeTo(keys.apiKeyName(company_id, name), { key_hash: hash }));
  }
  return {
    subject: { kind, tenant, company_id, name },
    record: await directory.changeTo(key, record),
    others: pointers,
    leftAlone: leftAlone(kind, value.status, stored?.revoked_at),
    generatedKey,
  };
}

async function identify({ tenant, value }: KeyEntry, directory: DirectorySnapshot) {
  const keys = keysIn(tenant);
  if (value.key) return { hash: hashApiKey(value.key), last4: lastFour(value.key) };

  const pointer = await directory.get(keys.apiKeyName(value.company_id, value.name));
  const named = pointer && (await directory.get(keys.apiKey(pointer.key_hash)));
  // A key that was renamed since is no longer the one of this name.
  if (pointer && named?.company_id === value.company_id && named.name === value.name) {
    return { hash: pointer.key_hash, last4: named.last4 };
  }
  const generatedKey = newUuid();
  return { hash: hashApiKey(generatedKey), last4: lastFour(generatedKey), generatedKey };
}

function lastFour(key: string): string {
  return key.slice(-4).toLowerCase();
}
