import { DeleteCommand, type DynamoDBDocumentClient, paginateScan, PutCommand } from '@aws-sdk/lib-dynamodb';
import { LIMITS } from '../../lib/domain/limits.ts';
import { isFailureCounter } from '../../lib/tables/account-table.ts';
import { readTimes } from '../../lib/tables/latest-times.ts';
import { createEngineDocumentClient } from './engine-client.ts';
import type { StackDefinition } from './read-stack.ts';

/** Removes the requests, failed logins and lockouts that were counted while the clock was ahead of `nowMs`. */
export async function removeFutureCounters(
  endpoint: string,
  { RateCounters, Directory }: StackDefinition['tableNames'],
  nowMs: number,
): Promise<void> {
  const client = createEngineDocumentClient(endpoint);
  await deleteLaterItems(client, RateCounters, nowMs);
  await removeFailureCounters(client, Directory, nowMs);
  client.destroy();
}

async function deleteLaterItems(client: DynamoDBDocumentClient, TableName: string, nowMs: number): Promise<void> {
  for await (const { Items = [] } of paginateScan({ client }, { TableName })) {
    const laterItems = Items.filter((item) => Math.max(...readTimes(item, LIMITS.reads)) > nowMs);
    for (const { pk } of laterItems) await client.send(new DeleteCommand({ TableName, Key: { pk } }));
  }
}

async function removeFailureCounters(client: DynamoDBDocumentClient, TableName: string, nowMs: number): Promise<void> {
  for await (const { Items = [] } of paginateScan({ client }, { TableName })) {
    for (const item of Items) {
      const attributes = Object.entries(item).filter(([name]) => !isFailureCounter(name, nowMs));
      if (attributes.length === Object.keys(item).length) continue;
      await client.send(new PutCommand({ TableName, Item: Object.fromEntries(attributes) }));
    }
  }
}
