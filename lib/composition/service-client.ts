import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { currentDeadline } from '../runtime/deadline.ts';
import { recordCall } from '../runtime/usage.ts';
import { createDocumentClient } from '../storage/document-client.ts';

/** The document client of a function; its calls end by the deadline of the request that makes them, and what they consume is added to it. */
export function serviceClient(options: { maxAttempts?: number } = {}): DynamoDBDocumentClient {
  return createDocumentClient({ ...options, onCall: recordCall, deadlineOf: currentDeadline });
}
