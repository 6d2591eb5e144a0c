import type { JsonSchema } from '../../../lib/contracts/contract.ts';
import {
  ENTITY_FIELDS,
  type EntityKind,
  type FileFieldKind,
  type FileValue,
  isComparedField,
  isFileField,
  type RecordField,
  TOLERANCE_FIELDS,
} from '../../../lib/domain/directory-fields.ts';
import { API_KEY_SCOPE } from '../../../lib/domain/directory.ts';
import { toEndInstant, toStartInstant } from '../../../lib/domain/iso-date.ts';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { decimal, isDecimal } from '../../../lib/domain/money.ts';
import { dateForms } from '../../../lib/domain/texts.ts';
import { findMissingLimit } from '../../../lib/domain/tolerance.ts';
import type { Attributes } from '../../../lib/tables/dynamodb/reads.ts';
import { compileSchema, type FindErrors } from '../input/compile-schema.ts';
import { OperatorError } from '../operator-errors.ts';

/** The lists of a tenant in a file, in an order in which an entry comes after those that it refers to. */
export const LISTS = { companies: 'company', suppliers: 'supplier', users: 'user', api_keys: 'api_key' } as const;

/** Builds the schema of a string. Its description is the message of its errors. */
function buildString(description: string, rules: JsonSchema): JsonSchema {
  return { type: 'string', description, ...rules };
}

const list = { type: 'array', description: 'must be a list' };
const shortText = { format: 'text', maxLength: 200 };
const text = buildString('must be a string of 1 to 200 characters', { ...shortText, pattern: '\\S' });
const date = buildString(`must be ${dateForms.en}`, { format: 'iso8601' });

const SCHEMAS: Readonly<Record<Exclude<FileFieldKind, 'choice' | 'tolerance'>, JsonSchema>> = {
  id: buildString(`must be a string of 1 to ${LIMITS.idDigits} digits`, { pattern: `^[0-9]{1,${LIMITS.idDigits}}$` }),
  domain: buildString('must be a domain of lower-case letters, digits, dots and hyphens', {
    pattern: '^[a-z0-9.-]{1,253}$',
  }),
  text,
  email: buildString('must be an e-mail address of at most 200 characters', {
    ...shortText,
    pattern: '^\\s*[^\\s@]+@[^\\s@]+\\s*$',
  }),
  username: buildString('must be a string of 1 to 200 characters without spaces', { ...shortText, pattern: '^\\S+$' }),
  password: buildString('must be a string that is not empty', { minLength: 1 }),
  uuid: buildString('must be a UUID', { format: 'uuid' }),
  scope: buildString(`must be ${API_KEY_SCOPE}`, { const: API_KEY_SCOPE }),
  texts: { ...list, items: text },
  flag: { type: 'boolean', description: 'must be true or false' },
  'start-date': date,
  'end-date': date,
  limit: {
    type: 'number',
    format: 'limit',
    description: `must be a number from 0 to ${LIMITS.amountMax} with at most 6 decimals`,
  },
};

/** The functions that validate an entry of each kind. The entries in the lists of a tenant are validated separately. */
const findSchemaErrors = Object.fromEntries(
  Object.entries(ENTITY_FIELDS).map(([kind, fields]) => {
    const lists = kind === 'tenant' ? Object.keys(LISTS).map((name) => [name, list]) : [];
    return [kind, compileSchema(toSchema(fields, Object.fromEntries(lists)))];
  }),
) as Readonly<Record<EntityKind, FindErrors>>;

/** Returns the schema of an object with these fields and other properties. An optional field can also be null. */
function toSchema(recordFields: readonly RecordField[], otherProperties: JsonSchema): JsonSchema {
  const fields = recordFields.filter(isFileField);
  const properties = fields.map((field) => {
    const schema = toFieldSchema(field);
    return [field.name, field.isOptional ? { ...schema, type: [schema['type'], 'null'] } : schema];
  });
  return {
    type: 'object',
    additionalProperties: false,
    required: fields.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
    properties: { ...Object.fromEntries(properties), ...otherProperties },
    description: 'must be an object',
  };
}

function toFieldSchema({ kind, choices = [] }: RecordField): JsonSchema {
  if (kind === 'tolerance') return toSchema(TOLERANCE_FIELDS, {});
  if (kind !== 'choice') return SCHEMAS[kind as keyof typeof SCHEMAS];
  const options = choices.length > 2 ? `one of ${choices.join(', ')}` : choices.join(' or ');
  return buildString(`must be ${options}`, { enum: choices });
}

/** An entry of a file. `path` is its location in the file, such as `tenants[0].users[2]`. */
export interface EntryOf<Kind extends EntityKind> {
  readonly kind: Kind;
  readonly path: string;
  readonly tenant: string;
  readonly value: FileValue<Kind>;
}

export type Entry = { [Kind in EntityKind]: EntryOf<Kind> }[EntityKind];

/**
 * Lists the entries of a directory file, which can be invalid (see findErrors). An entry comes after the entries that it
 * refers to. Throws an OperatorError if there is no list of tenants.
 */
export function* listEntries(document: unknown): Generator<Entry> {
  const tenants = (document as { tenants?: unknown } | null)?.tenants;
  if (!Array.isArray(tenants)) throw new OperatorError('The file has no list "tenants".');
  for (const [position, value] of tenants.entries()) {
    const path = `tenants[${position}]`;
    const tenant = String(value?.tenant);
    yield { kind: 'tenant', path, tenant, value };
    for (const [name, kind] of Object.entries(LISTS)) {
      const values: unknown = value?.[name];
      if (!Array.isArray(values)) continue;
      const entries = values.map((each, index): Entry => {
        return { kind, path: `${path}.${name}[${index}]`, tenant, value: each };
      });
      // Without a key, the name of an entry identifies the latest key of this name, which can be of another entry.
      const lacksKey = (entry: Entry) => entry.kind === 'api_key' && !entry.value?.key;
      yield* entries.toSorted((a, b) => Number(lacksKey(a)) - Number(lacksKey(b)));
    }
  }
}

/** Finds the errors of an entry that need no read of Directory, each as `path: reason`. */
export function findErrors({ kind, path, value }: Entry): string[] {
  const errors = findSchemaErrors[kind](value, path);
  if (errors.length > 0 || kind === 'company' || kind === 'user') return errors;
  if (kind === 'api_key') {
    const isReversed = toStartInstant(value.valid_from) > toEndInstant(value.valid_until);
    return isReversed ? [`${path}.valid_until: is before valid_from`] : [];
  }
  if (!value.tolerance) return [];
  const { mode, tolerance_pct: pct, tolerance_abs: abs } = value.tolerance;
  const missing = findMissingLimit(mode, pct, abs);
  return missing ? [`${path}.tolerance.tolerance_${missing}: is required in mode ${mode}`] : [];
}

/** Converts the fields of an entry to fields of a record. A field that is null becomes undefined. */
export function toRecordFields<Kind extends EntityKind>(kind: Kind, value: FileValue<Kind>): Attributes {
  return mapFields(ENTITY_FIELDS[kind], value, toRecordValue);
}

function toRecordValue(value: unknown, kind: string): unknown {
  if (value === null) return undefined;
  if (kind === 'start-date') return toStartInstant(value as string);
  if (kind === 'end-date') return toEndInstant(value as string);
  if (kind === 'email' || kind === 'username') return (value as string).trim().normalize('NFC');
  if (kind === 'limit') return decimal(value as number);
  if (kind !== 'tolerance') return value;
  const limits = mapFields(TOLERANCE_FIELDS, value as Attributes, toRecordValue);
  // A limit that is null is not stored.
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}

export function toFileEntry(kind: EntityKind, record: Attributes): Attributes {
  return mapFields(ENTITY_FIELDS[kind].filter(isFileField), record, toFileValue);
}

/** Converts a record to an entry of a list: all fields that are neither secret nor written by logins; null if absent. */
export function toListEntry(kind: EntityKind, record: Attributes): Attributes {
  const fields = ENTITY_FIELDS[kind].filter(isComparedField);
  return Object.fromEntries(fields.map(({ name, kind: type }) => [name, toFileValue(record[name] ?? null, type)]));
}

export function toFileValue(value: unknown, kind?: string): unknown {
  if (isDecimal(value)) return value.toNumber();
  return kind === 'tolerance' && value !== null ? mapFields(TOLERANCE_FIELDS, value as Attributes, toFileValue) : value;
}

/** Converts the values of these fields, without those that are absent. */
function mapFields(
  fields: readonly RecordField[],
  values: Attributes,
  convert: (value: unknown, kind: string) => unknown,
): Attributes {
  const present = fields.filter(({ name }) => values[name] !== undefined);
  return Object.fromEntries(present.map(({ name, kind }) => [name, convert(values[name], kind)]));
}
