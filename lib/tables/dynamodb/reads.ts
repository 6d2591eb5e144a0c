import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  paginateQuery,
  paginateScan,
  type QueryCommandInput,
  type ScanCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { attempts } from '../../runtime/attempts.ts';
import { forEachConcurrent } from '../../runtime/for-each-concurrent.ts';
import { splitIntoChunks } from '../../runtime/pages.ts';

/** The primary key of an item; the sort key of Declarations is a number, and RateCounters has none. */
export interface Key<SortKey = string> {
  readonly pk: string;
  readonly sk: SortKey;
}

export function createKeyLookup<Item extends Key>(items: readonly Item[]): (key: Key) => Item | undefined {
  const toKeyText = ({ pk, sk }: Key) => `${pk}\n${sk}`;
  const found = new Map(items.map((item) => [toKeyText(item), item]));
  return (key) => found.get(toKeyText(key));
}

/** The number of keys that one round trip reads. */
export const MAX_KEYS = 100;

const PARALLEL_CALLS = 4;

/**
 * Reads the items of any number of distinct keys, in any order; by default strongly consistent. Keys without an item
 * are omitted. Each 100 keys take one round trip, and further ones only for keys that DynamoDB did not process.
 */
export async function batchGet<Item>(
  client: DynamoDBDocumentClient,
  table: string,
  keys: readonly Key<unknown>[],
  { consistent = true } = {},
): Promise<Item[]> {
  const items: Item[] = [];
  await forEachConcurrent(splitIntoChunks(keys, MAX_KEYS), PARALLEL_CALLS, async (some) => {
    items.push(...(await getTogether<Item>(client, table, some, consistent)));
  });
  return items;
}

async function getTogether<Item>(
  client: DynamoDBDocumentClient,
  table: string,
  keys: readonly Key<unknown>[],
  consistent: boolean,
) {
  const items: Item[] = [];
  let wanted = [...keys];
  for await (const _ of attempts()) {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: wanted, ConsistentRead: consistent } } }),
    );
    items.push(...((Responses?.[table] ?? []) as Item[]));
    wanted = (UnprocessedKeys?.[table]?.Keys ?? []) as Key<unknown>[];
    if (wanted.length === 0) return items;
  }
  throw new Error(`The table ${table} left ${wanted.length} keys unread.`);
}

/** The maximum number of items of a page. Without it, the embedded engine blocks other requests during a long read. */
export const PAGE_ITEMS = 1000;

const SETTINGS = { ConsistentRead: true, Limit: PAGE_ITEMS };

/** Yields the pages of a query, strongly consistent. */
export async function* queryPages<Item>(client: DynamoDBDocumentClient, query: QueryCommandInput) {
  for await (const { Items } of paginateQuery({ client }, { ...SETTINGS, ...query })) yield (Items ?? []) as Item[];
}

/** Yields the pages of a scan, strongly consistent. */
export async function* scanPages<Item>(client: DynamoDBDocumentClient, scan: ScanCommandInput) {
  for await (const { Items } of paginateScan({ client }, { ...SETTINGS, ...scan })) yield (Items ?? []) as Item[];
}

export function buildPartitionCondition(pk: string) {
  return { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } };
}

/** Builds the key condition for the items of a partition whose sort keys begin with the one of this key. */
export function buildPrefixCondition({ pk, sk }: Key) {
  return {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': sk },
  };
}

/** Builds the key condition for the items of a partition between two sort keys, both included. */
export function buildRangeCondition(pk: string, first: string, last: string) {
  return {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':pk': pk, ':first': first, ':last': last },
  };
}
