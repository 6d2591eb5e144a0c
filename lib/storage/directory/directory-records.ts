import { type DynamoDBDocumentClient, NumberValue } from '@aws-sdk/lib-dynamodb';
import type {
  DirectoryRecord,
  DirectoryRecords,
  ListedKind,
  RecordKey,
  RecordKind,
} from '../../admin/ports/directory-records.ts';
import { isDecimal } from '../../domain/money.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { byKey, type Key } from '../dynamodb/key.ts';
import { fromDecimal, toDecimal } from '../dynamodb/numbers.ts';
import { beginningWith, queryPages, scanPages } from '../dynamodb/paged-items.ts';
import { transact } from '../dynamodb/transact.ts';
import { directoryKeys } from '../items/keys.ts';
import { type DirectoryItem, toWrite } from './directory-writer.ts';

/** The records of Directory by their keys. */
export function createDirectoryRecords(client: DynamoDBDocumentClient, table: string): DirectoryRecords {
  return {
    async read<Kind extends RecordKind>(keys: readonly RecordKey<Kind>[]) {
      const itemKeys = keys.map(keyOf);
      const item = byKey(await batchGet<DirectoryItem>(client, table, itemKeys));
      return itemKeys.map((key) => (withDecimals(item(key)) as DirectoryRecord<Kind> | undefined) ?? null);
    },

    async *tenants() {
      // Each tenant has partitions of its own, and nothing lists them.
      const scan = {
        TableName: table,
        FilterExpression: 'sk = :tenant',
        ExpressionAttributeValues: { ':tenant': directoryKeys.tenant('').sk },
      };
      for await (const items of scanPages(client, scan)) {
        yield items.map((item) => withDecimals(item) as DirectoryRecord<'tenant'>);
      }
    },

    async *pages<Kind extends ListedKind>(kind: Kind, tenant: string) {
      const query = { TableName: table, ...beginningWith(directoryKeys[kind](tenant, '')) };
      for await (const items of queryPages(client, query)) {
        yield items.map((item) => withDecimals(item) as DirectoryRecord<Kind>);
      }
    },

    async commit(changes) {
      const writes = changes.map(({ key, ...states }) => {
        return toWrite(table, { key: keyOf(key), ...(withNumbers(states) as typeof states) });
      });
      return (await transact(client, { TransactItems: writes })).kind === 'committed';
    },
  };
}

function keyOf({ kind, ids }: RecordKey): Key {
  const toKey: (...parts: string[]) => Key = directoryKeys[kind];
  return toKey(...ids);
}

function withDecimals(value: unknown): unknown {
  return value instanceof NumberValue ? toDecimal(value) : mapParts(value, withDecimals);
}

function withNumbers(value: unknown): unknown {
  return isDecimal(value) ? fromDecimal(value) : mapParts(value, withNumbers);
}

function mapParts(value: unknown, map: (part: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, map(part)]));
}
