import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { rounds } from '../runtime/rounds.ts';
import type { Key } from './keys.ts';

/** Reads up to 100 distinct keys, strongly consistent, in one round trip (more only when the table asks to come back); keys without an item are left out. */
export async function batchGet(client: DynamoDBDocumentClient, table: string, keys: readonly Key[]): Promise<Key[]> {
  const items: Key[] = [];
  let wanted = [...keys];
  if (wanted.length === 0) return items;
  for await (const _ of rounds()) {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: wanted, ConsistentRead: true } } }),
    );
    items.push(...((Responses?.[table] ?? []) as Key[]));
    wanted = (UnprocessedKeys?.[table]?.Keys ?? []) as Key[];
    if (wanted.length === 0) return items;
  }
  throw new Error(`The table ${table} left ${wanted.length} keys unread.`);
}
