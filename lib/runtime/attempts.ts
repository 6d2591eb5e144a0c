import { setTimeout } from 'node:timers/promises';
import { getCurrentDeadline } from './request-scope.ts';

export const pause = async (ms: number): Promise<void> => setTimeout(ms);

/** The upper bounds of the first and of the longest wait of a back-off. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** Computes the wait before a retry (from 1), in milliseconds. Its upper bound doubles with each retry. */
export function computeBackoffMs(retry: number, { firstMs, longestMs }: Backoff): number {
  // The wait is random, so that two writers that had a conflict do not have it again.
  return Math.random() * Math.min(longestMs, firstMs * 2 ** (retry - 1));
}

const BACKOFF: Backoff = { firstMs: 20, longestMs: 500 };
// The limit of all attempts outside of a request, where there is no deadline.
const MAX_TOTAL_MS = 30_000;

/**
 * Yields the numbers of attempts, from 1: the first number at once, the others after a back-off with jitter. Ends if
 * there is not enough time before the deadline for another attempt of the longest duration so far.
 */
export async function* attempts(): AsyncGenerator<number, void> {
  const deadline = getCurrentDeadline();
  const limitMs = performance.now() + MAX_TOTAL_MS;
  const getRemainingMs = () => Math.min(limitMs - performance.now(), deadline?.remainingMs() ?? MAX_TOTAL_MS);
  let longestAttemptMs = 0;
  for (let attempt = 1; ; attempt++) {
    const startMs = performance.now();
    // The caller works between two calls of the generator.
    yield attempt;
    longestAttemptMs = Math.max(longestAttemptMs, performance.now() - startMs);
    const pauseMs = computeBackoffMs(attempt, BACKOFF);
    if (getRemainingMs() < pauseMs + longestAttemptMs) return;
    await pause(pauseMs);
  }
}

/** The maximum number of attempts, and their back-off. */
export interface AttemptLimits extends Backoff {
  readonly maxAttempts: number;
}

/** Yields the numbers of attempts, from 1 to a maximum, for work without a deadline. */
export async function* limitedAttempts({ maxAttempts, ...backoff }: AttemptLimits): AsyncGenerator<number, void> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    if (attempt > 1) await pause(computeBackoffMs(attempt - 1, backoff));
    yield attempt;
  }
}
