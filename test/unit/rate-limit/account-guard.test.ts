import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAccountGuard } from '../../../lib/rate-limit/account-guard.ts';
import { ACCOUNT_POLICY, KNOWN_SOURCES } from '../../../lib/rate-limit/policies.ts';
import { accountStoreFake } from '../../support/fakes/guard-stores.ts';

const START_MS = Date.parse('2026-07-01T10:00:00Z');
const { limit, windowMs, pausesMs } = ACCOUNT_POLICY;
const MINUTE_MS = 60_000;
const user = { tenant: 'a.example', userId: '1', companyId: '2', supplierId: null };
const account = { tenant: 'a.example', loginName: 'ana', user, isUsername: false };

function aGuard(store = accountStoreFake()) {
  const time = { nowMs: START_MS };
  const guard = createAccountGuard(store, { now: () => new Date(time.nowMs) });
  const admit = (source = 'anywhere', hasKey = false) => guard(account, { source, hasKey });
  const fail = async (source?: string, hasKey?: boolean) => (await admit(source, hasKey)).fail();
  const succeed = async (source?: string, hasKey?: boolean) => (await admit(source, hasKey)).succeed();
  const failTimes = async (times: number) => {
    for (let n = 0; n < times; n++) await fail();
  };
  return { admit, time, fail, succeed, failTimes };
}

const refused = (retryAfterSeconds: number) =>
  expect.objectContaining({ code: 'RATE_LIMITED', reason: 'spent-account', retryAfterSeconds });

describe('the guard of accounts', () => {
  it.each<[string, boolean, (guard: ReturnType<typeof aGuard>) => Promise<void>]>([
    ['a right login from a known source', true, ({ succeed }) => succeed('home')],
    ['a right login from a known source, with a key', true, ({ succeed }) => succeed('home', true)],
    ['a right login from another source', false, ({ succeed }) => succeed('elsewhere')],
    ['a wrong login from a known source', false, async ({ fail }) => void (await fail('home'))],
  ])('after %s the pauses are short again: %s', async (_what, isShort, event) => {
    const guard = aGuard();
    const { time, fail, succeed, failTimes } = guard;
    await succeed('home');
    await failTimes(limit);
    for (const pauseMs of pausesMs) {
      time.nowMs += pauseMs;
      await fail();
    }
    time.nowMs += 15 * MINUTE_MS;
    await event(guard);
    await fail();
    await expect(fail()).rejects.toEqual(refused(isShort ? 120 : 900));
  });

  it('counts attempts with a key apart: each kind has its budget and its pauses', async () => {
    const { time, fail, succeed, failTimes } = aGuard();
    await failTimes(limit);
    time.nowMs += MINUTE_MS;
    await fail();
    await expect(succeed()).rejects.toEqual(refused(120));
    await succeed('anywhere', true);
    for (let n = 0; n < limit; n++) await fail('elsewhere', true);
    await expect(fail('elsewhere', true)).rejects.toEqual(refused(60));
    await expect(fail('elsewhere')).rejects.toEqual(refused(120));
  });

  it('does not hold others up because of a known source, such as a program with an old password', async () => {
    const { fail, succeed } = aGuard();
    await succeed('home');
    for (let n = 0; n < 3 * limit; n++) await fail('home', true);
    await succeed('elsewhere', true);
    expect(await fail('home')).toBe(61);
  });

  it('counts the failures of 24 hours, of all kinds', async () => {
    const { time, fail, succeed } = aGuard();
    await succeed('home');
    expect([await fail(), await fail('x', true), await fail('home')]).toEqual([1, 2, 3]);
    time.nowMs += windowMs - 1;
    expect(await fail()).toBe(4);
    time.nowMs += 1;
    expect(await fail()).toBe(1);
  });

  it('tells attempts nothing, right or wrong, when others have spent the budget while their passwords were checked', async () => {
    const { admit, failTimes } = aGuard();
    const [right, wrong] = await Promise.all([admit(), admit()]);
    await failTimes(limit);
    await expect(right.succeed()).rejects.toEqual(refused(60));
    await expect(wrong.fail()).rejects.toEqual(refused(60));
  });

  it('tells one more as soon as the first failure is 24 hours old, though the latest is not a minute old', async () => {
    const { time, fail, failTimes } = aGuard();
    await fail();
    time.nowMs += windowMs - 30_000;
    await failTimes(limit - 1);
    time.nowMs += 29_999;
    await expect(fail()).rejects.toEqual(refused(1));
    time.nowMs += 1;
    expect(await fail()).toBe(1);
  });

  it('whenever guesses come, and whenever the owner logs in, tells 20 in any 24 hours, then one after pauses of 1, 2, 4, 8 and 15 minutes, until a day was quiet; else how long to wait', async () => {
    expect([limit, windowMs, pausesMs.map((ms) => ms / MINUTE_MS)]).toEqual([20, 86_400_000, [1, 2, 4, 8, 15]]);
    const bounds = [...pausesMs, windowMs].flatMap((ms) => [ms - 1, ms]);
    const pauseMs = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(0, 10_000) },
      { weight: 3, arbitrary: fc.constantFrom(...bounds) },
      { weight: 1, arbitrary: fc.nat(7_200_000) },
    );
    const steps = fc.record({ pauseMs, owner: fc.nat(8).map((n) => n === 0) });
    const property = fc.asyncProperty(fc.array(steps, { minLength: 30, maxLength: 120 }), async (taken) => {
      const { time, fail, succeed, failTimes } = aGuard();
      await succeed('home');
      await failTimes(limit - 2);
      const told = Array<number>(limit - 2).fill(START_MS);
      let pause = 0;
      for (const { pauseMs: passedMs, owner } of taken) {
        const nowMs = (time.nowMs += passedMs);
        if (owner) {
          await succeed('home');
          pause = 0;
          continue;
        }
        const last = told.at(-1) ?? 0;
        if (nowMs - last >= windowMs) pause = 0;
        const freeMs = (told.at(-limit) ?? 0) + windowMs;
        const isFree = pause === 0 && nowMs >= freeMs;
        const afterPauseMs = last + pausesMs[pause]!;
        const openMs = pause === 0 ? Math.min(freeMs, afterPauseMs) : afterPauseMs;
        if (openMs > nowMs) {
          await expect(fail()).rejects.toEqual(refused(Math.ceil((openMs - nowMs) / 1000)));
          continue;
        }
        await fail();
        told.push(nowMs);
        if (!isFree) pause = Math.min(pause + 1, pausesMs.length - 1);
      }
    });
    await fc.assert(property, { numRuns: 200 });
  });
});

describe('a source from which the account has logged in', () => {
  const { lifetimeMs, renewMs, most } = KNOWN_SOURCES;

  /** A guard whose account has logged in from home at the start; `known` are its sources by now. */
  async function aKnownHome() {
    const store = accountStoreFake();
    const noted: string[] = [];
    const guard = aGuard({
      ...store,
      noteSource: (of, admission, source, nowMs) => {
        noted.push(source.name);
        return store.noteSource(of, admission, source, nowMs);
      },
    });
    const known = async () => Object.keys((await store.read(account, '')).knownSources);
    expect((await guard.admit('home')).passwordHash).toBe('hash of right');
    await guard.succeed('home');
    return { ...guard, noted, known };
  }

  it.each([
    [lifetimeMs - 1, true],
    [lifetimeMs, false],
  ])(
    'is let in for 30 days while the guesses of others have spent the budget: after %i ms, %s',
    async (ms, isKnown) => {
      const { admit, time, fail, succeed } = await aKnownHome();
      time.nowMs += ms;
      for (let n = 0; n < limit; n++) await fail('elsewhere');
      await expect(admit('elsewhere'), 'its password is not even checked').rejects.toEqual(refused(60));
      if (!isKnown) return expect(admit('home')).rejects.toEqual(refused(60));
      await fail('home');
      await succeed('home');
    },
  );

  it('is noted again after 7 days, and not before', async () => {
    const { time, succeed, noted } = await aKnownHome();
    for (const passedMs of [renewMs - 1, 1]) {
      time.nowMs += passedMs;
      await succeed('home');
      expect(noted).toHaveLength(passedMs === 1 ? 2 : 1);
    }
  });

  it('is one of ten: the one that was noted first is forgotten, and those whose 30 days are over', async () => {
    const { time, succeed, known } = await aKnownHome();
    const others = Array.from({ length: most }, (_, n) => `source ${n}`);
    for (const source of others.slice(1)) {
      time.nowMs += 1_000;
      await succeed(source);
    }
    expect(await known()).toHaveLength(most);
    time.nowMs = START_MS + renewMs;
    await succeed('home');
    expect(await known(), 'one that is noted again takes nobody’s place').toHaveLength(most);
    await succeed('source 0');
    expect(await known()).toHaveLength(most);
    expect(await known()).not.toContain('name of source 1');
    // Source 2 came in the 2nd second.
    time.nowMs = START_MS + 2_000 + lifetimeMs;
    await succeed('source 9');
    expect(await known()).not.toContain('name of source 2');
    expect(await known()).toContain('name of source 3');
  });
});
