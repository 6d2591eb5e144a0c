import {
  type AttributeValue,
  BatchGetItemCommand,
  GetItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import type { QueryCommandInput, ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import { attempts } from '../../runtime/attempts.ts';
import { forEachConcurrent } from '../../runtime/for-each-concurrent.ts';
import { splitIntoChunks } from '../../runtime/pages.ts';
import type { TableClient } from './table-client.ts';
import { fromAttributeValues, toAttributeValues } from './values.ts';

/** The primary key of an item. In the table Declarations, the sort key is a number. RateCounters has no sort key. */
export interface Key<SortKey = string> {
  readonly pk: string;
  readonly sk: SortKey;
}

export type Attributes = Readonly<Record<string, unknown>>;

export function createKeyLookup<Item extends Key>(items: readonly Item[]): (key: Key) => Item | undefined {
  // A Map compares objects by identity. Therefore, the keys are converted to texts.
  const itemsByKey = new Map(items.map((item) => [toKeyText(item), item]));
  return (key) => itemsByKey.get(toKeyText(key));
}

export function toKeyText({ pk, sk }: Key): string {
  return `${pk}\n${sk}`;
}

/** Reads an item with a strongly consistent read. Returns undefined if the item does not exist. */
export async function getItem<Item>(client: TableClient, TableName: string, key: object): Promise<Item | undefined> {
  const command = new GetItemCommand({ TableName, Key: toAttributeValues(key), ConsistentRead: true });
  const { Item: values } = await client.send(command);
  return values && (fromAttributeValues(values) as Item);
}

/** The maximum number of keys that one BatchGetItem accepts. */
const MAX_KEYS = 100;

const PARALLEL_CALLS = 4;

/** Reads the items with these keys, in any order and strongly consistent. The keys must differ. By default, reads all attributes. */
export async function batchGet<Item>(
  client: TableClient,
  table: string,
  keys: readonly Key<unknown>[],
  attributes?: readonly string[],
): Promise<Item[]> {
  const items: Item[] = [];
  await forEachConcurrent(splitIntoChunks(keys, MAX_KEYS), PARALLEL_CALLS, async (chunk) => {
    items.push(...(await getChunk<Item>(client, table, chunk, attributes)));
  });
  return items;
}

/** Reads the items of up to 100 keys. Repeats the call for keys that DynamoDB did not process. */
async function getChunk<Item>(
  client: TableClient,
  table: string,
  keys: readonly Key<unknown>[],
  attributes: readonly string[] | undefined,
) {
  const items: Item[] = [];
  const request = { ConsistentRead: true, ...(attributes && buildProjection(attributes)) };
  let unreadKeys = keys.map(toAttributeValues);
  for await (const _ of attempts()) {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetItemCommand({ RequestItems: { [table]: { ...request, Keys: unreadKeys } } }),
    );
    for (const values of Responses?.[table] ?? []) items.push(fromAttributeValues(values) as Item);
    unreadKeys = UnprocessedKeys?.[table]?.Keys ?? [];
    if (unreadKeys.length === 0) return items;
  }
  throw new Error(`The table ${table} left ${unreadKeys.length} keys unread.`);
}

/** Builds the projection to attributes. The placeholders allow names that are reserved words of DynamoDB. */
function buildProjection(attributes: readonly string[]) {
  const names = Object.fromEntries(attributes.map((attribute, index) => [`#a${index}`, attribute]));
  return { ProjectionExpression: Object.keys(names).join(', '), ExpressionAttributeNames: names };
}

/** The maximum number of items of a page. During a longer read, the embedded engine would block other requests. */
const PAGE_ITEMS = 1000;

const PAGE_SETTINGS = { ConsistentRead: true, Limit: PAGE_ITEMS };

/** Yields the pages of a query, strongly consistent unless the query has another setting. */
export async function* queryPages<Item>(client: TableClient, query: Query) {
  const input = toPageInput(query);
  const pages = readPages((ExclusiveStartKey) => client.send(new QueryCommand({ ...input, ExclusiveStartKey })));
  for await (const { Items = [] } of pages) yield Items.map(fromAttributeValues) as Item[];
}

/** Yields the pages of a scan, strongly consistent unless the scan has another setting. */
export async function* scanPages<Item>(client: TableClient, scan: Scan) {
  const input = toPageInput(scan);
  const pages = readPages((ExclusiveStartKey) => client.send(new ScanCommand({ ...input, ExclusiveStartKey })));
  for await (const { Items = [] } of pages) yield Items.map(fromAttributeValues) as Item[];
}

type Query = Omit<QueryCommandInput, 'ExclusiveStartKey'>;
type Scan = Omit<ScanCommandInput, 'ExclusiveStartKey'>;

function toPageInput({ ExpressionAttributeValues: values, ...input }: Query | Scan) {
  return { ...PAGE_SETTINGS, ...input, ExpressionAttributeValues: values && toAttributeValues(values) };
}

/** Yields the pages of a query or scan until no page is left. */
export async function* readPages<Page extends { readonly LastEvaluatedKey?: LastKey }>(
  readPage: (startKey: LastKey) => Promise<Page>,
) {
  let startKey: LastKey;
  do {
    const page = await readPage(startKey);
    yield page;
    startKey = page.LastEvaluatedKey;
  } while (startKey);
}

type LastKey = Record<string, AttributeValue> | undefined;

export function buildPartitionCondition(pk: string) {
  return { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } };
}

/** Builds the key condition for the items of the partition `pk` whose sort keys begin with `sk`. */
export function buildPrefixCondition({ pk, sk }: Key) {
  return {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': sk },
  };
}
