import { type Backoff, jitteredMs, pause } from './backoff.ts';
import { currentDeadline } from './deadline.ts';

const BACKOFF: Backoff = { firstMs: 20, longestMs: 500 };
// Outside of a request there is no deadline.
const LONGEST_MS = 30_000;

/**
 * Rounds of work that may have to be done again: the first at once, the others after growing, jittered pauses. They end
 * when another round, as long as the longest so far, would not end by the deadline of the request.
 */
export async function* attempts(): AsyncGenerator<number, void> {
  const deadline = currentDeadline();
  const startMs = performance.now();
  const remainingMs = () => Math.min(LONGEST_MS + startMs - performance.now(), deadline?.remainingMs() ?? LONGEST_MS);
  let longestMs = 0;
  for (let round = 1; ; round++) {
    const roundMs = performance.now();
    yield round;
    longestMs = Math.max(longestMs, performance.now() - roundMs);
    const pauseMs = jitteredMs(round, BACKOFF);
    if (remainingMs() < pauseMs + longestMs) return;
    await pause(pauseMs);
  }
}
