import type { DirectoryRecord, EntityKind, FileValue, RecordField } from '../../../lib/domain/directory-fields.ts';
import { ENTITY_FIELDS, isComparedField, isFileField, TOLERANCE_FIELDS } from '../../../lib/domain/directory-fields.ts';
import { toEndInstant, toStartInstant } from '../../../lib/domain/iso-date.ts';
import { decimal, isDecimal } from '../../../lib/domain/money.ts';
import type { Attributes } from '../../../lib/tables/dynamodb/reads.ts';

/** The commands that suspend an entity, with the property and value that a file cannot change afterwards. */
const SUSPENSIONS = {
  company: { property: 'status', value: 'SUSPENDED', command: 'suspend-company' },
  user: { property: 'active', value: false, command: 'deactivate-user' },
  api_key: { property: 'status', value: 'INACTIVE', command: 'revoke-key' },
};

/** Merges an entry into a stored record. An absent field keeps its value, null removes it, and a suspension remains. */
export function mergeEntry<Kind extends EntityKind>(
  kind: Kind,
  value: FileValue<Kind>,
  stored: DirectoryRecord<Kind> | null,
) {
  const newFields = mapFields(ENTITY_FIELDS[kind], value, toRecordValue);
  const merged: Attributes = { ...stored, ...newFields };
  const suspendedAt = merged['stopped_at'] ?? merged['revoked_at'];
  if (suspendedAt === undefined) return { record: merged as DirectoryRecord<Kind> };

  const { property, value: keptValue, command } = SUSPENSIONS[kind as keyof typeof SUSPENSIONS];
  const record = { ...merged, [property]: keptValue } as DirectoryRecord<Kind>;
  if (merged[property] === keptValue) return { record };
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
  return Object.fromEntries(fields.map(({ name, kind: type }) => [name, toFileValue(record[name] ?? null, type)]));
}

/** Converts a value of a record to a value of a file or a list. A decimal becomes a number. */
export function toFileValue(value: unknown, kind?: string): unknown {
  if (isDecimal(value)) return value.toNumber();
  const isTolerance = kind === 'tolerance' && value !== null;
  return isTolerance ? mapFields(TOLERANCE_FIELDS, value as Attributes, toFileValue) : value;
}

/** Converts the fields that the values contain. */
function mapFields(
  fields: readonly RecordField[],
  values: Attributes,
  convert: (value: unknown, kind: string) => unknown,
): Attributes {
  const presentFields = fields.filter(({ name }) => values[name] !== undefined);
  return Object.fromEntries(presentFields.map(({ name, kind }) => [name, convert(values[name], kind)]));
}
