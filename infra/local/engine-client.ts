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
import { CommandError } from '../process/terminal.ts';
import type { TableDefinition } from './read-stack.ts';

/**
 * Builds the variables with which the SDK calls a local engine, without the user's AWS configuration files. Local
 * engines accept any credentials, and store the tables of each access key separately.
 */
export function buildEngineEnvironment(endpoint: string) {
  return {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
  };
}

/** Builds the settings of an SDK client for an endpoint on this machine. */
export function buildClientSettings(endpoint: string) {
  const environment = buildEngineEnvironment(endpoint);
  return {
    endpoint,
    region: environment.AWS_REGION,
    credentials: { accessKeyId: environment.AWS_ACCESS_KEY_ID, secretAccessKey: environment.AWS_SECRET_ACCESS_KEY },
    // The user's environment may enable FIPS and dual stack, which only endpoints of AWS support.
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
  };
}

/** Creates a document client of the engine that sees the tables of the functions, and converts numbers as they do. */
export function createEngineDocumentClient(endpoint: string): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(new DynamoDBClient(buildClientSettings(endpoint)), {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { wrapNumbers: true },
  });
}

/** Creates the tables that the engine does not have yet. Throws a CommandError if an existing table differs. */
export async function createTables(
  endpoint: string,
  tables: readonly TableDefinition[],
  { withStreams = false } = {},
): Promise<void> {
  const client = new DynamoDBClient(buildClientSettings(endpoint));
  try {
    await Promise.all(
      tables.map((table) => createTable(client, withStreams ? table : { ...table, stream: undefined })),
    );
  } finally {
    client.destroy();
  }
}

/** Creates a table with its expiry attribute, or updates it if it already exists. */
async function createTable(client: DynamoDBClient, table: TableDefinition): Promise<void> {
  const { input, stream, timeToLiveAttribute } = table;
  try {
    await client.send(new CreateTableCommand({ ...input, StreamSpecification: stream }));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
    return updateExistingTable(client, table);
  }
  if (timeToLiveAttribute === undefined) return;
  const TimeToLiveSpecification = { AttributeName: timeToLiveAttribute, Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName: input.TableName, TimeToLiveSpecification }));
}

/** Enables the stream of an existing table. Throws a CommandError if its key or its indexes differ. */
async function updateExistingTable(client: DynamoDBClient, { input, stream }: TableDefinition): Promise<void> {
  const { TableName } = input;
  const { Table = {} } = await client.send(new DescribeTableCommand({ TableName }));
  if (!isDeepStrictEqual(getStructure(Table), getStructure(input)))
    throw new CommandError(
      `The data were created by another version, whose table ${TableName} differs. Use a new folder: --data DIR.`,
    );
  if (stream !== undefined && !Table.StreamSpecification?.StreamEnabled)
    await client.send(new UpdateTableCommand({ TableName, StreamSpecification: stream }));
}

/** Returns the parts of a table that cannot be changed, in a form that does not depend on the order of indexes. */
function getStructure({ KeySchema, ...table }: CreateTableCommandInput | TableDescription) {
  const { AttributeDefinitions = [], GlobalSecondaryIndexes = [], LocalSecondaryIndexes = [] } = table;
  const types = AttributeDefinitions.map(({ AttributeName, AttributeType }) => `${AttributeName} ${AttributeType}`);
  const indexNames = [...GlobalSecondaryIndexes, ...LocalSecondaryIndexes].map(({ IndexName = '' }) => IndexName);
  return [KeySchema, types.toSorted(), indexNames.toSorted()];
}
