import { CreateTableCommand, ResourceInUseException, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { engineClient } from './engine-client.ts';
import type { TableDefinition } from './stack-definition.ts';

/** Creates the tables that the engine does not have yet. */
export async function createTables(endpoint: string, tables: readonly TableDefinition[]): Promise<void> {
  const client = engineClient(endpoint);
  await Promise.all(tables.map((table) => createTable(client, table)));
  client.destroy();
}

async function createTable(client: DynamoDBClient, { input, timeToLiveAttribute }: TableDefinition): Promise<void> {
  try {
    await client.send(new CreateTableCommand(input));
  } catch (error) {
    if (error instanceof ResourceInUseException) return;
    throw error;
  }
  if (timeToLiveAttribute) {
    const TimeToLiveSpecification = { AttributeName: timeToLiveAttribute, Enabled: true };
    await client.send(new UpdateTimeToLiveCommand({ TableName: input.TableName, TimeToLiveSpecification }));
  }
}
