import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  type TableDescription,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { engineClient } from './engine-client.ts';
import type { TableDefinition } from './stack-definition.ts';
import { StartError } from './start-error.ts';

/** Creates the tables that the engine does not have yet; those that it has must be the same. */
export async function createTables(endpoint: string, tables: readonly TableDefinition[]): Promise<void> {
  const client = engineClient(endpoint);
  await Promise.all(tables.map((table) => createTable(client, table)));
  client.destroy();
}

async function createTable(client: DynamoDBClient, { input, timeToLiveAttribute }: TableDefinition): Promise<void> {
  try {
    await client.send(new CreateTableCommand(input));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
    return requireSame(client, input);
  }
  if (timeToLiveAttribute) {
    const TimeToLiveSpecification = { AttributeName: timeToLiveAttribute, Enabled: true };
    await client.send(new UpdateTimeToLiveCommand({ TableName: input.TableName, TimeToLiveSpecification }));
  }
}

async function requireSame(client: DynamoDBClient, input: CreateTableCommandInput): Promise<void> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: input.TableName }));
  if (formOf(Table) === formOf(input)) return;
  throw new StartError(
    `The data were made by another version, with another table ${input.TableName}. Name a new folder: --data DIR.`,
  );
}

/** What cannot be changed in a table as it stands: its key, and its indexes. */
function formOf({ KeySchema = [], ...table }: CreateTableCommandInput | TableDescription = {}): string {
  const { AttributeDefinitions: types = [], LocalSecondaryIndexes = [], GlobalSecondaryIndexes = [] } = table;
  const key = KeySchema.map(({ AttributeName, KeyType }) => {
    const type = types.find((definition) => definition.AttributeName === AttributeName)?.AttributeType;
    return `${KeyType} ${AttributeName} ${type}`;
  });
  const indexes = [...LocalSecondaryIndexes, ...GlobalSecondaryIndexes].map(({ IndexName = '' }) => IndexName);
  return [...key, ...indexes].toSorted().join(', ');
}
