import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAccountGuard } from '../../../lib/rate-limit/account-guard.ts';
import { ACCOUNT_POLICY, KNOWN_SOURCES } from '../../../lib/rate-limit/policies.ts';
import { accountStoreFake } from '../../support/fakes/guard-stores.ts';

const START_MS = Date.parse('2026-07-01T10:00:00Z');
const { limit, windowMs, pausesMs } = ACCOUNT_POLICY;
const MINUTE_MS = 60_000;
const account = {
  tenant: 'a.example',
  loginName: 'ana',
  user: { tenant: 'a.example', userId: '1', companyId: '2', supplierId: null },
  isUsername: false,
};

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
  it('gives the password hash of the account', async () => {
    expect((await aGuard().admit()).passwordHash).toBe('hash of right');
  });

  it('lets 20 fail in any 24 hours, and tells how long to wait: a minute from the latest, or until the oldest is a day old', async () => {
    const { time, fail, failTimes } = aGuard();
    await fail();
    time.nowMs += 10_000;
    await failTimes(limit - 1);
    time.nowMs = START_MS + 30_000;
    await expect(fail()).rejects.toEqual(refused(40));
    const other = aGuard();
    await other.fail();
    other.time.nowMs = START_MS + windowMs - 30_000;
    await other.failTimes(limit - 1);
    await expect(other.fail()).rejects.toEqual(refused(30));
    other.time.nowMs = START_MS + windowMs;
    await other.fail();
    await expect(other.fail()).rejects.toEqual(refused(60));
  });

  it('lets the pauses grow with each failure: 1, 2, 4, 8, 15 minutes, and 15 again', async () => {
    const { time, fail, failTimes } = aGuard();
    await failTimes(limit);
    for (const minutes of [1, 2, 4, 8, 15, 15, 15]) {
      time.nowMs += minutes * MINUTE_MS - 1;
      await expect(fail()).rejects.toEqual(refused(1));
      time.nowMs += 1;
      await fail();
    }
  });

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

  it('begins anew after a day without failures', async () => {
    const { time, fail, failTimes } = aGuard();
    await failTimes(limit);
    for (const pauseMs of pausesMs) {
      time.nowMs += pauseMs;
      await fail();
    }
    time.nowMs += windowMs - 1;
    await fail();
    await expect(fail()).rejects.toEqual(refused(900));
    time.nowMs += windowMs;
    await failTimes(limit);
    await expect(fail()).rejects.toEqual(refused(60));
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

  it('in whatever order attempts at once are decided, tells 20 wrong ones so, and nothing to what comes after them', async () => {
    const property = fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom('right', 'wrong', 'wrong', 'wrong'), { minLength: 20, maxLength: 60 }),
      async (scheduler, kinds) => {
        const store = accountStoreFake();
        const decided: { kind: string; allowed: boolean }[] = [];
        const { admit } = aGuard({
          read: scheduler.scheduleFunction(async (...of) => store.read(...of)),
          fail: scheduler.scheduleFunction(async (...write) => {
            const decision = await store.fail(...write);
            decided.push({ kind: 'wrong', allowed: decision.kind === 'allowed' });
            return decision;
          }),
          noteSource: scheduler.scheduleFunction(async (...write) => {
            const decision = await store.noteSource(...write);
            decided.push({ kind: 'right', allowed: decision.kind === 'allowed' });
            return decision;
          }),
        });
        const told = kinds.map(async (kind, n) => {
          const attempt = await admit(`source ${n}`);
          return kind === 'right' ? attempt.succeed() : attempt.fail();
        });
        const outcomes = Promise.allSettled(told);
        await scheduler.waitFor(outcomes);

        const results = await outcomes;
        const toldWrong = results.filter(({ status }, at) => status === 'fulfilled' && kinds[at] === 'wrong').length;
        expect(toldWrong).toBe(Math.min(limit, kinds.filter((kind) => kind === 'wrong').length));
        let wrong = 0;
        for (const { kind, allowed } of decided) {
          expect(allowed).toBe(wrong < limit);
          if (kind === 'wrong') wrong++;
        }
      },
    );
    await fc.assert(property, { numRuns: 200 });
  });

  it('whenever guesses come, and whenever the owner logs in, tells no more than 20 in 24 hours without the pauses', async () => {
    const steps = fc.record({ pauseS: fc.nat(7_200), owner: fc.boolean() });
    const property = fc.asyncProperty(fc.array(steps, { minLength: 30, maxLength: 120 }), async (taken) => {
      const { time, fail, succeed } = aGuard();
      await succeed('home');
      const told: number[] = [];
      let pause = 0;
      for (const { pauseS, owner } of taken) {
        time.nowMs += pauseS * 1000;
        if (owner) {
          await succeed('home');
          pause = 0;
          continue;
        }
        const last = told.at(-1) ?? 0;
        if (time.nowMs - last >= windowMs) pause = 0;
        const isFree = pause === 0 && time.nowMs - (told.at(-limit) ?? 0) >= windowMs;
        const isOpen = isFree || time.nowMs - last >= (pausesMs[pause] ?? 0);
        const isTold = await fail().then(
          () => true,
          () => false,
        );
        expect(isTold).toBe(isOpen);
        if (isTold) told.push(time.nowMs);
        if (isTold && !isFree) pause = Math.min(pause + 1, pausesMs.length - 1);
      }
    });
    await fc.assert(property, { numRuns: 100 });
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
    await guard.succeed('home');
    return { ...guard, noted, known };
  }

  it('is let in for 30 days while the guesses of others have spent the budget', async () => {
    const { admit, time, fail, succeed } = await aKnownHome();
    time.nowMs += lifetimeMs - 1;
    for (let n = 0; n < limit; n++) await fail('elsewhere');
    await expect(admit('elsewhere'), 'its password is not even checked').rejects.toEqual(refused(60));
    await fail('home');
    await succeed('home');
    time.nowMs = START_MS + lifetimeMs;
    await admit('home');
    const { admit: admitLater, time: later, fail: failLater } = await aKnownHome();
    later.nowMs += lifetimeMs;
    for (let n = 0; n < limit; n++) await failLater('elsewhere');
    await expect(admitLater('home')).rejects.toEqual(refused(60));
  });

  it('is noted again after 7 days, and not before', async () => {
    const { time, succeed, noted } = await aKnownHome();
    time.nowMs += renewMs - 1;
    await succeed('home');
    expect(noted).toHaveLength(1);
    time.nowMs += 1;
    await succeed('home');
    expect(noted).toHaveLength(2);
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
