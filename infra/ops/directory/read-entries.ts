import { hashApiKey } from '../../../lib/access/access-rules.ts';
import type { JsonSchema } from '../../../lib/contracts/contract.ts';
import {
  ENTITY_FIELDS,
  type EntityKind,
  type FileFieldKind,
  type FileValue,
  isFileField,
  type RecordField,
  TOLERANCE_FIELDS,
} from '../../../lib/domain/directory-fields.ts';
import { API_KEY_SCOPE } from '../../../lib/domain/directory.ts';
import { endOf, startOf } from '../../../lib/domain/iso-date.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { keysIn, type RecordKey, toEntityKey, toKeyText } from '../tables/record-keys.ts';
import { findMissingLimit } from '../../../lib/domain/tolerance.ts';
import { compileSchema, type FindErrors } from '../find-errors.ts';
import { OperatorError } from '../errors.ts';

/** The lists of a tenant in a file, in an order in which an entry comes after those that it refers to. */
export const LISTS = { companies: 'company', suppliers: 'supplier', users: 'user', api_keys: 'api_key' } as const;

const list = { type: 'array', description: 'must be a list' } as const;
const date = { type: 'string', format: 'iso8601', description: 'must be an ISO 8601 date or date-time' } as const;
const shortText = { type: 'string', format: 'text', maxLength: 200 } as const;
const text = { ...shortText, pattern: '\\S', description: 'must be a string of 1 to 200 characters' } as const;

/** The schemas of values by their kinds; `description` is the reason of an error. */
const BY_KIND = {
  id: {
    type: 'string',
    pattern: `^[0-9]{1,${LIMITS.idDigits}}$`,
    description: `must be a string of 1 to ${LIMITS.idDigits} digits`,
  },
  domain: {
    type: 'string',
    pattern: '^[a-z0-9.-]{1,253}$',
    description: 'must be a domain of lower-case letters, digits, dots and hyphens',
  },
  text,
  email: {
    ...shortText,
    pattern: '^[^\\s@]+@[^\\s@]+$',
    description: 'must be an e-mail address of at most 200 characters',
  },
  username: { ...shortText, pattern: '^\\S+$', description: 'must be a string of 1 to 200 characters without spaces' },
  password: { type: 'string', minLength: 1, description: 'must be a string that is not empty' },
  uuid: { type: 'string', format: 'uuid', description: 'must be a UUID' },
  scope: { type: 'string', const: API_KEY_SCOPE, description: `must be ${API_KEY_SCOPE}` },
  texts: { ...list, items: text },
  flag: { type: 'boolean', description: 'must be true or false' },
  'start-date': date,
  'end-date': date,
  limit: {
    type: 'number',
    format: 'limit',
    description: `must be a number from 0 to ${LIMITS.amountMax} with at most 6 decimals`,
  },
} as const satisfies Readonly<Record<Exclude<FileFieldKind, 'choice' | 'tolerance'>, JsonSchema>>;

const lists = Object.fromEntries(Object.keys(LISTS).map((name) => [name, list]));

/** Finds the schema errors of an entry, by kind. The entries of the lists of a tenant are validated separately. */
const findSchemaErrors: Readonly<Record<EntityKind, FindErrors>> = {
  tenant: compileSchema(toSchema(ENTITY_FIELDS.tenant, lists)),
  company: compileSchema(toSchema(ENTITY_FIELDS.company)),
  supplier: compileSchema(toSchema(ENTITY_FIELDS.supplier)),
  user: compileSchema(toSchema(ENTITY_FIELDS.user)),
  api_key: compileSchema(toSchema(ENTITY_FIELDS.api_key)),
};

/** Returns the schema of an object with these fields and other properties. An optional field may also be null. */
function toSchema(specs: readonly RecordField[], others: Readonly<Record<string, JsonSchema>> = {}) {
  const fields = specs.filter(isFileField);
  const properties = fields.map((field) => {
    const schema = toFieldSchema(field);
    return [field.name, field.isOptional ? { ...schema, type: [schema['type'], 'null'] } : schema];
  });
  return {
    type: 'object',
    additionalProperties: false,
    required: fields.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
    properties: { ...Object.fromEntries(properties), ...others },
    description: 'must be an object',
  } as const;
}

function toFieldSchema({ kind, choices = [] }: RecordField): JsonSchema {
  if (kind === 'tolerance') return toSchema(TOLERANCE_FIELDS);
  if (kind !== 'choice') return BY_KIND[kind as keyof typeof BY_KIND];
  const description = choices.length > 2 ? `must be one of ${choices.join(', ')}` : `must be ${choices.join(' or ')}`;
  return { type: 'string', enum: choices, description };
}

/** A valid entry of a file. `path` is its location in the file, such as `tenants[0].users[2]`. */
export interface EntryOf<Kind extends EntityKind, Value = FileValue<Kind>> {
  readonly kind: Kind;
  readonly path: string;
  readonly tenant: string;
  readonly value: Value;
}

export type Entry = { [Kind in EntityKind]: EntryOf<Kind> }[EntityKind];

/** An entry that is not applied, with every error as `path: reason`. */
export interface Rejection {
  readonly path: string;
  readonly errors: readonly string[];
}

/** The rejection of an entry that violates its schema or a rule. */
export interface InvalidEntry extends EntryOf<EntityKind, unknown>, Rejection {}

/**
 * Reads the entries of a directory file, and rejects those that violate their schema or a rule that needs no read of
 * Directory. An entry comes after the entries that it refers to. Throws an OperatorError if there is no list of tenants.
 */
export function readEntries(document: unknown): { entries: Entry[]; rejections: InvalidEntry[] } {
  const entries: Entry[] = [];
  const rejections: InvalidEntry[] = [];
  const claims: Claims = new Map();
  for (const entry of listEntries(document)) {
    const errors = findErrors(entry as Entry, claims);
    if (errors.length > 0) rejections.push({ ...entry, errors });
    else entries.push(entry as Entry);
  }
  return { entries, rejections };
}

function* listEntries(document: unknown): Generator<EntryOf<EntityKind, unknown>> {
  const tenants = (document as { tenants?: unknown } | null)?.tenants;
  if (!Array.isArray(tenants)) throw new OperatorError('The file has no list "tenants".');
  for (const [position, value] of tenants.entries()) {
    const path = `tenants[${position}]`;
    const tenant = String(value?.tenant);
    yield { kind: 'tenant', path, tenant, value };
    for (const [name, kind] of Object.entries(LISTS)) {
      const values: unknown = value?.[name];
      if (!Array.isArray(values)) continue;
      for (const [index, item] of values.entries())
        yield { kind, path: `${path}.${name}[${index}]`, tenant, value: item };
    }
  }
}

/** Returns the entry if it is valid; else throws an OperatorError with its errors. */
export function checkEntry(entry: Entry): Entry {
  const errors = findErrors(entry, new Map());
  if (errors.length > 0) throw new OperatorError(errors.join('\n'));
  return entry;
}

/** The entries that have claimed a key; several entries can have a key that is shared. */
type Claims = Map<string, { readonly path: string; readonly isShared: boolean }>;

/** Finds the errors of an entry, such as a key that an earlier entry has claimed, and claims the keys of the entry. */
function findErrors(entry: Entry, claims: Claims): string[] {
  const { kind, path, value } = entry;
  const errors = findSchemaErrors[kind](value, path);
  if (errors.length > 0) return errors;
  errors.push(...findOwnErrors(entry));
  for (const { property, key, isShared = false } of toClaims(entry)) {
    const owner = claims.get(toKeyText(key));
    claims.set(toKeyText(key), owner ?? { path, isShared });
    if (!owner || owner.path === path || (owner.isShared && isShared)) continue;
    errors.push(`${path}.${property}: is already used by ${owner.path}`);
  }
  return errors;
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

function toClaims({ kind, tenant, value }: Entry): { property: string; key: RecordKey; isShared?: boolean }[] {
  const keys = keysIn(tenant);
  if (kind === 'api_key') {
    // An entry without a key is identified by its name. Several entries with a key can have one name.
    const name = { property: 'name', key: keys.apiKeyName(value.company_id, value.name), isShared: Boolean(value.key) };
    return value.key ? [{ property: 'key', key: keys.apiKey(hashApiKey(value.key)) }, name] : [name];
  }
  const id = { property: kind === 'tenant' ? kind : `${kind}_id`, key: toEntityKey(kind, tenant, value) };
  if (kind !== 'user') return [id];
  const { email, username } = value;
  const names = username ? { email, username } : { email };
  return [id, ...Object.entries(names).map(([property, name]) => ({ property, key: keys.login(name) }))];
}

/** Returns the names with which a user can log in, in lower case. */
export function loginNames({ email, username }: { email: string; username?: string | null | undefined }): string[] {
  return [...new Set([email, username ?? email].map((name) => name.toLowerCase()))];
}
