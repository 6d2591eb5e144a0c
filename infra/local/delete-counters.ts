import { DeleteCommand, type DynamoDBDocumentClient, paginateScan, PutCommand } from '@aws-sdk/lib-dynamodb';
import { isFailureAttribute } from '../../lib/tables/account-table.ts';
import { createEngineDocumentClient } from './engine-client.ts';
import type { StackDefinition } from './read-stack.ts';

/** Deletes all counts of requests and failed logins, which also ends all lockouts. */
export async function deleteCounters(
  endpoint: string,
  { RateCounters, Directory }: StackDefinition['tableNames'],
): Promise<void> {
  const client = createEngineDocumentClient(endpoint);
  try {
    await deleteAllItems(client, RateCounters);
    await removeFailureAttributes(client, Directory);
  } finally {
    client.destroy();
  }
}

async function deleteAllItems(client: DynamoDBDocumentClient, TableName: string): Promise<void> {
  for await (const { Items = [] } of paginateScan({ client }, { TableName })) {
    for (const { pk } of Items) await client.send(new DeleteCommand({ TableName, Key: { pk } }));
  }
}

/** Removes the failed logins from the accounts. A change of the same account at the same time would be lost. */
async function removeFailureAttributes(client: DynamoDBDocumentClient, TableName: string): Promise<void> {
  for await (const { Items = [] } of paginateScan({ client }, { TableName })) {
    for (const item of Items) {
      const otherAttributes = Object.entries(item).filter(([name]) => !isFailureAttribute(name));
      if (otherAttributes.length === Object.keys(item).length) continue;
      await client.send(new PutCommand({ TableName, Item: Object.fromEntries(otherAttributes) }));
    }
  }
}
