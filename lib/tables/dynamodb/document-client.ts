import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createTableClient, limitCallsToDeadline } from './table-client.ts';

/**
 * Creates the client of the operators' commands and of the local service. It has the settings of the client of the
 * functions, and can also send document commands. Numbers are read as NumberValue, so that no digit is lost.
 */
export function createDocumentClient(options: DynamoDBClientConfig = {}): DynamoDBDocumentClient {
  const client = DynamoDBDocumentClient.from(createTableClient(options), {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { wrapNumbers: true },
  });
  // A document client shares the middlewares of its client, but not the method `send`.
  limitCallsToDeadline(client);
  return client;
}
