import { setTimeout } from 'node:timers/promises';
import { currentDeadline } from './deadline.ts';

/** How long pauses may be: the first one, and the longest one. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * How long to pause before a repetition (1 is the first one). The time is random, so that writers that met once do not
 * meet again; its upper bound doubles with each repetition.
 */
export function jitteredMs(repetition: number, { firstMs, longestMs }: Backoff): number {
  return Math.random() * Math.min(longestMs, firstMs * 2 ** (repetition - 1));
}

/** Pauses before a repetition (1 is the first one), as long as `jitteredMs` says. */
export async function jitteredPause(repetition: number, backoff: Backoff): Promise<void> {
  await pause(jitteredMs(repetition, backoff));
}

/** Pauses for this long. */
export async function pause(ms: number): Promise<void> {
  await setTimeout(ms);
}

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
