import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { RequestLimiter } from '../http/authorize.ts';
import { createSlidingWindow } from '../rate-limit/sliding-window.ts';
import { tableName } from '../runtime/env.ts';
import { createRateCounterTable } from '../storage/access/rate-counter-table.ts';

/** The rate limit, over the table named in the environment. */
export function requestLimiter(client: DynamoDBDocumentClient): RequestLimiter {
  return createSlidingWindow(createRateCounterTable(client, tableName('RATE_COUNTERS')));
}
