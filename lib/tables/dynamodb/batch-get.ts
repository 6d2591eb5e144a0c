import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { attempts } from '../../runtime/attempts.ts';
import { inChunks } from '../../runtime/pages.ts';
import { forEachConcurrent } from '../../runtime/for-each-concurrent.ts';
import type { Key } from './key.ts';

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
  await forEachConcurrent(inChunks(keys, MAX_KEYS), PARALLEL_CALLS, async (some) => {
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
