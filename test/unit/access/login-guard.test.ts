import { describe, expect, it, vi } from 'vitest';
import { createLoginGuard } from '../../../lib/access/login-guard.ts';
import { createGuardStoreFake } from '../../support/fakes/guard-stores.ts';
import { useDate } from '../../support/setup/use-date.ts';
import { proves } from '../../rules/proves.ts';

useDate(Date.parse('2026-07-01T10:00:00Z'));
const passTime = (ms: number) => vi.setSystemTime(Date.now() + ms);

function createGuard() {
  const guard = createLoginGuard(createGuardStoreFake());
  const recordFailure = async (source = '10.0.0.1') => (await guard.beginAttempt(source)).recordFailure();
  const recordSuccess = async (source = '10.0.0.1') => (await guard.beginAttempt(source)).recordSuccess();
  return { guard, recordFailure, recordSuccess };
}

const lockedOutError = (retryAfterSeconds: number) =>
  expect.objectContaining({ code: 'RATE_LIMITED', reason: 'blocked-source', retryAfterSeconds });

describe('the login guard', () => {
  it('rejects every attempt of a source for 60 s after its 5th failure within 30 s', async () => {
    proves('auth/rule-6/block', 'auth/rule-6/every-attempt', 'limits/login');
    const { guard, recordFailure, recordSuccess } = createGuard();
    const remaining: number[] = [];
    for (let failures = 0; failures < 4; failures++) remaining.push((await recordFailure()).remaining);
    passTime(29_999);
    expect([...remaining, (await recordFailure()).remaining]).toEqual([4, 3, 2, 1, 0]);
    await expect(guard.beginAttempt('10.0.0.1'), 'its password is not checked').rejects.toEqual(lockedOutError(60));
    passTime(59_999);
    await expect(recordSuccess()).rejects.toEqual(lockedOutError(1));
    passTime(1);
    expect((await recordSuccess()).remaining).toBe(5);
    for (let failures = 0; failures < 4; failures++) await recordFailure();
    passTime(30_000);
    await recordFailure();
    expect((await recordSuccess()).remaining, 'the 5th failure came 30 s after the first').toBe(4);
  });

  it('rejects an attempt, right or wrong, if other attempts locked its source out during the password check', async () => {
    const { guard, recordFailure } = createGuard();
    const [right, wrong] = await Promise.all([guard.beginAttempt('10.0.0.1'), guard.beginAttempt('10.0.0.1')]);
    for (let failures = 0; failures < 5; failures++) await recordFailure();
    await expect(right.recordSuccess()).rejects.toEqual(lockedOutError(60));
    await expect(wrong.recordFailure()).rejects.toEqual(lockedOutError(60));
  });
});
