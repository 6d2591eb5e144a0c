import { hashApiKey } from '../../../lib/auth/api-keys.ts';
import type { EntityKind, FileValue } from '../../../lib/domain/directory-fields.ts';
import { endOf, startOf } from '../../../lib/domain/iso-date.ts';
import { keysIn, type RecordKey, toEntityKey, toKeyText } from '../../../lib/domain/record-keys.ts';
import { findMissingLimit } from '../../../lib/domain/tolerance.ts';
import { OperatorError } from '../operator-error.ts';
import { findErrors, LISTS } from './entry-schemas.ts';

/** A valid entry of a file. `path` is its location in the file, such as `tenants[0].users[2]`. */
export type EntryOf<Kind extends EntityKind> = {
  readonly kind: Kind;
  readonly path: string;
  readonly tenant: string;
  readonly value: FileValue<Kind>;
};

/** An entry of any kind. */
export type Entry = { [Kind in EntityKind]: EntryOf<Kind> }[EntityKind];

/** An entry that is not applied, with every error as `path: reason`. */
export interface Rejection {
  readonly path: string;
  readonly errors: readonly string[];
}

/** The rejection of an entry that violates its schema or a rule, with its value. */
export interface InvalidEntry extends Rejection {
  readonly kind: EntityKind;
  readonly tenant: string;
  readonly value: unknown;
}

/**
 * Reads the entries of a directory file, and rejects those that violate their schema or a rule that needs no read of
 * Directory. An entry comes after the entries that it refers to. Throws an OperatorError if there is no list of tenants.
 */
export function readEntries(document: unknown): { entries: Entry[]; rejections: InvalidEntry[] } {
  const tenants = (document as { tenants?: unknown } | null)?.tenants;
  if (!Array.isArray(tenants)) throw new OperatorError('The file has no list "tenants".');
  const entries: Entry[] = [];
  const rejections: InvalidEntry[] = [];
  const add = (kind: EntityKind, path: string, tenant: string, value: unknown) => {
    const errors = findErrors[kind](value, path);
    if (errors.length > 0) rejections.push({ kind, path, tenant, value, errors });
    else entries.push({ kind, path, tenant, value } as Entry);
  };
  for (const [position, value] of tenants.entries()) {
    const path = `tenants[${position}]`;
    const tenant = String(value?.tenant);
    add('tenant', path, tenant, value);
    for (const [list, kind] of Object.entries(LISTS)) {
      const values: unknown = value?.[list];
      if (!Array.isArray(values)) continue;
      for (const [index, item] of values.entries()) add(kind, `${path}.${list}[${index}]`, tenant, item);
    }
  }
  const invalid = findInvalid(entries);
  const paths = new Set(invalid.map(({ path }) => path));
  return { entries: entries.filter(({ path }) => !paths.has(path)), rejections: [...rejections, ...invalid] };
}

/** Returns the entry if it is valid; else throws an OperatorError with its errors. */
export function checkEntry(entry: Entry): Entry {
  const errors = findErrors[entry.kind](entry.value, entry.path);
  if (errors.length === 0) errors.push(...findInvalid([entry]).flatMap((invalid) => invalid.errors));
  if (errors.length > 0) throw new OperatorError(errors.join('\n'));
  return entry;
}

/** Finds the entries that violate a rule that a schema cannot express, such as the second of two duplicates. */
function findInvalid(entries: readonly Entry[]): InvalidEntry[] {
  const claimed = new Map<string, string>();
  const keyed = new Map(
    entries.flatMap((entry) => (entry.kind === 'api_key' && entry.value.key ? [[toKeyName(entry), entry.path]] : [])),
  );
  return entries.flatMap((entry) => {
    const errors = [...findOwnErrors(entry), ...findDuplicates(entry, claimed), ...findSharedName(entry, keyed)];
    return errors.length > 0 ? [{ ...entry, errors }] : [];
  });
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
