import { devNull } from 'node:os';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

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
