import { type DynamoDBDocumentClient, NumberValue } from '@aws-sdk/lib-dynamodb';
import { type Decimal, isDecimal } from '../../domain/money.ts';
import { batchGet } from '../dynamodb/batch-get.ts';
import { byKey, type Key } from '../dynamodb/key.ts';
import { fromDecimal, type StoredNumber, toDecimal } from '../dynamodb/numbers.ts';
import { beginningWith, queryPages } from '../dynamodb/paged-items.ts';
import { transact } from '../dynamodb/transact.ts';
import type { DirectoryItems } from '../items/directory-items.ts';
import { directoryKeys } from '../items/keys.ts';
import { scanTenants } from './directory-lists.ts';
import { type Attributes, type DirectoryItem, toWrite } from './directory-writer.ts';

/** The kinds of records in Directory. */
export type RecordKind = keyof DirectoryItems;

type WithDecimals<Value> = Value extends StoredNumber
  ? Decimal
  : Value extends readonly unknown[]
    ? Value
    : Value extends object
      ? { [Name in keyof Value]: WithDecimals<Value[Name]> }
      : Value;

/** The kinds of which a tenant has a list. */
export type ListedKind = 'company' | 'supplier' | 'user';

/** The stored attributes of a record; its numbers are decimals. */
export type DirectoryRecord<Kind extends RecordKind> = WithDecimals<DirectoryItems[Kind]>;

/** Where a record is: its kind, and what its key is made of, see directoryKeys. */
export interface Place<Kind extends RecordKind = RecordKind> {
  readonly kind: Kind;
  readonly ids: readonly string[];
}

/** What a record was when it was read, and what it becomes, as a DirectoryChange tells it. */
export interface RecordChange {
  readonly place: Place;
  readonly before: Attributes | null;
  readonly after?: Attributes | null;
}

/** The records of Directory, as operators change them. */
export interface DirectoryRecords {
  /** What is at any number of distinct places, in their order, strongly consistent; null: no record. */
  readonly read: <Kind extends RecordKind>(places: readonly Place<Kind>[]) => Promise<(DirectoryRecord<Kind> | null)[]>;
  /** All tenants, page by page in any order; this reads all of Directory. */
  readonly tenants: () => AsyncIterable<readonly DirectoryRecord<'tenant'>[]>;
  /** All that a tenant has of a kind, page by page, by their ids as texts, strongly consistent. */
  readonly pages: <Kind extends ListedKind>(
    kind: Kind,
    tenant: string,
  ) => AsyncIterable<readonly DirectoryRecord<Kind>[]>;
  /** Writes all changes, or nothing and returns false when a record is no longer as it was read. */
  readonly commit: (changes: readonly RecordChange[]) => Promise<boolean>;
}

/** The records of Directory by their places. */
export function createDirectoryRecords(client: DynamoDBDocumentClient, table: string): DirectoryRecords {
  return {
    async read<Kind extends RecordKind>(places: readonly Place<Kind>[]) {
      const keys = places.map(keyOf);
      const item = byKey(await batchGet<DirectoryItem>(client, table, keys));
      return keys.map((key) => (withDecimals(item(key)) as DirectoryRecord<Kind> | undefined) ?? null);
    },

    async *tenants() {
      for await (const page of scanTenants(client, table)) {
        yield page.map((item) => withDecimals(item) as DirectoryRecord<'tenant'>);
      }
    },

    async *pages<Kind extends ListedKind>(kind: Kind, tenant: string) {
      const query = { TableName: table, ...beginningWith(directoryKeys[kind](tenant, '')) };
      for await (const items of queryPages(client, query)) {
        yield items.map((item) => withDecimals(item) as DirectoryRecord<Kind>);
      }
    },

    async commit(changes) {
      const writes = changes.map(({ place, ...states }) => {
        return toWrite(table, { key: keyOf(place), ...(withNumbers(states) as typeof states) });
      });
      return (await transact(client, { TransactItems: writes })).kind === 'committed';
    },
  };
}

function keyOf({ kind, ids }: Place): Key {
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
