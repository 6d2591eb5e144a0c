import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { recordCall } from '../runtime/usage.ts';
import { createDocumentClient } from '../storage/document-client.ts';

/** The document client of a function; what its calls consume is added to the request that makes them. */
export function serviceClient(options: { maxAttempts?: number } = {}): DynamoDBDocumentClient {
  return createDocumentClient({ ...options, onCall: recordCall });
}
