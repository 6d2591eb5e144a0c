import { describe, expect, it } from 'vitest';
import { createAccountGuard } from '../../../lib/access/account-guard.ts';
import { LoginBlockedError } from '../../../lib/access/login-guard.ts';
import { ACCOUNT_POLICY } from '../../../lib/access/policies.ts';
import { createAccountStoreFake } from '../../support/fakes/guard-stores.ts';

const { windowMs, failuresPerSource, failuresPerTrustedSource, failuresPerWindow, periodMs, trustedSourcesPerPeriod } =
  ACCOUNT_POLICY;
const user = { tenant: 'a.example', userId: '1', companyId: '2', supplierId: null };
// One hour after the start of a window, and one day after the start of a period.
const START_MS = 700 * periodMs + 86_400_000 + 3_600_000;
const HOUR_MS = 3_600_000;

interface Attempt {
  readonly source: string;
  readonly password?: 'right' | 'wrong';
  readonly loginName?: string;
}

/** Creates a guard with one account, and functions that make attempts and return the status of each response. */
function createGuard() {
  const time = { nowMs: START_MS };
  const guard = createAccountGuard(createAccountStoreFake(), { now: () => new Date(time.nowMs) });
  /** Begins an attempt; the function that it returns ends the attempt. */
  async function begin({ source, password = 'wrong', loginName = 'ana' }: Attempt): Promise<() => Promise<number>> {
    try {
      const attempt = await guard({ tenant: 'a.example', loginName, user }, source);
      return async () => {
        const recorded = password === 'right' ? attempt.recordSuccess() : attempt.recordFailure();
        return recorded.then(() => (password === 'right' ? 200 : 401), toStatus);
      };
    } catch (error) {
      return async () => toStatus(error);
    }
  }
  const attempt = async (options: Attempt) => (await begin(options))();
  const attempts = async (times: number, options: Attempt) => {
    const statuses: number[] = [];
    for (let n = 0; n < times; n++) statuses.push(await attempt(options));
    return statuses;
  };
  /** Locks the account for all sources that are not trusted. */
  const lock = async () => {
    for (let n = 0; n < failuresPerWindow / failuresPerSource; n++)
      await attempts(failuresPerSource, { source: `attacker ${n}` });
  };
  const beginAttempt = (source: string) => guard({ tenant: 'a.example', loginName: 'ana', user }, source);
  const recordFailure = async (source: string) => (await beginAttempt(source)).recordFailure();
  return { time, begin, attempt, attempts, lock, beginAttempt, recordFailure };
}

function toStatus(error: unknown): number {
  if (!(error instanceof LoginBlockedError) || error.reason === 'blocked-source') throw error as Error;
  return 429;
}

const countStatus = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length;
const lockedError = (retryAfterSeconds: number, reason = 'account-locked') =>
  expect.objectContaining({ code: 'RATE_LIMITED', reason, retryAfterSeconds });

describe('the guard of accounts', () => {
  it('allows a source 10 failures, and the owner can still log in from another source', async () => {
    const { attempt, attempts, beginAttempt } = createGuard();
    expect(await attempts(30, { source: 'A' })).toEqual([...Array(10).fill(401), ...Array(20).fill(429)]);
    const error = lockedError((3 * HOUR_MS) / 1000, 'account-locked-for-source');
    await expect(beginAttempt('A'), 'the guard of sources counts the attempt').rejects.toEqual(error);
    expect(await attempt({ source: 'A', password: 'right' })).toBe(429);
    expect(await attempt({ source: 'B', password: 'right' })).toBe(200);
  });

  it('allows all sources together exactly 100 failures in a window, then locks the account until the window ends', async () => {
    const { time, attempt, attempts, lock, beginAttempt, recordFailure } = createGuard();
    await lock();
    expect(await attempts(5, { source: 'new' })).toEqual(Array(5).fill(429));
    await expect(beginAttempt('new'), 'no password is checked').rejects.toEqual(lockedError((3 * HOUR_MS) / 1000));
    time.nowMs += 3 * HOUR_MS - 1;
    await expect(recordFailure('new')).rejects.toEqual(lockedError(1));
    time.nowMs += 1;
    expect(await recordFailure('new')).toBe(1);
    expect(await attempt({ source: 'attacker 0', password: 'right' })).toBe(200);
  });

  it('counts the login names of an account separately for a source, and together for the account', async () => {
    const { attempts } = createGuard();
    for (let n = 0; n < 5; n++) {
      expect(countStatus(await attempts(11, { source: `${n}`, loginName: 'ana' }), 401)).toBe(10);
      expect(countStatus(await attempts(11, { source: `${n}`, loginName: 'ana@a.example' }), 401)).toBe(10);
    }
    expect(await attempts(1, { source: '5', loginName: 'ana' })).toEqual([429]);
  });

  it('the account guard returns the number of failures in the window, without those of trusted sources', async () => {
    const { attempt, recordFailure } = createGuard();
    await attempt({ source: 'home', password: 'right' });
    expect([await recordFailure('A'), await recordFailure('B'), await recordFailure('home')]).toEqual([1, 2, 2]);
  });

  it('the account guard counts a failure in the window in which the attempt ends', async () => {
    const { time, begin, attempts } = createGuard();
    await attempts(3, { source: 'A' });
    const end = await begin({ source: 'A' });
    time.nowMs += 3 * HOUR_MS;
    expect(await end()).toBe(401);
    expect(countStatus(await attempts(20, { source: 'A' }), 401)).toBe(9);
  });
});

describe('a source that has logged in', () => {
  it.each([
    [
      'trusted, with 100 failures of its own in each window, until the end of the next period',
      2 * periodMs - 86_400_000 - HOUR_MS - 1,
      true,
    ],
    ['not trusted after the end of the next period', 2 * periodMs - 86_400_000 - HOUR_MS, false],
  ])('a source that has logged in is %s', async (_trust, passedMs, isTrusted) => {
    const { time, attempt, attempts, lock } = createGuard();
    await attempt({ source: 'home', password: 'right' });
    time.nowMs += passedMs;
    await lock();
    expect(countStatus(await attempts(99, { source: 'home' }), 401)).toBe(isTrusted ? 99 : 0);
    expect(await attempt({ source: 'home', password: 'right' })).toBe(isTrusted ? 200 : 429);
    expect(countStatus(await attempts(99, { source: 'home' }), 401)).toBe(isTrusted ? 1 : 0);
    expect(await attempt({ source: 'home', password: 'right' })).toBe(429);
    time.nowMs += windowMs;
    expect(await attempt({ source: 'home', password: 'right' })).toBe(200);
  });

  it('the failures of a trusted source do not lock the account for other sources', async () => {
    const { attempt, attempts } = createGuard();
    await attempt({ source: 'home', password: 'right' });
    await attempts(failuresPerTrustedSource, { source: 'home' });
    expect(await attempts(11, { source: 'new' })).toEqual([...Array(10).fill(401), 429]);
    expect(await attempt({ source: 'another', password: 'right' })).toBe(200);
  });

  it('a trusted source that logs in again in the next period stays trusted', async () => {
    const { time, attempt, lock } = createGuard();
    for (let period = 0; period < 3; period++) {
      expect(await attempt({ source: 'home', password: 'right' })).toBe(200);
      time.nowMs += periodMs;
      await lock();
    }
    expect(await attempt({ source: 'home', password: 'right' })).toBe(200);
  });

  it('the 201st source of a period is not trusted, but can log in until the account is locked', async () => {
    const { time, attempt, attempts, lock } = createGuard();
    await attempt({ source: 'of the previous period', password: 'right' });
    time.nowMs += periodMs;
    for (let n = 0; n < trustedSourcesPerPeriod; n++) await attempt({ source: `${n}`, password: 'right' });
    expect(await attempts(2, { source: '201st', password: 'right' })).toEqual([200, 200]);
    await lock();
    expect(await attempt({ source: '201st', password: 'right' })).toBe(429);
    expect(await attempt({ source: '199', password: 'right' })).toBe(200);
    expect(await attempt({ source: 'of the previous period', password: 'right' })).toBe(200);
  });
});

describe('concurrent attempts', () => {
  it.each([
    ['one source', 20, 1, 10],
    ['many sources', 120, 120, 100],
  ])('concurrent wrong passwords of %s get 401 exactly up to the limit', async (_, count, sources, limit) => {
    const { begin } = createGuard();
    const all = Array.from({ length: count }, (_attempt, index) => begin({ source: `${index % sources}` }));
    const ends = await Promise.all(all);
    expect(countStatus(await Promise.all(ends.map((end) => end())), 401)).toBe(limit);
  });

  it.each([
    ['a trusted source', true, failuresPerTrustedSource],
    ['another source', false, failuresPerSource],
  ])('a correct password from %s gets 429 if the last failure is written meanwhile', async (_, isTrusted, limit) => {
    const { attempt, attempts, begin } = createGuard();
    if (isTrusted) await attempt({ source: 'A', password: 'right' });
    await attempts(limit - 1, { source: 'A' });
    const [endRight, endWrong] = [await begin({ source: 'A', password: 'right' }), await begin({ source: 'A' })];
    expect([await endWrong(), await endRight()]).toEqual([401, 429]);
  });
});
