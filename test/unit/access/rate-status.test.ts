import { expect, it } from 'vitest';
import { computeRateStatus, computeSecondsUntil } from '../../../lib/domain/policies.ts';
import { proves } from '../../rules/proves.ts';

// The tests of the login guard and of the sliding window prove the other properties of a rate status.
it('computeRateStatus returns 0 remaining if there are more requests than the limit', () => {
  proves('rate-headers/X-RateLimit-Remaining');
  const status = { limit: 3, remaining: 0, resetAt: 61 };
  expect(computeRateStatus({ limit: 3, windowMs: 60_000 }, [1, 2, 3, 4], 5)).toEqual(status);
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
