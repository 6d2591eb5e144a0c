import { devNull } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ResourceInUseException,
  type TableDescription,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { CommandError } from '../process/terminal.ts';
import type { TableDefinition } from './read-stack.ts';

/** Builds the variables for the SDK. Engines accept any credentials, but store tables separately by access key. */
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

/** Creates a document client for an engine. It uses the access key and the number conversion of the functions. */
export function createEngineDocumentClient(endpoint: string): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(new DynamoDBClient(buildClientSettings(endpoint)), {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { wrapNumbers: true },
  });
}

/** Creates the tables, or completes those that already exist. Throws a CommandError if an existing table differs. */
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
  const { input, stream, timeToLiveAttribute } = table;
  try {
    await client.send(new CreateTableCommand({ ...input, StreamSpecification: stream }));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
    await updateExistingTable(client, table);
  }
  // An existing table has no expiry if an earlier start was interrupted after it had created the table.
  if (timeToLiveAttribute !== undefined) await ensureExpiry(client, input.TableName, timeToLiveAttribute);
}

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

/** Returns the parts of a table that must not differ. Attributes and index names are sorted, so that two can be compared. */
function getStructure({ KeySchema, ...table }: CreateTableCommandInput | TableDescription) {
  const { AttributeDefinitions = [], GlobalSecondaryIndexes = [], LocalSecondaryIndexes = [] } = table;
  const types = AttributeDefinitions.map(({ AttributeName, AttributeType }) => `${AttributeName} ${AttributeType}`);
  const indexNames = [...GlobalSecondaryIndexes, ...LocalSecondaryIndexes].map(({ IndexName = '' }) => IndexName);
  return [KeySchema, types.toSorted(), indexNames.toSorted()];
}

/** Enables the expiry of a table, unless it is enabled. DynamoDB rejects a call that enables the expiry again. */
async function ensureExpiry(client: DynamoDBClient, TableName: string, AttributeName: string): Promise<void> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  if (TimeToLiveDescription?.TimeToLiveStatus !== 'DISABLED') return;
  const TimeToLiveSpecification = { AttributeName, Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}
