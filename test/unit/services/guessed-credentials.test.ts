import { describe, expect, it } from 'vitest';
import type { AccessSnapshot, User } from '../../../lib/domain/directory.ts';
import { ServiceError } from '../../../lib/domain/errors.ts';
import { createAccountGuard } from '../../../lib/rate-limit/account-guard.ts';
import { createLoginGuard, LoginBlocked } from '../../../lib/rate-limit/login-guard.ts';
import { REPORTED_FAILURES } from '../../../lib/rate-limit/policies.ts';
import { type AttemptLog, type FailuresOfDay, verifyCredentials } from '../../../lib/services/verify-credentials.ts';
import { accountStoreFake, guardStoreFake } from '../../support/fakes/guard-stores.ts';

const NONE: FailuresOfDay = { source: 0, account: 0 };
const START_MS = Date.parse('2026-07-01T00:00:00Z');
const MINUTE_MS = 60_000;
const user = { userId: '1', tokensFromMs: 0 } as User;
const account = {
  tenant: 'a.example',
  loginName: 'ana',
  user: { tenant: 'a.example', userId: '1', companyId: '2', supplierId: null },
  isUsername: false,
};

interface Attempt {
  readonly source: string;
  readonly password?: string;
  readonly hasKey?: boolean;
}

/** The check of credentials with both guards, over records in memory and a clock that is set. */
function aService() {
  const time = { nowMs: START_MS };
  const clock = { now: () => new Date(time.nowMs) };
  let counted = NONE;
  const ports = {
    guards: {
      ...createLoginGuard(guardStoreFake(), clock),
      admitToAccount: createAccountGuard(accountStoreFake(), clock),
    },
    directory: { readSnapshot: async () => ({ user }) as AccessSnapshot },
    verifyPassword: async (password: string, hash: string | null) => hash === `hash of ${password}`,
  };
  /** `right`, `wrong`, or the seconds to wait. */
  async function attempt({ source, password = 'right', hasKey = false }: Attempt): Promise<string | number> {
    const log: AttemptLog = {};
    try {
      const checked = await verifyCredentials(ports, {
        source,
        password,
        apiKeyHash: null,
        findAccount: async () => ({ account, hasKey }),
        fit: () => true,
        log,
      });
      if (checked.kind === 'right') await checked.succeed();
      return checked.kind;
    } catch (error) {
      if (error instanceof LoginBlocked) return error.retryAfterSeconds;
      throw error instanceof ServiceError ? new Error(error.message, { cause: error }) : error;
    } finally {
      const { source: ofSource, account: ofAccount } = log.failuresOfDay ?? NONE;
      counted = { source: Math.max(ofSource, counted.source), account: Math.max(ofAccount, counted.account) };
    }
  }
  /** Guesses from one source at this interval for so long; gives the times at which it was told that it was wrong. */
  async function guess(everyMs: number, forMs: number, afterEach?: () => Promise<void>): Promise<number[]> {
    const told: number[] = [];
    for (const endMs = time.nowMs + forMs; time.nowMs < endMs; time.nowMs += everyMs) {
      if ((await attempt({ source: 'guesser', password: 'wrong' })) === 'wrong') told.push(time.nowMs - START_MS);
      await afterEach?.();
    }
    return told;
  }
  /** The most failures in a day that were told of since this was asked. */
  function mostInADay(): FailuresOfDay {
    const most = counted;
    counted = NONE;
    return most;
  }
  return { time, mostInADay, attempt, guess };
}

describe('an attack on an account from one address', () => {
  it.each([60, 300])('each %i ms for ten minutes lets its owner in', async (everyMs) => {
    const { time, attempt, guess } = aService();
    await attempt({ source: 'home' });
    const told = await guess(everyMs, 10 * MINUTE_MS, async () => {
      const passedMs = time.nowMs - START_MS;
      // Each from an address of its own, and no more of them than an account knows.
      if (passedMs % (2 * MINUTE_MS) === 0) {
        expect(await attempt({ source: `with a key at ${passedMs}`, hasKey: true })).toBe('right');
        expect(await attempt({ source: 'home' })).toBe('right');
      }
    });
    // The budget, and what comes after pauses; its own blocks hold the guesser up, too.
    expect(told.length).toBeGreaterThanOrEqual(20);
    expect(told.length).toBeLessThanOrEqual(25);
    // The owner at a new address, without the key, is told how long to wait, and then gets in.
    const wait = await attempt({ source: 'a new address' });
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(15 * 60);
    time.nowMs += Number(wait) * 1000;
    expect(await attempt({ source: 'a new address' })).toBe('right');
  });

  it('each 61 s for a day is told 120 times that it is wrong, not 1,416 times, and is reported', async () => {
    const { mostInADay, guess } = aService();
    const told = await guess(61_000, 24 * 60 * MINUTE_MS);
    const gaps = told.slice(19, 28).map((toldMs, at) => Math.round((told[20 + at]! - toldMs) / 61_000));
    // After the budget, the pauses in steps of 61 s: 1, 2, 4, 8 and 15 minutes.
    expect(gaps).toEqual([1, 2, 4, 8, 15, 15, 15, 15, 15]);
    expect(told.length).toBeLessThanOrEqual(120);
    const { source, account: ofAccount } = mostInADay();
    expect(source).toBeGreaterThan(REPORTED_FAILURES.source);
    expect(ofAccount).toBeGreaterThan(REPORTED_FAILURES.account);
  });

  it('each 61 s for a day while the owner logs in each hour gets seven answers an hour, and is reported', async () => {
    const { time, mostInADay, attempt, guess } = aService();
    const told = await guess(61_000, 24 * 60 * MINUTE_MS, async () => {
      const isHour = Math.floor(time.nowMs / 61_000) % 60 === 0;
      if (isHour) expect(await attempt({ source: 'home', hasKey: true })).toBe('right');
    });
    // The right login shortens the pauses, and gives no new budget.
    expect(told.length).toBeLessThanOrEqual(20 + 24 * 7);
    expect(mostInADay().account).toBeGreaterThan(REPORTED_FAILURES.account);
  });

  it('each 15 minutes for two days is reported on each of them', async () => {
    const { mostInADay, guess } = aService();
    await guess(15 * MINUTE_MS, 24 * 60 * MINUTE_MS);
    expect(mostInADay().account).toBeGreaterThan(REPORTED_FAILURES.account);
    await guess(15 * MINUTE_MS, 23 * 60 * MINUTE_MS);
    expect(mostInADay().account).toBeGreaterThan(REPORTED_FAILURES.account);
  });
});
