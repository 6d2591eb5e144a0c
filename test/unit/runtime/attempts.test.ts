import { afterEach, describe, expect, it, vi } from 'vitest';
import { runWithinDeadline } from '../../../lib/runtime/request-scope.ts';
import { attempts, computeBackoffMs } from '../../../lib/runtime/attempts.ts';

afterEach(() => vi.restoreAllMocks());

describe('attempts', () => {
  it.each([
    ['ends if a round as long as the longest so far would exceed the deadline', 10_000, 2],
    ['allows one round after the deadline, so that its call can report the timeout', 0, 1],
  ])('attempts %s', async (_, initialMs, rounds) => {
    let remainingMs = initialMs;
    let startedRounds = 0;
    const work = async () => {
      for await (startedRounds of attempts()) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        // One second is reserved for the response.
        if (startedRounds === 2) remainingMs = 1_040;
      }
    };
    await runWithinDeadline(() => remainingMs, work);
    expect(startedRounds).toBe(rounds);
  });
});

const backoff = { firstMs: 10, longestMs: 50 };

it.each([
  ['longest', 1, [10, 20, 40, 50, 50]],
  ['shortest', 0, [0, 0, 0, 0, 0]],
  ['middle', 0.5, [5, 10, 20, 25, 25]],
])(
  'jitteredMs returns a random back-off below a bound that doubles up to longestMs: the %s back-off',
  (_, random, pauses) => {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    expect([1, 2, 3, 4, 5].map((retry) => computeBackoffMs(retry, backoff))).toEqual(pauses);
  },
);
