import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLoginGuard } from '../../../lib/access/login-guard.ts';
import { createGuardStoreFake } from '../../support/fakes/guard-stores.ts';
import { proves } from '../../rules/proves.ts';

const START_MS = Date.parse('2026-07-01T10:00:00Z');

function createGuard() {
  const time = { nowMs: START_MS };
  const guard = createLoginGuard(createGuardStoreFake(), { now: () => new Date(time.nowMs) });
  const recordFailure = async (source = '10.0.0.1') => (await guard.beginAttempt(source)).recordFailure();
  const recordSuccess = async (source = '10.0.0.1') => (await guard.beginAttempt(source)).recordSuccess();
  return { guard, time, recordFailure, recordSuccess };
}

const lockedOutError = (retryAfterSeconds: number) =>
  expect.objectContaining({ code: 'RATE_LIMITED', reason: 'blocked-source', retryAfterSeconds });

describe('the login guard', () => {
  it('rejects every attempt of a source for 60 s after its 5th failure within 30 s', async () => {
    proves('auth/rule-6/block', 'auth/rule-6/every-attempt', 'limits/login');
    const { guard, time, recordFailure, recordSuccess } = createGuard();
    const remaining: number[] = [];
    for (let failures = 0; failures < 4; failures++) remaining.push((await recordFailure()).remaining);
    time.nowMs += 29_999;
    expect([...remaining, (await recordFailure()).remaining]).toEqual([4, 3, 2, 1, 0]);
    await expect(guard.beginAttempt('10.0.0.1'), 'its password is not checked').rejects.toEqual(lockedOutError(60));
    time.nowMs += 59_999;
    await expect(recordSuccess()).rejects.toEqual(lockedOutError(1));
    time.nowMs += 1;
    expect((await recordSuccess()).remaining).toBe(5);
    for (let failures = 0; failures < 4; failures++) await recordFailure();
    time.nowMs += 30_000;
    await recordFailure();
    expect((await recordSuccess()).remaining, 'the 5th failure came 30 s after the first').toBe(4);
  });

  it('counts only failures, and no attempt extends a lockout, in any sequence of attempts', async () => {
    proves('auth/rule-6/block', 'auth/rule-6/every-attempt', 'limits/login');
    const step = fc.record({
      kind: fc.constantFrom('recordSuccess', 'recordFailure', 'recordFailure', 'recordFailure', 'getStatus'),
      source: fc.constantFrom('10.0.0.1', '10.0.0.1', '10.0.0.2'),
      pauseMs: fc.oneof(fc.constantFrom(0, 0, 1, 29_999, 30_000, 59_999, 60_000), fc.nat(10_000)),
    });
    const property = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { guard, time } = createGuard();
      const log: { source: string; atMs: number }[] = [];
      for (const { kind, source, pauseMs } of steps) {
        const nowMs = (time.nowMs += pauseMs);
        const failures = () => log.filter((one) => one.source === source).map(({ atMs }) => atMs);
        const attempt = async () =>
          kind === 'getStatus' ? guard.getStatus(source) : (await guard.beginAttempt(source))[kind]();
        const [first = 0, , , , last = 0] = failures().slice(-5);
        if (first > 0 && last - first < 30_000 && last + 60_000 > nowMs) {
          await expect(attempt()).rejects.toEqual(lockedOutError(Math.ceil((last + 60_000 - nowMs) / 1000)));
          continue;
        }
        if (kind === 'recordFailure') log.push({ source, atMs: nowMs });
        const recent = failures().filter((atMs) => atMs > nowMs - 30_000);
        const resetAt = Math.ceil(((recent[0] ?? nowMs) + 30_000) / 1000);
        const failuresToday = kind === 'getStatus' ? {} : { failuresToday: log.length };
        expect(await attempt()).toEqual({ limit: 5, remaining: 5 - recent.length, resetAt, ...failuresToday });
      }
    });
    await fc.assert(property, { numRuns: 200 });
  });

  it('rejects an attempt, right or wrong, if other attempts locked its source out during the password check', async () => {
    const { guard, recordFailure } = createGuard();
    const [right, wrong] = await Promise.all([guard.beginAttempt('10.0.0.1'), guard.beginAttempt('10.0.0.1')]);
    for (let failures = 0; failures < 5; failures++) await recordFailure();
    await expect(right.recordSuccess()).rejects.toEqual(lockedOutError(60));
    await expect(wrong.recordFailure()).rejects.toEqual(lockedOutError(60));
  });
});
