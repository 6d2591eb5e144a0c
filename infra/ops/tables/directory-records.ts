import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DirectoryRecord, RecordKind } from '../../../lib/domain/directory-fields.ts';
import type { RecordKey } from './record-keys.ts';
import { batchGet, beginningWith, byKey, type Key, queryPages, scanPages } from '../../../lib/tables/dynamodb/reads.ts';
import { transact, updateBy, type UpdatePart } from '../../../lib/tables/dynamodb/writes.ts';
import { readNumbers, writeNumbers } from '../../../lib/tables/dynamodb/values.ts';
import { directoryKeys } from '../../../lib/tables/keys.ts';
import type { Attributes } from '../../../lib/tables/stored-fields.ts';

export type ListedKind = 'company' | 'supplier' | 'user' | 'listedApiKey';

/**
 * The change of a record from `before` (null: it is absent) to `after` (null: it is deleted); without `after`, the
 * record is only compared with `before`. Attributes that neither contains keep their values.
 */
export interface RecordChange<Kind extends RecordKind = RecordKind> {
  readonly key: RecordKey<Kind>;
  readonly before: Attributes | null;
  readonly after?: Attributes | null;
}

export type DirectoryRecords = ReturnType<typeof createDirectoryRecords>;

export function createDirectoryRecords(client: DynamoDBDocumentClient, table: string) {
  return {
    /** Reads the records of any number of distinct keys, in their order, strongly consistent; null: no record. */
    async read<Kind extends RecordKind>(keys: readonly RecordKey<Kind>[]) {
      const itemKeys = keys.map(toItemKey);
      const item = byKey(await batchGet<Key & Attributes>(client, table, itemKeys));
      return itemKeys.map((key) => (readNumbers(item(key)) as DirectoryRecord<Kind> | undefined) ?? null);
    },

    /** Reads all tenants, page by page in any order; this scans the whole table. */
    async *tenants() {
      // Each tenant has separate partitions, and no index lists the tenants.
      const scan = {
        TableName: table,
        FilterExpression: 'sk = :tenant',
        ExpressionAttributeValues: { ':tenant': directoryKeys.tenant('').sk },
      };
      for await (const items of scanPages(client, scan)) {
        yield items.map((item) => readNumbers(item) as DirectoryRecord<'tenant'>);
      }
    },

    /** Reads all records of a kind of a tenant, page by page, sorted by their ids as texts, strongly consistent. */
    async *pages<Kind extends ListedKind>(kind: Kind, tenant: string) {
      const query = { TableName: table, ...beginningWith(directoryKeys[kind](tenant, '')) };
      for await (const items of queryPages(client, query)) {
        yield items.map((item) => readNumbers(item) as DirectoryRecord<Kind>);
      }
    },

    /** Writes all changes; returns false and writes nothing if a record is no longer as it was read. */
    async commit(changes: readonly RecordChange[]) {
      const writes = changes.map(({ key, ...states }) =>
        toWrite(table, toItemKey(key), writeNumbers(states) as typeof states),
      );
      return (await transact(client, { TransactItems: writes })).kind === 'committed';
    },
  };
}

function toItemKey({ kind, ids }: RecordKey): Key {
  const toKey: (...parts: string[]) => Key = directoryKeys[kind === 'api_key' ? 'apiKey' : kind];
  return toKey(...ids);
}

/** Builds the write of a transaction that changes an item, on the condition that it equals `before`. */
function toWrite(TableName: string, key: Key, { before, after }: Pick<RecordChange, 'before' | 'after'>) {
  if (!before) {
    const absent = { TableName, ConditionExpression: 'attribute_not_exists(pk)' };
    return after ? { Put: { ...absent, Item: { ...key, ...after } } } : { ConditionCheck: { ...absent, Key: key } };
  }
  const parts = Object.keys({ ...before, ...after }).map((name, index): UpdatePart => {
    const [alias, was, becomes] = [`#n${index}`, `:b${index}`, `:a${index}`];
    const isSet = after?.[name] !== undefined;
    return {
      names: { [alias]: name },
      conditions: [before[name] === undefined ? `attribute_not_exists(${alias})` : `${alias} = ${was}`],
      ...(isSet ? { set: [`${alias} = ${becomes}`] } : { remove: [alias] }),
      values: { ...(before[name] !== undefined && { [was]: before[name] }), ...(isSet && { [becomes]: after[name] }) },
    };
  });
  const { UpdateExpression, ReturnValuesOnConditionCheckFailure: _, ...condition } = updateBy(TableName, key, parts);
  if (after) return { Update: { ...condition, UpdateExpression } };
  return after === null ? { Delete: condition } : { ConditionCheck: condition };
}
