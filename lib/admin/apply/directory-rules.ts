import { hashApiKey } from '../../auth/api-keys.ts';
import { endOf, startOf } from '../../domain/iso-date.ts';
import { decimal } from '../../domain/money.ts';
import { missingLimit, type ToleranceConfig } from '../../domain/tolerance.ts';
import { keysIn, nameOf, type RecordKey } from '../ports/directory-records.ts';
import { OperatorError } from '../operator-error.ts';
import { type Entry, type EntryOf, type FaultyEntry, findFaults } from './directory-entries.ts';
import type { EntryKind, ToleranceValue } from './directory-schemas.ts';

/**
 * Applies the rules that a schema cannot express and that need no look into the directory; of two duplicates the second
 * is at fault.
 */
export function checkRules(entries: readonly Entry[]): { entries: Entry[]; rejections: FaultyEntry[] } {
  const claimed = new Map<string, string>();
  const keyed = new Map(
    entries.flatMap((entry) => (entry.kind === 'api_key' && entry.value.key ? [[keyName(entry), entry.path]] : [])),
  );
  const rejections = entries.flatMap((entry) => {
    const faults = [...ownFaults(entry), ...duplicates(entry, claimed), ...sharedName(entry, keyed)];
    return faults.length > 0 ? [{ ...entry, faults }] : [];
  });
  const rejected = new Set(rejections.map(({ path }) => path));
  return { entries: entries.filter(({ path }) => !rejected.has(path)), rejections };
}

/** The entry, with which no file would be at fault; throws an OperatorError that names its faults. */
export function checkedEntry<Kind extends EntryKind>(entry: EntryOf<Kind>): EntryOf<Kind> {
  const faults = findFaults[entry.kind](entry.value, entry.path);
  if (faults.length === 0) faults.push(...checkRules([entry]).rejections.flatMap((rejection) => rejection.faults));
  if (faults.length > 0) throw new OperatorError(faults.join('\n'));
  return entry;
}

function keyName({ tenant, value }: EntryOf<'api_key'>): string {
  return nameOf(keysIn(tenant).apiKeyName(value.company_id, value.name));
}

/** An entry without a key means the key of its name: no other entry may have that name. */
function sharedName(entry: Entry, keyed: ReadonlyMap<string, string>): string[] {
  if (entry.kind !== 'api_key' || entry.value.key) return [];
  const other = keyed.get(keyName(entry));
  return other === undefined ? [] : [`${entry.path}.name: is that of ${other}, whose key is given: take another name`];
}

/** The tolerance that an entry configures, or null. */
export function toToleranceConfig(value: ToleranceValue | null | undefined): ToleranceConfig | null {
  if (!value) return null;
  const limit = (written: number | null | undefined) => (typeof written === 'number' ? decimal(String(written)) : null);
  return {
    mode: value.mode,
    pct: limit(value.tolerance_pct),
    abs: limit(value.tolerance_abs),
    autoApprove: value.auto_approve,
  };
}

/** The names with which a user can log in, lower case. */
export function loginNames({ email, username }: { email: string; username?: string | null | undefined }): string[] {
  return [...new Set([email, username ?? email].map((name) => name.toLowerCase()))];
}

function ownFaults(entry: Entry): string[] {
  switch (entry.kind) {
    case 'tenant':
    case 'supplier': {
      const config = toToleranceConfig(entry.value.tolerance);
      const missing = config && missingLimit(config);
      return missing ? [`${entry.path}.tolerance.${missing}: is required in mode ${config.mode}`] : [];
    }
    case 'api_key': {
      const { valid_from: from, valid_until: until } = entry.value;
      return startOf(from) > endOf(until) ? [`${entry.path}.valid_until: is before valid_from`] : [];
    }
    case 'user':
    case 'company':
      return [];
  }
}

/** Claims the records that an entry alone may have, and names what an earlier entry has claimed before. */
function duplicates(entry: Entry, claimed: Map<string, string>): string[] {
  return claimsOf(entry).flatMap(([property, key]) => {
    const owner = claimed.get(nameOf(key));
    if (owner !== undefined && owner !== entry.path) return [`${entry.path}.${property}: is already that of ${owner}`];
    claimed.set(nameOf(key), entry.path);
    return [];
  });
}

function claimsOf({ kind, tenant, value }: Entry): [property: string, key: RecordKey][] {
  const keys = keysIn(tenant);
  switch (kind) {
    case 'tenant':
      return [['tenant', keys.tenant]];
    case 'company':
      return [['company_id', keys.company(value.company_id)]];
    case 'supplier':
      return [['supplier_id', keys.supplier(value.supplier_id)]];
    case 'user':
      return [
        ['user_id', keys.user(value.user_id)],
        ['email', keys.login(value.email)],
        ...(value.username ? [['username', keys.login(value.username)] satisfies [string, RecordKey]] : []),
      ];
    case 'api_key':
      // A key that is left out is known by its name.
      return value.key
        ? [['key', keys.apiKey(hashApiKey(value.key))]]
        : [['name', keys.apiKeyName(value.company_id, value.name)]];
  }
}
