import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLoginGuard } from '../../../lib/rate-limit/login-guard.ts';
import { guardStoreFake } from '../../support/fakes/guard-stores.ts';

const START_MS = Date.parse('2026-07-01T10:00:00Z');

function aGuard(store = guardStoreFake()) {
  const time = { nowMs: START_MS };
  const guard = createLoginGuard(store, { now: () => new Date(time.nowMs) });
  const fail = async (source = '10.0.0.1') => (await guard.admit(source)).fail();
  const succeed = async (source = '10.0.0.1') => (await guard.admit(source)).succeed();
  return { guard, time, fail, succeed };
}

const blocked = (retryAfterSeconds: number) =>
  expect.objectContaining({ code: 'RATE_LIMITED', reason: 'blocked-source', retryAfterSeconds });

describe('the login guard', () => {
  it('blocks a source for 60 s from its 5th failure within 30 s, whatever is attempted [auth/rule-6/block] [auth/rule-6/every-attempt] [limits/login]', async () => {
    const { guard, time, fail, succeed } = aGuard();
    const left: number[] = [];
    for (let failures = 0; failures < 4; failures++) left.push((await fail()).remaining);
    time.nowMs += 29_999;
    expect([...left, (await fail()).remaining]).toEqual([4, 3, 2, 1, 0]);
    await expect(guard.admit('10.0.0.1'), 'whose password is not even checked').rejects.toEqual(blocked(60));
    time.nowMs += 59_999;
    await expect(succeed()).rejects.toEqual(blocked(1));
    time.nowMs += 1;
    expect((await succeed()).remaining).toBe(5);
  });

  it('tells each source what a log of its failures would: who succeeds or only looks counts nothing, and nobody prolongs a block [auth/rule-6/block] [auth/rule-6/every-attempt] [limits/login]', async () => {
    const step = fc.record({
      kind: fc.constantFrom('succeed', 'fail', 'fail', 'fail', 'look'),
      source: fc.constantFrom('10.0.0.1', '10.0.0.1', '10.0.0.2'),
      pauseMs: fc.oneof(fc.constantFrom(0, 0, 1, 29_999, 30_000, 59_999, 60_000), fc.nat(10_000)),
    });
    const property = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { guard, time } = aGuard();
      const log: { source: string; atMs: number }[] = [];
      for (const { kind, source, pauseMs } of steps) {
        const nowMs = (time.nowMs += pauseMs);
        const failures = () => log.filter((one) => one.source === source).map(({ atMs }) => atMs);
        const attempt = async () => (kind === 'look' ? guard.look(source) : (await guard.admit(source))[kind]());
        const [first = 0, , , , last = 0] = failures().slice(-5);
        if (first > 0 && last - first < 30_000 && last + 60_000 > nowMs) {
          await expect(attempt()).rejects.toEqual(blocked(Math.ceil((last + 60_000 - nowMs) / 1000)));
          continue;
        }
        if (kind === 'fail') log.push({ source, atMs: nowMs });
        const recent = failures().filter((atMs) => atMs > nowMs - 30_000);
        const resetAt = Math.ceil(((recent[0] ?? nowMs) + 30_000) / 1000);
        const failuresToday = kind === 'look' ? {} : { failuresToday: log.length };
        expect(await attempt()).toEqual({ limit: 5, remaining: 5 - recent.length, resetAt, ...failuresToday });
      }
    });
    await fc.assert(property, { numRuns: 200 });
  });

  it('tells attempts nothing, right or wrong, when others have used up the failures while their passwords were checked', async () => {
    const { guard, fail } = aGuard();
    const [right, wrong] = await Promise.all([guard.admit('10.0.0.1'), guard.admit('10.0.0.1')]);
    for (let failures = 0; failures < 5; failures++) await fail();
    await expect(right.succeed()).rejects.toEqual(blocked(60));
    await expect(wrong.fail()).rejects.toEqual(blocked(60));
  });
});
