import { setTimeout } from 'node:timers/promises';
import { currentDeadline } from './request-scope.ts';

export const pause = async (ms: number): Promise<void> => setTimeout(ms);

/** The upper bounds of the back-off: of the first wait, and of the longest wait. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * Computes the wait before a retry (1 is the first one), in milliseconds. It is random, so that two writers that had a
 * conflict do not have it again; its upper bound doubles with each retry.
 */
export function computeBackoffMs(repetition: number, { firstMs, longestMs }: Backoff): number {
  return Math.random() * Math.min(longestMs, firstMs * 2 ** (repetition - 1));
}

/** Waits before a retry (1 is the first one) for the time of `computeBackoffMs`. */
export async function pauseWithBackoff(repetition: number, backoff: Backoff): Promise<void> {
  await pause(computeBackoffMs(repetition, backoff));
}

const BACKOFF: Backoff = { firstMs: 20, longestMs: 500 };
// The limit outside of a request, where there is no deadline.
const LONGEST_MS = 30_000;

/**
 * Yields the numbers of attempts, from 1: the first at once, the others after a back-off with jitter. It ends if
 * another attempt, as long as the longest so far, would not end before the deadline of the request.
 */
export async function* attempts(): AsyncGenerator<number, void> {
  const deadline = currentDeadline();
  const startMs = performance.now();
  const remainingMs = () => Math.min(LONGEST_MS + startMs - performance.now(), deadline?.remainingMs() ?? LONGEST_MS);
  let longestMs = 0;
  for (let attempt = 1; ; attempt++) {
    const attemptMs = performance.now();
    yield attempt;
    longestMs = Math.max(longestMs, performance.now() - attemptMs);
    const pauseMs = computeBackoffMs(attempt, BACKOFF);
    if (remainingMs() < pauseMs + longestMs) return;
    await pause(pauseMs);
  }
}

/** The maximum number of attempts, and their back-off. */
export interface AttemptLimits extends Backoff {
  readonly most: number;
}

/** Yields the numbers of attempts, from 1 to a maximum, for work without a deadline. */
export async function* limitedAttempts({ most, ...backoff }: AttemptLimits): AsyncGenerator<number, void> {
  for (let attempt = 1; attempt <= most; attempt++) {
    if (attempt > 1) await pauseWithBackoff(attempt - 1, backoff);
    yield attempt;
  }
}
