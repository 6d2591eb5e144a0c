import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccountStore, createAccountGuard } from '../../../lib/rate-limit/account-guard.ts';
import { ACCOUNT_POLICY } from '../../../lib/rate-limit/policies.ts';

const START_MS = Date.parse('2026-07-01T10:00:00Z');
const { limit, windowMs, pauseMs } = ACCOUNT_POLICY;
const account = { tenant: 'a.example', loginName: 'ana', user: null };

/** The table's conditions, over one record in memory. */
function storeFake(): AccountStore {
  let failures = Array<number>(limit).fill(0);
  const sources: Record<string, number> = {};
  const hasBudget = (nowMs: number) =>
    (failures[0] ?? 0) <= nowMs - windowMs || (failures.at(-1) ?? 0) <= nowMs - pauseMs;
  return {
    read: async (_account, source) => ({
      passwordHash: 'hash',
      tokensFromMs: 0,
      failures,
      knownSources: { ...sources },
      sourceName: `name of ${source}`,
    }),
    async fail(_account, isKnown, nowMs) {
      const allowed = isKnown || hasBudget(nowMs);
      if (allowed) failures = [...failures.slice(1), nowMs];
      return { kind: allowed ? 'allowed' : 'refused', failures };
    },
    async noteSource(_account, { name, forget, isKnown }, nowMs) {
      const allowed = isKnown || hasBudget(nowMs);
      if (allowed) sources[name] = nowMs;
      if (allowed) for (const other of forget) delete sources[other];
      return { kind: allowed ? 'allowed' : 'refused', failures };
    },
  };
}

function aGuard(store = storeFake()) {
  const time = { nowMs: START_MS };
  const admit = createAccountGuard(store, { now: () => new Date(time.nowMs) });
  const fail = async (source = 'anywhere') => (await admit(account, source)).fail();
  const succeed = async (source = 'anywhere') => (await admit(account, source)).succeed();
  return { admit, time, fail, succeed };
}

const refused = (retryAfterSeconds: number) =>
  expect.objectContaining({ code: 'RATE_LIMITED', reason: 'spent-account', retryAfterSeconds });

describe('the guard of accounts', () => {
  it('gives the password hash of the account', async () => {
    expect((await aGuard().admit(account, 'anywhere')).passwordHash).toBe('hash');
  });

  it('tells how long to wait: until the latest failure is a minute old, or the oldest of 20 is 15 minutes old', async () => {
    const { time, fail, succeed } = aGuard();
    for (let n = 0; n < limit; n++) {
      await fail();
      time.nowMs += 44_000;
    }
    // The latest failure came at 836 s, and it is 880 s.
    await expect(fail()).rejects.toEqual(refused(16));
    time.nowMs += 16_000;
    await fail();
    // Of the latest 20 the oldest came at 44 s.
    await expect(succeed()).rejects.toEqual(refused(48));
    time.nowMs += 47_999;
    await expect(succeed()).rejects.toEqual(refused(1));
    time.nowMs += 1;
    await succeed();
  });

  it('in whatever order attempts at once are decided, tells 20 wrong ones so, and nothing to what comes after them', async () => {
    const property = fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom('right', 'wrong', 'wrong', 'wrong'), { minLength: 20, maxLength: 60 }),
      async (scheduler, kinds) => {
        const store = storeFake();
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
          const attempt = await admit(account, `source ${n}`);
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

  it('whenever guesses come, never lets more than 20 through in 15 minutes that are not a minute apart', async () => {
    const property = fc.asyncProperty(fc.array(fc.nat(90_000), { minLength: 30, maxLength: 90 }), async (pauses) => {
      const { time, fail } = aGuard();
      const told: number[] = [];
      for (const pause of pauses) {
        time.nowMs += pause;
        await fail().then(
          () => told.push(time.nowMs),
          () => undefined,
        );
      }
      for (const [place, timeMs] of told.entries()) {
        const twentieth = told[place - limit] ?? 0;
        const last = told[place - 1] ?? 0;
        expect(timeMs - twentieth >= windowMs || timeMs - last >= pauseMs).toBe(true);
      }
    });
    await fc.assert(property, { numRuns: 100 });
  });
});
