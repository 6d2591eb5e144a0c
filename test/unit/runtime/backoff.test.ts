import { afterEach, describe, expect, it, vi } from 'vitest';
import { jitteredMs } from '../../../lib/runtime/backoff.ts';

afterEach(() => vi.restoreAllMocks());

const backoff = { firstMs: 10, longestMs: 50 };

describe('the pause before a repetition', () => {
  it.each([
    ['longest', 1, [10, 20, 40, 50, 50]],
    ['shortest', 0, [0, 0, 0, 0, 0]],
    ['middle', 0.5, [5, 10, 20, 25, 25]],
  ])('is random, up to a bound that doubles until it is the longest pause: the %s', (_, random, pauses) => {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    expect([1, 2, 3, 4, 5].map((repetition) => jitteredMs(repetition, backoff))).toEqual(pauses);
  });
});
