import { hashApiKey } from '../../auth/api-keys.ts';
import { endOf, startOf } from '../../domain/iso-date.ts';
import { findMissingLimit } from '../../domain/tolerance.ts';
import { keysIn, type RecordKey, toEntityKey, toKeyText } from '../../domain/record-keys.ts';
import { OperatorError } from '../operator-error.ts';
import { findErrors } from './entry-schemas.ts';
import type { Entry, EntryOf, InvalidEntry } from './read-entries.ts';

/**
 * Applies the rules that a schema cannot express and that need no read of Directory. It rejects the second of two
 * duplicates.
 */
export function checkRules(entries: readonly Entry[]): { entries: Entry[]; rejections: InvalidEntry[] } {
  const claimed = new Map<string, string>();
  const keyed = new Map(
    entries.flatMap((entry) => (entry.kind === 'api_key' && entry.value.key ? [[toKeyName(entry), entry.path]] : [])),
  );
  const rejections = entries.flatMap((entry) => {
    const errors = [...findOwnErrors(entry), ...findDuplicates(entry, claimed), ...findSharedName(entry, keyed)];
    return errors.length > 0 ? [{ ...entry, errors }] : [];
  });
  const rejected = new Set(rejections.map(({ path }) => path));
  return { entries: entries.filter(({ path }) => !rejected.has(path)), rejections };
}

/** Returns the entry if it is valid; else throws an OperatorError with its errors. */
export function checkEntry(entry: Entry): Entry {
  const errors = findErrors[entry.kind](entry.value, entry.path);
  if (errors.length === 0) errors.push(...checkRules([entry]).rejections.flatMap((rejection) => rejection.errors));
  if (errors.length > 0) throw new OperatorError(errors.join('\n'));
  return entry;
}

function toKeyName({ tenant, value }: EntryOf<'api_key'>): string {
  return toKeyText(keysIn(tenant).apiKeyName(value.company_id, value.name));
}

/** An entry without a key identifies the key of its name, so the name must not be that of an entry with a key. */
function findSharedName(entry: Entry, keyed: ReadonlyMap<string, string>): string[] {
  if (entry.kind !== 'api_key' || entry.value.key) return [];
  const other = keyed.get(toKeyName(entry));
  return other === undefined
    ? []
    : [`${entry.path}.name: is also the name of ${other}, which has a key; use another name`];
}

/** Returns the names with which a user can log in, in lower case. */
export function loginNames({ email, username }: { email: string; username?: string | null | undefined }): string[] {
  return [...new Set([email, username ?? email].map((name) => name.toLowerCase()))];
}

function findOwnErrors({ kind, path, value }: Entry): string[] {
  if (kind === 'api_key') {
    const isReversed = startOf(value.valid_from) > endOf(value.valid_until);
    return isReversed ? [`${path}.valid_until: is before valid_from`] : [];
  }
  const tolerance = kind === 'tenant' || kind === 'supplier' ? value.tolerance : null;
  if (!tolerance) return [];
  const { mode, tolerance_pct: pct, tolerance_abs: abs } = tolerance;
  const missing = findMissingLimit(mode, pct, abs);
  return missing ? [`${path}.tolerance.tolerance_${missing}: is required in mode ${mode}`] : [];
}

/** Claims the unique keys of an entry, and returns an error for each key that an earlier entry has claimed. */
function findDuplicates(entry: Entry, claimed: Map<string, string>): string[] {
  return toClaims(entry).flatMap(([property, key]) => {
    const owner = claimed.get(toKeyText(key));
    if (owner !== undefined && owner !== entry.path) return [`${entry.path}.${property}: is already used by ${owner}`];
    claimed.set(toKeyText(key), entry.path);
    return [];
  });
}

function toClaims({ kind, tenant, value }: Entry): [property: string, key: RecordKey][] {
  const keys = keysIn(tenant);
  if (kind === 'api_key') {
    // An entry without a key is identified by its name.
    return value.key
      ? [['key', keys.apiKey(hashApiKey(value.key))]]
      : [['name', keys.apiKeyName(value.company_id, value.name)]];
  }
  const claims: [string, RecordKey][] = [[kind === 'tenant' ? kind : `${kind}_id`, toEntityKey(kind, tenant, value)]];
  if (kind === 'user') claims.push(['email', keys.login(value.email)]);
  if (kind === 'user' && value.username) claims.push(['username', keys.login(value.username)]);
  return claims;
}
