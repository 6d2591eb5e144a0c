import { expect, it } from 'vitest';
import { computeRateStatus, computeSecondsUntil } from '../../../lib/access/policies.ts';
import { proves } from '../../rules/proves.ts';

const policy = { limit: 3, windowMs: 60_000 };

it.each<[string, times: number[], nowMs: number, remaining: number, resetAt: number]>([
  ['returns the full limit and a reset in one window if the window is empty', [], 1_000_000, 3, 1060],
  ['counts the requests in the window, and resets when the oldest leaves it', [990_000, 980_000], 1_000_000, 1, 1040],
  ['ignores requests that are one window old, and unused slots', [0, 940_000, 940_001], 1_000_000, 2, 1001],
  ['returns 0 remaining if there are more requests than the limit', [1, 2, 3, 4], 5, 0, 61],
  ['rounds the reset up to a whole second', [1], 5, 2, 61],
  ['does not change a reset at a whole second', [1000], 1000, 2, 61],
])('rateStatus %s', (_, times, nowMs, remaining, resetAt) => {
  proves('limits/sliding-window', 'rate-headers/X-RateLimit-Remaining', 'rate-headers/X-RateLimit-Reset');
  expect(computeRateStatus(policy, times, nowMs)).toEqual({ limit: 3, remaining, resetAt });
});

it.each([
  [59_001, 60],
  [1_000, 1],
  [1, 1],
  [0, 1],
])('secondsUntil rounds %i ms up to %i s, at least 1 s', (waitMs, seconds) => {
  proves('rate-headers/Retry-After');
  expect(computeSecondsUntil(1_000_000 + waitMs, 1_000_000)).toBe(seconds);
});
