import type { RequestLimiter } from '../http/authorize.ts';
import { createSlidingWindow } from '../rate-limit/sliding-window.ts';
import { tableName } from '../runtime/env.ts';
import { createRateCounterTable } from '../storage/rate-counter-table.ts';
import { serviceClient } from './service-client.ts';

/** The rate limit, over the table named in the environment. */
export function requestLimiter(): RequestLimiter {
  // One attempt at a time: without its counter the request goes on, so it does not wait for long.
  return createSlidingWindow(createRateCounterTable(serviceClient({ maxAttempts: 1 }), tableName('RATE_COUNTERS')));
}
