import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { currentDeadline } from '../runtime/deadline.ts';
import { recordCall } from '../runtime/usage.ts';
import { createDocumentClient } from '../storage/dynamodb/document-client.ts';

/** The document client of a function: each call ends by the deadline of its request, and its cost is added to it. */
export function serviceClient(): DynamoDBDocumentClient {
  return createDocumentClient({ onCall: recordCall, deadlineOf: currentDeadline });
}
