import { devNull } from 'node:os';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createDocumentClient } from '../../lib/tables/dynamodb/document-client.ts';

/** Builds the environment of the SDK for an engine, a local DynamoDB. Engines store tables separately by access key. */
export function buildEngineEnvironment(endpoint: string) {
  return {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    // With empty files, the SDK reads no settings of the user.
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

/** Creates a document client for an engine. */
export function createEngineDocumentClient(endpoint: string): DynamoDBDocumentClient {
  return createDocumentClient(buildClientSettings(endpoint));
}
