import { expect, it } from 'vitest';
import { computeRateStatus, computeSecondsUntil } from '../../../lib/access/policies.ts';

const policy = { limit: 3, windowMs: 60_000 };

it.each<[string, times: number[], nowMs: number, remaining: number, resetAt: number]>([
  ['is untouched, and resets a window from now, while it holds nothing', [], 1_000_000, 3, 1060],
  ['counts what is inside, and resets when the oldest leaves', [990_000, 980_000], 1_000_000, 1, 1040],
  ['leaves out what is a window old, and places never used', [0, 940_000, 940_001], 1_000_000, 2, 1001],
  ['never shows less than none remaining', [1, 2, 3, 4], 5, 0, 61],
  ['rounds the reset up to whole seconds', [1], 5, 2, 61],
  ['resets at the whole second where it is one', [1000], 1000, 2, 61],
])(
  'the status of a window %s [limits/sliding-window] [rate-headers/X-RateLimit-Remaining] [rate-headers/X-RateLimit-Reset]',
  (_, times, nowMs, remaining, resetAt) => {
    expect(computeRateStatus(policy, times, nowMs)).toEqual({ limit: 3, remaining, resetAt });
  },
);

it.each([
  [59_001, 60],
  [1_000, 1],
  [1, 1],
  [0, 1],
])(
  'the seconds to wait for %i ms are %i: whole, rounded up, at least 1 [rate-headers/Retry-After]',
  (waitMs, seconds) => {
    expect(computeSecondsUntil(1_000_000 + waitMs, 1_000_000)).toBe(seconds);
  },
);
