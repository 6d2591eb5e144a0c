import {
  type DirectoryRecord,
  ENTITY_FIELDS,
  type EntityKind,
  type FileValue,
  isFileField,
  type RecordField,
  TOLERANCE_FIELDS,
} from '../../../lib/domain/directory-fields.ts';
import { endOf, startOf } from '../../../lib/domain/iso-date.ts';
import { decimal, isDecimal } from '../../../lib/domain/money.ts';
import type { Attributes } from '../../../lib/tables/stored-fields.ts';

/**
 * Merges an entry of a file into the stored record (null: none). A field that the entry does not contain keeps its
 * value, and null removes it. A tolerance is replaced as a whole.
 */
export function toRecord<Kind extends EntityKind>(
  kind: Kind,
  value: FileValue<Kind>,
  stored: DirectoryRecord<Kind> | null,
): DirectoryRecord<Kind> {
  const fields = ENTITY_FIELDS[kind].filter((field: RecordField) => !field.isSecret);
  return readFields(fields, value, stored ?? {}) as DirectoryRecord<Kind>;
}

export function toFileValue<Kind extends EntityKind>(kind: Kind, record: DirectoryRecord<Kind>): FileValue<Kind> {
  return writeFields(ENTITY_FIELDS[kind].filter(isFileField), record) as FileValue<Kind>;
}

/** Converts a record to an entry of a list: the fields of files, and fields that commands write; null if absent. */
export function toListedValue<Kind extends EntityKind>(kind: Kind, record: DirectoryRecord<Kind>): Attributes {
  const fields = ENTITY_FIELDS[kind].filter(
    (field: RecordField) => !field.isSecret && (isFileField(field) || field.writer === 'command'),
  );
  return { ...Object.fromEntries(fields.map(({ name }) => [name, null])), ...writeFields(fields, record) };
}

function readFields(fields: readonly RecordField[], value: Attributes, stored: Attributes): Attributes {
  const entries = fields.map(({ name, kind }) => {
    const named = value[name];
    return [name, named === undefined ? stored[name] : readValue(kind, named)] as const;
  });
  return Object.fromEntries(entries.filter(([, after]) => after !== undefined));
}

function readValue(kind: RecordField['kind'], value: unknown): unknown {
  if (value === null) return undefined;
  if (kind === 'start-date') return startOf(value as string);
  if (kind === 'end-date') return endOf(value as string);
  if (kind === 'limit') return decimal((value as number).toString());
  return kind === 'tolerance' ? readFields(TOLERANCE_FIELDS, value as Attributes, {}) : value;
}

function writeFields(fields: readonly RecordField[], record: Attributes): Attributes {
  const entries = fields.map(({ name, kind }) => [name, writeValue(kind, record[name])] as const);
  return Object.fromEntries(entries.filter(([, written]) => written !== undefined));
}

function writeValue(kind: RecordField['kind'], value: unknown): unknown {
  if (isDecimal(value)) return value.toNumber();
  return kind === 'tolerance' && value ? writeFields(TOLERANCE_FIELDS, value as Attributes) : value;
}
