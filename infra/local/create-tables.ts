import { isDeepStrictEqual } from 'node:util';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  type GlobalSecondaryIndexDescription,
  ResourceInUseException,
  type TableDescription,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { CommandError } from '../process/terminal.ts';
import { buildClientSettings } from './engine-client.ts';
import type { TableDefinition } from './read-stack.ts';

/** Creates the missing tables, with streams if events are published. Throws a CommandError if an existing table differs. */
export async function createTables(
  endpoint: string,
  tables: readonly TableDefinition[],
  { withStreams = false } = {},
): Promise<void> {
  const client = new DynamoDBClient(buildClientSettings(endpoint));
  const wantedTables = withStreams ? tables : tables.map((table) => ({ ...table, stream: undefined }));
  try {
    await Promise.all(wantedTables.map((table) => ensureTable(client, table)));
  } finally {
    client.destroy();
  }
}

async function ensureTable(client: DynamoDBClient, table: TableDefinition): Promise<void> {
  try {
    await client.send(new CreateTableCommand({ ...table.input, StreamSpecification: table.stream }));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
    await updateExistingTable(client, table);
  }
}

/** Checks the structure of an existing table, and adds its stream if it is missing. */
async function updateExistingTable(client: DynamoDBClient, { input, stream }: TableDefinition): Promise<void> {
  const { TableName } = input;
  const { Table = {} } = await client.send(new DescribeTableCommand({ TableName }));
  if (!isDeepStrictEqual(getStructure(Table), getStructure(input))) {
    throw new CommandError(
      `The data were created by another version, whose table ${TableName} differs. Use a new folder: --data DIR.`,
    );
  }
  if (stream !== undefined && !Table.StreamSpecification?.StreamEnabled) {
    await client.send(new UpdateTableCommand({ TableName, StreamSpecification: stream }));
  }
}

/** Returns the structure of a table: keys, attributes and indexes, sorted so that two tables can be compared. */
function getStructure({ KeySchema, ...table }: CreateTableCommandInput | TableDescription) {
  const { AttributeDefinitions = [], GlobalSecondaryIndexes = [], LocalSecondaryIndexes = [] } = table;
  const types = AttributeDefinitions.map(({ AttributeName, AttributeType }) => `${AttributeName} ${AttributeType}`);
  const indexes = [...GlobalSecondaryIndexes, ...LocalSecondaryIndexes].map(describeIndex);
  return [KeySchema, types.toSorted(), indexes.toSorted()];
}

/** Describes an index by its name and the attributes that it contains besides the keys. */
function describeIndex({ IndexName = '', Projection = {} }: GlobalSecondaryIndexDescription): string {
  const attributes = Projection.NonKeyAttributes ?? [];
  return [IndexName, ...attributes.toSorted()].join(' ');
}
