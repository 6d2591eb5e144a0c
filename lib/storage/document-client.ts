import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DatabaseCall } from '../runtime/usage.ts';
import { meterCalls } from './call-meter.ts';

const MAX_SOCKETS = 256;

/**
 * A document client with pinned attempts and timeouts. Numbers come back as NumberValue, never as a binary float.
 * `maxAttempts: 1` is for writes that must not count twice; the region is the environment's unless it is given;
 * `onCall` is told of every call.
 */
export function createDocumentClient({
  maxAttempts = 3,
  onCall,
  ...where
}: {
  maxAttempts?: number;
  onCall?: (call: DatabaseCall) => void;
  region?: string;
} = {}): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    ...where,
    maxAttempts,
    retryMode: 'standard',
    requestHandler: {
      connectionTimeout: 3_000,
      requestTimeout: 5_000,
      throwOnRequestTimeout: true,
      // A process that serves many requests at once must not wait for its own sockets: that counts as a timeout.
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
  });
  if (onCall) meterCalls(client, onCall);
  return DynamoDBDocumentClient.from(client, {
    marshallOptions: { removeUndefinedValues: true },
    unmarshallOptions: { wrapNumbers: true },
  });
}
