import { hashApiKey } from '../../auth/api-keys.ts';
import { endOf, startOf } from '../../domain/iso-date.ts';
import { newUuid } from '../../runtime/ids.ts';
import type { DirectoryRecord, Place } from '../../storage/directory/directory-records.ts';
import { type DirectoryState, placesIn } from '../directory/directory-state.ts';
import { type Plan, planRecords, type Refusal } from '../directory/plan.ts';
import { leftAlone } from '../directory/stopped-by-command.ts';
import type { EntryOf } from './directory-entries.ts';

type KeyEntry = EntryOf<'api_key'>;

/** The records on which the plan of an API key depends. */
export function placesOfApiKey({ tenant, value }: KeyEntry, state: DirectoryState): Place[] {
  const places = placesIn(tenant);
  const name = places.apiKeyName(value.company_id, value.name);
  const hash = value.key ? hashApiKey(value.key) : state.get(name)?.key_hash;
  return [name, ...(hash ? [places.apiKey(hash), places.listedApiKey(hash)] : [])];
}

/** Plans an API key; one that is left out is the latest of its company and name, or is made up. */
export function planApiKey(entry: KeyEntry, state: DirectoryState): Plan | Refusal {
  const { path, tenant, value } = entry;
  const places = placesIn(tenant);
  const { hash, last4, generatedKey } = identify(entry, state);
  const place = places.apiKey(hash);
  const stored = state.get(place);
  if (stored && stored.tenant !== tenant) return { faults: [`${path}.key: belongs to another tenant`] };

  const record: DirectoryRecord<'apiKey'> = {
    tenant,
    company_id: value.company_id,
    name: value.name,
    scope: value.scope,
    status: stored?.revoked_at ? 'INACTIVE' : value.status,
    valid_from: startOf(value.valid_from),
    valid_until: endOf(value.valid_until),
    last4,
    ...(stored?.revoked_at && { revoked_at: stored.revoked_at }),
  };
  const isNamedSo = stored?.company_id === value.company_id && stored.name === value.name;
  const pointers = [
    state.changeTo(places.listedApiKey(hash), { key_hash: hash }),
    ...(isNamedSo ? [] : [state.changeTo(places.apiKeyName(value.company_id, value.name), { key_hash: hash })]),
  ];
  return {
    ...planRecords(state.changeTo(place, record), ...pointers),
    ...leftAlone('api_key', value.status, stored?.revoked_at),
    ...(generatedKey && { generatedKey }),
  };
}

function identify({ tenant, value }: KeyEntry, state: DirectoryState) {
  const places = placesIn(tenant);
  if (value.key) return { hash: hashApiKey(value.key), last4: lastFour(value.key) };

  const pointer = state.get(places.apiKeyName(value.company_id, value.name));
  const named = pointer && state.get(places.apiKey(pointer.key_hash));
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
