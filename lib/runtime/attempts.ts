import { type Backoff, jitteredMs, jitteredPause, pause } from './backoff.ts';
import { currentDeadline } from './deadline.ts';

const BACKOFF: Backoff = { firstMs: 20, longestMs: 500 };
// Outside of a request there is no deadline.
const LONGEST_MS = 30_000;

/**
 * Attempts at work that may have to be done again, from 1: the first at once, the others after growing, jittered
 * pauses. They end when another attempt, as long as the longest so far, would not end by the deadline of the request.
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
    const pauseMs = jitteredMs(attempt, BACKOFF);
    if (remainingMs() < pauseMs + longestMs) return;
    await pause(pauseMs);
  }
}

/** The most attempts, and the pauses between them. */
export interface AttemptLimits extends Backoff {
  readonly most: number;
}

/** At most so many attempts, from 1, for work that has no deadline. */
export async function* limitedAttempts({ most, ...backoff }: AttemptLimits): AsyncGenerator<number, void> {
  for (let attempt = 1; attempt <= most; attempt++) {
    if (attempt > 1) await jitteredPause(attempt - 1, backoff);
    yield attempt;
  }
}
