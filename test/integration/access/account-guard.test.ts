import { describe, expect, it, vi } from 'vitest';
import { createAccountGuard } from '../../../lib/access/account-guard.ts';
import { LoginBlockedError } from '../../../lib/access/login-guard.ts';
import { ACCOUNT_POLICY } from '../../../lib/domain/policies.ts';
import { buildFailureCounterName, createAccountTable } from '../../../lib/tables/account-table.ts';
import { directoryKeys } from '../../../lib/tables/keys.ts';
import { changeRecord, newId } from '../../support/data/seed.ts';
import { useDate } from '../../support/setup/use-date.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const { windowMs, failuresPerSource, failuresPerTrustedSource, failuresPerWindow, periodMs, trustedSourcesPerPeriod } =
  ACCOUNT_POLICY;
const engine = useEngine();
// One hour after the start of a window, and one day after the start of a period.
const START_MS = 700 * periodMs + 86_400_000 + 3_600_000;
const HOUR_MS = 3_600_000;
useDate(START_MS);
const passTime = (ms: number) => vi.setSystemTime(Date.now() + ms);

interface Attempt {
  readonly source: string;
  readonly password?: 'right' | 'wrong';
  readonly loginName?: string;
}

/** Creates a guard with one account, and functions that make attempts and return the status of each response. */
function createGuard() {
  const user = { tenant: 'a.example', userId: newId(), companyId: '2', supplierId: null };
  const store = createAccountTable(engine.client, engine.tables.Directory, 'LOGIN');
  const guard = createAccountGuard(store);
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
  const key = directoryKeys.account(user.tenant, user.userId);
  const change = (attributes: object) => changeRecord(engine, key, { ...key, ...attributes });
  /** Sets the counter of the sources that are not trusted. By default, the account is then locked for them. */
  const lock = (failures = failuresPerWindow) => change({ [buildFailureCounterName(Date.now())]: failures });
  const beginAttempt = (source: string) => guard({ tenant: 'a.example', loginName: 'ana', user }, source);
  const recordFailure = async (source: string) => (await beginAttempt(source)).recordFailure();
  return { begin, attempt, attempts, change, lock, beginAttempt, recordFailure };
}

function toStatus(error: unknown): number {
  if (!(error instanceof LoginBlockedError) || error.reason === 'blocked-source') throw error as Error;
  return 429;
}

const countStatus = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length;
const lockedError = (retryAfterSeconds: number, reason = 'account-locked') =>
  expect.objectContaining({ code: 'RATE_LIMITED', reason, retryAfterSeconds });

describe('the guard of accounts', () => {
  it('the account guard allows a source 10 failures, and the owner can still log in from another source', async () => {
    const { attempt, attempts, beginAttempt } = createGuard();
    expect(await attempts(12, { source: 'A' })).toEqual([...Array(10).fill(401), 429, 429]);
    const error = lockedError((3 * HOUR_MS) / 1000, 'account-locked-for-source');
    await expect(beginAttempt('A'), 'the guard of sources counts the attempt').rejects.toEqual(error);
    expect(await attempt({ source: 'A', password: 'right' })).toBe(429);
    expect(await attempt({ source: 'B', password: 'right' })).toBe(200);
  });

  it('the account guard counts the login names separately for a source, and together for the account', async () => {
    const { attempts, lock, beginAttempt } = createGuard();
    await lock(failuresPerWindow - 2 * failuresPerSource);
    for (const loginName of ['ana', 'ana@a.example'])
      expect(countStatus(await attempts(11, { source: 'A', loginName }), 401)).toBe(10);
    await expect(beginAttempt('B'), 'no password is checked').rejects.toEqual(lockedError((3 * HOUR_MS) / 1000));
  });

  it('the account guard returns the number of failures in the window, without those of trusted sources', async () => {
    const { attempt, recordFailure } = createGuard();
    await attempt({ source: 'home', password: 'right' });
    expect([await recordFailure('A'), await recordFailure('B'), await recordFailure('home')]).toEqual([1, 2, 2]);
  });

  it('the account guard counts a failure in the window in which the attempt ends', async () => {
    const { begin, attempts } = createGuard();
    await attempts(3, { source: 'A' });
    const end = await begin({ source: 'A' });
    passTime(3 * HOUR_MS);
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
    const { attempt, attempts, lock } = createGuard();
    await attempt({ source: 'home', password: 'right' });
    passTime(passedMs);
    await lock();
    expect(countStatus(await attempts(99, { source: 'home' }), 401)).toBe(isTrusted ? 99 : 0);
    expect(await attempt({ source: 'home', password: 'right' })).toBe(isTrusted ? 200 : 429);
    expect(await attempts(2, { source: 'home' })).toEqual([isTrusted ? 401 : 429, 429]);
    passTime(windowMs);
    expect(await attempt({ source: 'home', password: 'right' })).toBe(200);
  });

  it('a trusted source that logs in again in the next period stays trusted', async () => {
    const { attempt, lock } = createGuard();
    for (let period = 0; period < 3; period++) {
      expect(await attempt({ source: 'home', password: 'right' })).toBe(200);
      passTime(periodMs);
      await lock();
    }
    expect(await attempt({ source: 'home', password: 'right' })).toBe(200);
  });

  it('the 201st source of a period is not trusted, but can log in until the account is locked', async () => {
    const { attempt, attempts, change, lock } = createGuard();
    await attempt({ source: 'of the previous period', password: 'right' });
    passTime(periodMs);
    const sources = Array.from({ length: trustedSourcesPerPeriod }, (_, n) => `source ${n}`);
    await change({ [`s_${Math.floor(Date.now() / periodMs)}`]: new Set(sources) });
    expect(await attempts(2, { source: '201st', password: 'right' })).toEqual([200, 200]);
    await lock();
    expect(await attempt({ source: '201st', password: 'right' })).toBe(429);
    expect(await attempt({ source: 'of the previous period', password: 'right' })).toBe(200);
  });
});

describe('concurrent attempts', () => {
  it('concurrent wrong passwords of one source get 401 exactly 10 times', async () => {
    const { begin } = createGuard();
    const ends = await Promise.all(Array.from({ length: 20 }, () => begin({ source: 'A' })));
    expect(countStatus(await Promise.all(ends.map((end) => end())), 401)).toBe(10);
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
