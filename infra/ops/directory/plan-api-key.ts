import { hashApiKey } from '../../../lib/access/access-rules.ts';
import type { FileValue } from '../../../lib/domain/directory-fields.ts';
import { newUuid } from '../../../lib/runtime/ids.ts';
import type { RecordChange } from '../tables/directory-records.ts';
import type { DirectoryChange } from './change-result.ts';
import { mergeEntry } from './entry-fields.ts';
import type { EntryContext } from './read-entries.ts';

/** Lists and commands identify an API key by its last 4 characters. */
export const LAST4_LENGTH = 4;

// Matches the API keys of the demo data, which everybody can read, and the zero UUID.
const PUBLIC_KEY = /^(?:7a1e9c52-3f0b-4d68-9b1f-5c2d84e6|[0-]+$)/i;

/** Plans the change of an API key. An entry without a key changes the latest key of its name, or generates a key. */
export async function planApiKeyEntry(value: FileValue<'api_key'>, context: EntryContext): Promise<DirectoryChange> {
  const { directory, tenant, keys, demoPassword, reject } = context;
  const isLocal = demoPassword !== undefined;
  if (!isLocal && PUBLIC_KEY.test(value.key ?? '')) reject('key', 'is public; without it, apply generates a key');
  const { hash, last4, generatedKey } = await identifyKey(value, context);
  const key = keys.apiKey(hash);
  const stored = await directory.get(key);
  if (stored && stored.tenant !== tenant) reject('key', 'belongs to another tenant');

  const { record, keptOverrides } = mergeEntry('api_key', value, stored);
  const entity = await directory.planChange(key, { ...record, tenant, last4 });
  const pointers: RecordChange[] = [await directory.planChange(keys.listedApiKey(hash), { key_hash: hash })];
  const isRenamed = stored?.company_id !== value.company_id || stored.name !== value.name;
  if (isRenamed) {
    const nameKey = keys.apiKeyName(value.company_id, value.name);
    pointers.push(await directory.planChange(nameKey, { key_hash: hash }));
  }
  return { entity, relatedChanges: pointers, keptOverrides, generatedKey };
}

interface KeyIdentity {
  readonly hash: string;
  readonly last4: string;
  readonly generatedKey?: string;
}

/** Returns the key of an entry, else the latest key of its name, else a generated key. */
async function identifyKey(value: FileValue<'api_key'>, context: EntryContext): Promise<KeyIdentity> {
  if (value.key) return toIdentity(value.key);
  const namedKey = await findNamedKey(value, context);
  if (namedKey) return namedKey;
  const generatedKey = newUuid();
  return { ...toIdentity(generatedKey), generatedKey };
}

function toIdentity(key: string): KeyIdentity {
  return { hash: hashApiKey(key), last4: key.slice(-LAST4_LENGTH).toLowerCase() };
}

async function findNamedKey(value: FileValue<'api_key'>, context: EntryContext): Promise<KeyIdentity | null> {
  const { directory, keys } = context;
  const { company_id: companyId, name } = value;
  const pointer = await directory.get(keys.apiKeyName(companyId, name));
  if (!pointer) return null;
  const record = await directory.get(keys.apiKey(pointer.key_hash));
  // A key that was renamed later no longer has this name.
  if (record?.company_id !== companyId || record.name !== name) return null;
  return { hash: pointer.key_hash, last4: record.last4 };
}
