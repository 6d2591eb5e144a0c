import { afterEach, describe, expect, it, vi } from 'vitest';
import { runWithinDeadline } from '../../../lib/runtime/request-scope.ts';
import { attempts, computeBackoffMs } from '../../../lib/runtime/attempts.ts';

afterEach(() => vi.restoreAllMocks());

describe('the rounds of work that may have to be done again', () => {
  it.each([
    ['end when another one, as long as the longest so far, would not end by the deadline', 10_000, 2],
    ['give one round even when the time is over, so that its call can say so', 0, 1],
  ])('%s', async (_, givenMs, rounds) => {
    let remainingMs = givenMs;
    let begun = 0;
    const work = async () => {
      for await (begun of attempts()) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        // A second is kept for the answer.
        if (begun === 2) remainingMs = 1_040;
      }
    };
    await runWithinDeadline(() => remainingMs, work);
    expect(begun).toBe(rounds);
  });
});

const backoff = { firstMs: 10, longestMs: 50 };

it.each([
  ['longest', 1, [10, 20, 40, 50, 50]],
  ['shortest', 0, [0, 0, 0, 0, 0]],
  ['middle', 0.5, [5, 10, 20, 25, 25]],
])(
  'the pause before a repetition is random, up to a bound that doubles until it is the longest pause: the %s',
  (_, random, pauses) => {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    expect([1, 2, 3, 4, 5].map((repetition) => computeBackoffMs(repetition, backoff))).toEqual(pauses);
  },
);
