import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Key } from './keys.ts';

/** Reads up to 100 distinct keys, strongly consistent, in one round trip (more only when the table asks to come back); keys without an item are left out. */
export async function batchGet(client: DynamoDBDocumentClient, table: string, keys: readonly Key[]): Promise<Key[]> {
  const items: Key[] = [];
  let wanted = [...keys];
  while (wanted.length > 0) {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: wanted, ConsistentRead: true } } }),
    );
    items.push(...((Responses?.[table] ?? []) as Key[]));
    wanted = (UnprocessedKeys?.[table]?.Keys ?? []) as Key[];
  }
  return items;
}
