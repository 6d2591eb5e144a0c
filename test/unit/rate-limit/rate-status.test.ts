import { describe, expect, it } from 'vitest';
import { rateStatus, secondsUntil } from '../../../lib/rate-limit/rate-status.ts';

const policy = { limit: 3, windowMs: 60_000 };

describe('the status of a window', () => {
  it('is untouched, and resets a window from now, while it holds nothing', () => {
    expect(rateStatus(policy, [], 1_000_000)).toEqual({ limit: 3, remaining: 3, resetAt: 1060 });
  });

  it('counts what is inside, and resets when the oldest leaves [rate-headers/X-RateLimit-Remaining] [rate-headers/X-RateLimit-Reset]', () => {
    expect(rateStatus(policy, [990_000, 980_000], 1_000_000)).toEqual({ limit: 3, remaining: 1, resetAt: 1040 });
  });

  it('leaves out what is exactly a window old, and places never used [limits/sliding-window] [rate-headers/X-RateLimit-Remaining]', () => {
    expect(rateStatus(policy, [0, 940_000, 940_001], 1_000_000)).toEqual({ limit: 3, remaining: 2, resetAt: 1001 });
  });

  it('never shows less than none remaining', () => {
    expect(rateStatus(policy, [1, 2, 3, 4], 5)).toEqual({ limit: 3, remaining: 0, resetAt: 61 });
  });

  it('rounds the reset up to whole seconds [rate-headers/X-RateLimit-Reset]', () => {
    expect(rateStatus(policy, [1], 5).resetAt).toBe(61);
    expect(rateStatus(policy, [1000], 1000).resetAt).toBe(61);
  });
});

describe('the seconds to wait', () => {
  it.each([
    [60_000, 60],
    [59_001, 60],
    [1_001, 2],
    [1_000, 1],
    [1, 1],
    [0, 1],
    [-5_000, 1],
  ])('for %i ms are %i: whole, rounded up, at least 1 [rate-headers/Retry-After]', (waitMs, seconds) => {
    expect(secondsUntil(1_000_000 + waitMs, 1_000_000)).toBe(seconds);
  });
});
