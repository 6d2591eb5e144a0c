import type { EntityKind, FileValue, RecordField } from '../../../lib/domain/directory-fields.ts';
import { ENTITY_FIELDS, isComparedField, isFileField, TOLERANCE_FIELDS } from '../../../lib/domain/directory-fields.ts';
import { toEndInstant, toStartInstant } from '../../../lib/domain/iso-date.ts';
import { decimal, isDecimal } from '../../../lib/domain/money.ts';
import type { Attributes } from '../../../lib/tables/dynamodb/reads.ts';

/** Converts the fields of an entry to the fields of a record. A field that is null becomes undefined. */
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

/** Converts a record to an entry of a file, with the fields that a file can contain. */
export function toFileEntry(kind: EntityKind, record: Attributes): Attributes {
  return mapFields(ENTITY_FIELDS[kind].filter(isFileField), record, toFileValue);
}

/** Converts a record to an entry of a list, without secrets and fields of logins. An absent field is null. */
export function toListEntry(kind: EntityKind, record: Attributes): Attributes {
  const fields = ENTITY_FIELDS[kind].filter(isComparedField);
  return Object.fromEntries(fields.map(({ name, kind: type }) => [name, toFileValue(record[name] ?? null, type)]));
}

/** Converts a value of a record to a value of a file or a list. A decimal becomes a number. */
export function toFileValue(value: unknown, kind?: string): unknown {
  if (isDecimal(value)) return value.toNumber();
  const isTolerance = kind === 'tolerance' && value !== null;
  return isTolerance ? mapFields(TOLERANCE_FIELDS, value as Attributes, toFileValue) : value;
}

function mapFields(
  fields: readonly RecordField[],
  values: Attributes,
  convert: (value: unknown, kind: string) => unknown,
): Attributes {
  const present = fields.filter(({ name }) => values[name] !== undefined);
  return Object.fromEntries(present.map(({ name, kind }) => [name, convert(values[name], kind)]));
}
