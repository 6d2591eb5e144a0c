import type { DirectoryRecord, EntityKind, FileValue, RecordField } from '../../../lib/domain/directory-fields.ts';
import { ENTITY_FIELDS, isComparedField, isFileField, TOLERANCE_FIELDS } from '../../../lib/domain/directory-fields.ts';
import { toEndInstant, toStartInstant } from '../../../lib/domain/iso-date.ts';
import { decimal, isDecimal } from '../../../lib/domain/money.ts';
import type { Attributes } from '../../../lib/tables/dynamodb/reads.ts';

/** A command that suspends an entity: it sets the field `property` to `value`, and records the time in `timeField`. */
type Suspension = Readonly<Record<'command' | 'property' | 'timeField', string> & { value: string | boolean }>;

const SUSPENSIONS: Readonly<Partial<Record<EntityKind, Suspension>>> = {
  company: { command: 'suspend-company', property: 'status', value: 'SUSPENDED', timeField: 'stopped_at' },
  user: { command: 'deactivate-user', property: 'active', value: false, timeField: 'stopped_at' },
  api_key: { command: 'revoke-key', property: 'status', value: 'INACTIVE', timeField: 'revoked_at' },
};

/** Merges an entry into a stored record. An absent field keeps its value, null removes it, and a suspension remains. */
export function mergeEntry<Kind extends EntityKind>(
  kind: Kind,
  value: FileValue<Kind>,
  stored: DirectoryRecord<Kind> | null,
) {
  const newFields = mapFields(ENTITY_FIELDS[kind], value, toRecordValue);
  const merged: Attributes = { ...stored, ...newFields };
  const suspension = SUSPENSIONS[kind];
  const suspendedAt = suspension && merged[suspension.timeField];
  if (!suspension || suspendedAt === undefined) return { record: merged as DirectoryRecord<Kind> };

  const { command, property, value: keptValue } = suspension;
  const record = { ...merged, [property]: keptValue } as DirectoryRecord<Kind>;
  if (merged[property] === keptValue) return { record };
  // The file has another value, which is not applied but reported.
  const reason = `${command} was run at ${suspendedAt as string}`;
  return { record, keptOverrides: [{ property, value: keptValue, reason }] };
}

/** Converts a value of a file to a value of a record. Null becomes undefined, which is not stored. */
function toRecordValue(value: unknown, kind: string): unknown {
  if (value === null) return undefined;
  if (kind === 'start-date') return toStartInstant(value as string);
  if (kind === 'end-date') return toEndInstant(value as string);
  if (kind === 'email' || kind === 'username') return (value as string).trim().normalize('NFC');
  if (kind === 'limit') return decimal(value as number);
  if (kind !== 'tolerance') return value;
  // A tolerance is one attribute of the record, which contains only the limits that the file sets.
  const limits = mapFields(TOLERANCE_FIELDS, value as Attributes, toRecordValue);
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}

/** Converts a record to an entry of a file, with the fields that a file can contain. */
export function toFileEntry(kind: EntityKind, record: Attributes): Attributes {
  return mapFields(ENTITY_FIELDS[kind].filter(isFileField), record, toFileValue);
}

/** Converts a record to an entry of a list, without secrets and fields of logins. An absent field is null. */
export function toListEntry(kind: EntityKind, record: Attributes): Attributes {
  const fields = ENTITY_FIELDS[kind].filter(isComparedField);
  const values = mapFields(fields, record, toFileValue);
  return Object.fromEntries(fields.map(({ name }) => [name, values[name] ?? null]));
}

/** Converts a value of a record to a value of a file or a list. A decimal becomes a number, also in a tolerance. */
export function toFileValue(value: unknown, kind?: string): unknown {
  if (isDecimal(value)) return value.toNumber();
  return kind === 'tolerance' ? mapFields(TOLERANCE_FIELDS, value as Attributes, toFileValue) : value;
}

/** Converts the values of an object that have a field, each with `convert`. Omits absent and unknown values. */
function mapFields(
  fields: readonly RecordField[],
  values: Attributes,
  convert: (value: unknown, kind: string) => unknown,
): Attributes {
  const presentFields = fields.filter(({ name }) => values[name] !== undefined);
  return Object.fromEntries(presentFields.map(({ name, kind }) => [name, convert(values[name], kind)]));
}
