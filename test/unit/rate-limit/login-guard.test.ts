import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLoginGuard, type GuardStore } from '../../../lib/rate-limit/login-guard.ts';
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

async function failTimes(fail: () => Promise<unknown>, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await fail();
}

describe('the login guard', () => {
  it('counts failures down from 5, and says when the oldest is forgotten', async () => {
    const { time, fail, succeed } = aGuard();
    expect(await fail()).toMatchObject({ limit: 5, remaining: 4, resetAt: START_MS / 1000 + 30 });
    time.nowMs += 10_000;
    expect(await fail()).toMatchObject({ limit: 5, remaining: 3, resetAt: START_MS / 1000 + 30 });
    expect(await succeed()).toMatchObject({ limit: 5, remaining: 3, resetAt: START_MS / 1000 + 30 });
  });

  it('blocks a source for 60 s from its 5th failure within 30 s [auth/rule-6/block] [auth/rule-6/every-attempt] [limits/login]', async () => {
    const { guard, time, fail, succeed } = aGuard();
    await failTimes(fail, 4);
    time.nowMs += 29_999;
    expect((await fail()).remaining).toBe(0);
    await expect(guard.admit('10.0.0.1'), 'whose password is not even checked').rejects.toEqual(blocked(60));
    await expect(succeed()).rejects.toEqual(blocked(60));
    time.nowMs += 59_999;
    await expect(succeed()).rejects.toEqual(blocked(1));
    time.nowMs += 1;
    expect((await succeed()).remaining).toBe(5);
  });

  it('does not block a 5th failure that comes 30 s after the first [auth/rule-6/block]', async () => {
    const { time, fail } = aGuard();
    await fail();
    time.nowMs += 30_000;
    await failTimes(fail, 3);
    expect((await fail()).remaining).toBe(1);
    expect((await fail()).remaining).toBe(0);
  });

  it('tells who only looks what is left, and counts nothing [auth/rule-6/every-attempt]', async () => {
    const { guard, time, fail } = aGuard();
    const look = () => guard.look('10.0.0.1');
    expect(await look()).toEqual({ limit: 5, remaining: 5, resetAt: START_MS / 1000 + 30 });
    await failTimes(fail, 2);
    time.nowMs += 10_000;
    for (let looks = 0; looks < 6; looks++) {
      expect(await look()).toEqual({ limit: 5, remaining: 3, resetAt: START_MS / 1000 + 30 });
    }
    await failTimes(fail, 3);
    await expect(look()).rejects.toEqual(blocked(60));
    time.nowMs += 60_000;
    expect((await look()).remaining).toBe(5);
  });

  it('does not prolong a block by attempts made during it', async () => {
    const { time, fail, succeed } = aGuard();
    await failTimes(fail, 5);
    time.nowMs += 30_000;
    await expect(fail()).rejects.toEqual(blocked(30));
    time.nowMs += 30_000;
    await succeed();
  });

  it('does not forget failures because of a success', async () => {
    const { fail, succeed } = aGuard();
    await failTimes(fail, 4);
    expect((await succeed()).remaining).toBe(1);
    expect((await fail()).remaining).toBe(0);
    await expect(succeed()).rejects.toEqual(blocked(60));
  });

  it('keeps sources apart [auth/rule-6/block]', async () => {
    const { fail, succeed } = aGuard();
    await failTimes(fail, 5);
    expect((await succeed('10.0.0.2')).remaining).toBe(5);
  });

  it('tells an attempt nothing, right or wrong, when others have used up the failures while its password was checked', async () => {
    const { guard, fail } = aGuard();
    const [right, wrong] = await Promise.all([guard.admit('10.0.0.1'), guard.admit('10.0.0.1')]);
    await failTimes(fail, 5);
    await expect(right.succeed()).rejects.toEqual(blocked(60));
    await expect(wrong.fail()).rejects.toEqual(blocked(60));
  });

  it('lets right attempts at once succeed, however many they are', async () => {
    const { guard } = aGuard();
    const attempts = await Promise.all(Array.from({ length: 200 }, () => guard.admit('10.0.0.1')));
    const statuses = await Promise.all(attempts.map((attempt) => attempt.succeed()));
    expect(new Set(statuses.map(({ remaining }) => remaining))).toEqual(new Set([5]));
  });

  it('in whatever order attempts at once are decided, tells 5 wrong ones so and nothing to what comes after them [limits/login]', async () => {
    const property = fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom('right', 'wrong'), { minLength: 1, maxLength: 40 }),
      async (scheduler, kinds) => {
        const store = guardStoreFake();
        const decided: { kind: string; allowed: boolean }[] = [];
        const recorded = (kind: 'succeed' | 'fail'): GuardStore['fail'] =>
          scheduler.scheduleFunction(async (source, nowMs) => {
            const decision = await store[kind](source, nowMs);
            decided.push({ kind: kind === 'fail' ? 'wrong' : 'right', allowed: decision.kind === 'allowed' });
            return decision;
          });
        const { guard } = aGuard({
          failures: scheduler.scheduleFunction(async (source: string) => store.failures(source)),
          succeed: recorded('succeed'),
          fail: recorded('fail'),
        });
        const told = kinds.map(async (kind) => {
          const attempt = await guard.admit('10.0.0.1');
          return kind === 'right' ? attempt.succeed() : attempt.fail();
        });
        const outcomes = Promise.allSettled(told);
        await scheduler.waitFor(outcomes);

        const results = await outcomes;
        const toldWrong = results.filter(({ status }, at) => status === 'fulfilled' && kinds[at] === 'wrong').length;
        expect(toldWrong).toBe(Math.min(5, kinds.filter((kind) => kind === 'wrong').length));
        let wrong = 0;
        for (const { kind, allowed } of decided) {
          expect(allowed).toBe(wrong < 5);
          if (kind === 'wrong') wrong++;
        }
      },
    );
    await fc.assert(property, { numRuns: 200 });
  });
});
