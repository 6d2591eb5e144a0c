import type { RecordKind } from '../../../lib/domain/directory-fields.ts';
import type { Attributes, Key } from '../../../lib/tables/dynamodb/reads.ts';
import type { Writes } from '../../../lib/tables/dynamodb/transactions.ts';
import { buildUpdate, type UpdatePart } from '../../../lib/tables/dynamodb/updates.ts';

/** The primary key of a record of a tenant. Messages name the record by its id. */
export interface RecordKey<Kind extends RecordKind = RecordKind> extends Key {
  readonly kind: Kind;
  readonly tenant: string;
  readonly id: string;
}

/** The change of a record. An attribute that is neither in `before` nor in `after` keeps its value. */
export interface RecordChange<Kind extends RecordKind = RecordKind> {
  readonly key: RecordKey<Kind>;
  /** The attributes that the stored record must have; null if the record must be absent. */
  readonly before: Attributes | null;
  /** The new attributes; null to delete the record. Without `after`, the record is only compared with `before`. */
  readonly after?: Attributes | null;
  /** True if `after` replaces the whole record, so that no other attribute keeps its value. */
  readonly replacesRecord?: true;
}

const ABSENT = { ConditionExpression: 'attribute_not_exists(pk)' };

/** Builds the write of a transaction that changes a record, on the condition that the stored record equals `before`. */
export function buildRecordWrite(TableName: string, change: RecordChange): Writes[number] {
  const { before, after, replacesRecord } = change;
  const Key = { pk: change.key.pk, sk: change.key.sk };
  if (before && after && !replacesRecord) return { Update: buildRecordUpdate(TableName, Key, before, after) };
  const condition = before ? buildCondition(TableName, Key, before) : ABSENT;
  if (after) return { Put: { TableName, Item: { ...Key, ...after }, ...condition } };
  const isDeleted = before !== null && after === null;
  return isDeleted
    ? { Delete: { TableName, Key, ...condition } }
    : { ConditionCheck: { TableName, Key, ...condition } };
}

/** Builds the update from `before` to `after`. Removes the attributes that are only in `before`. */
function buildRecordUpdate(TableName: string, Key: Key, before: Attributes, after: Attributes) {
  const names = Object.keys({ ...before, ...after });
  const comparisons = names.map((name, index) => buildComparison(name, index, before[name]));
  const assignments = names.map((name, index) => buildAssignment(index, after[name]));
  return buildUpdate(TableName, Key, [...comparisons, ...assignments]);
}

/** Builds the condition that the stored record equals `before`, for writes that are no updates. */
function buildCondition(TableName: string, Key: Key, before: Attributes) {
  const comparisons = Object.entries(before).map(([name, value], index) => buildComparison(name, index, value));
  const { Key: _, UpdateExpression: __, ...condition } = buildUpdate(TableName, Key, comparisons);
  return condition;
}

/** Compares an attribute with its old value. Without an old value, the attribute must be absent. */
function buildComparison(name: string, index: number, oldValue: unknown): UpdatePart {
  const names = { [`#n${index}`]: name };
  if (oldValue === undefined) return { names, conditions: [`attribute_not_exists(#n${index})`] };
  return { names, conditions: [`#n${index} = :before${index}`], values: { [`:before${index}`]: oldValue } };
}

/** Assigns a new value to the attribute whose name `buildComparison` has defined with this index. */
function buildAssignment(index: number, newValue: unknown): UpdatePart {
  if (newValue === undefined) return { remove: [`#n${index}`] };
  return { set: [`#n${index} = :after${index}`], values: { [`:after${index}`]: newValue } };
}
