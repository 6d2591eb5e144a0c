import { devNull } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  type TableDescription,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { CommandError } from '../terminal.ts';
import type { TableDefinition } from './read-stack.ts';

/**
 * The variables with which the SDK talks to a local engine, whatever a file of the user says of AWS. Local engines
 * accept any credentials but keep them apart.
 */
export function engineEnvironment(endpoint: string) {
  return {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
  };
}

/** A client of the engine that sees the same tables as the functions. */
export function engineClient(endpoint: string): DynamoDBClient {
  const { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = engineEnvironment(endpoint);
  return new DynamoDBClient({
    endpoint,
    region: AWS_REGION,
    // The user's environment may want both of AWS, which no other endpoint has.
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    credentials: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY },
  });
}

/** The same as a document client, with the service's own conversion of numbers. */
export function engineDocumentClient(endpoint: string): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(engineClient(endpoint), {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { wrapNumbers: true },
  });
}

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

/** A table that has been there before gets the stream that it lacks. */
async function requireSame(client: DynamoDBClient, input: CreateTableCommandInput): Promise<void> {
  const { TableName, StreamSpecification } = input;
  const { Table = {} } = await client.send(new DescribeTableCommand({ TableName }));
  if (!isDeepStrictEqual(formOf(Table), formOf(input)))
    throw new CommandError(
      `The data were made by another version, with another table ${TableName}. Name a new folder: --data DIR.`,
    );
  if (StreamSpecification && !Table.StreamSpecification?.StreamEnabled)
    await client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
}

/** What cannot be changed in a table as it stands: its key, and its indexes. */
function formOf({ KeySchema, ...table }: CreateTableCommandInput | TableDescription) {
  const { AttributeDefinitions = [], LocalSecondaryIndexes = [], GlobalSecondaryIndexes = [] } = table;
  const types = AttributeDefinitions.map(({ AttributeName, AttributeType }) => `${AttributeName} ${AttributeType}`);
  const indexes = [...LocalSecondaryIndexes, ...GlobalSecondaryIndexes].map(({ IndexName = '' }) => IndexName);
  return [KeySchema, types.toSorted(), indexes.toSorted()];
}
