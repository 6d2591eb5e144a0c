import { describe, expect, it } from 'vitest';
import { createLoginGuard, type GuardRecord, type GuardStore } from '../../lib/rate-limit/login-guard.ts';
import { LOGIN_POLICY } from '../../lib/rate-limit/policies.ts';

const START_MS = Date.parse('2026-07-01T10:00:00Z');

interface Places extends GuardRecord {
  readonly leases: number[];
  readonly failures: number[];
  blockedUntilMs: number;
}

/** The table's conditions, over records in memory. */
function guardStoreFake(): GuardStore {
  const records = new Map<string, Places>();
  const recordOf = (source: string) => {
    const none = () => Array<number>(LOGIN_POLICY.limit).fill(0);
    const record = records.get(source) ?? { leases: none(), failures: none(), blockedUntilMs: 0 };
    records.set(source, record);
    return record;
  };
  return {
    lease(source, place, { nowMs, untilMs }) {
      const record = recordOf(source);
      const leased =
        record.blockedUntilMs <= nowMs &&
        (record.leases[place] ?? 0) <= nowMs &&
        (record.failures[place] ?? 0) <= nowMs - LOGIN_POLICY.windowMs;
      if (leased) record.leases[place] = untilMs;
      return Promise.resolve({ leased, record: structuredClone(record) });
    },
    release(source, place) {
      const record = recordOf(source);
      record.leases[place] = 0;
      return Promise.resolve(structuredClone(record));
    },
    fail(source, place, nowMs) {
      const record = recordOf(source);
      record.leases[place] = 0;
      record.failures[place] = nowMs;
      return Promise.resolve(structuredClone(record));
    },
    block(source, untilMs) {
      recordOf(source).blockedUntilMs = untilMs;
      return Promise.resolve();
    },
  };
}

function aGuard() {
  const time = { nowMs: START_MS };
  const guard = createLoginGuard(guardStoreFake(), { now: () => new Date(time.nowMs) });
  const fail = async (source = '10.0.0.1') => (await guard.admit(source)).fail();
  const succeed = async (source = '10.0.0.1') => (await guard.admit(source)).succeed();
  return { guard, time, fail, succeed };
}

const blocked = (retryAfterSeconds: number) => expect.objectContaining({ code: 'RATE_LIMITED', retryAfterSeconds });

async function failTimes(fail: () => Promise<unknown>, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await fail();
}

describe('the login guard', () => {
  it('counts failures down from 5, and says when the oldest is forgotten', async () => {
    const { time, fail, succeed } = aGuard();
    expect(await fail()).toEqual({ limit: 5, remaining: 4, resetAt: START_MS / 1000 + 30 });
    time.nowMs += 10_000;
    expect(await fail()).toEqual({ limit: 5, remaining: 3, resetAt: START_MS / 1000 + 30 });
    expect(await succeed()).toEqual({ limit: 5, remaining: 3, resetAt: START_MS / 1000 + 30 });
  });

  it('blocks a source for 60 s from its 5th failure within 30 s', async () => {
    const { time, fail, succeed } = aGuard();
    await failTimes(fail, 4);
    time.nowMs += 29_999;
    expect((await fail()).remaining).toBe(0);
    await expect(succeed()).rejects.toEqual(blocked(60));
    time.nowMs += 59_999;
    await expect(succeed()).rejects.toEqual(blocked(1));
    time.nowMs += 1;
    expect((await succeed()).remaining).toBe(5);
  });

  it('does not block a 5th failure that comes 30 s after the first', async () => {
    const { time, fail } = aGuard();
    await fail();
    time.nowMs += 30_000;
    await failTimes(fail, 3);
    expect((await fail()).remaining).toBe(1);
    expect((await fail()).remaining).toBe(0);
  });

  it('does not prolong a block by attempts made during it', async () => {
    const { time, fail, succeed } = aGuard();
    await failTimes(fail, 5);
    time.nowMs += 30_000;
    await expect(succeed()).rejects.toEqual(blocked(30));
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

  it('keeps sources apart', async () => {
    const { fail, succeed } = aGuard();
    await failTimes(fail, 5);
    expect((await succeed('10.0.0.2')).remaining).toBe(5);
  });

  it('never has more than 5 attempts in flight; the others wait for a place', async () => {
    const { guard } = aGuard();
    const attempts = await Promise.all(Array.from({ length: 5 }, () => guard.admit('10.0.0.1')));
    let admitted = false;
    const sixth = guard.admit('10.0.0.1').then((attempt) => {
      admitted = true;
      return attempt;
    });
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(admitted).toBe(false);
    await attempts[0]?.succeed();
    expect((await (await sixth).succeed()).remaining).toBe(5);
  });

  it('checks no more than 5 of 50 wrong passwords that arrive at once', async () => {
    const { guard } = aGuard();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, async () => {
        const attempt = await guard.admit('10.0.0.1');
        await new Promise((resolve) => setTimeout(resolve, 5));
        return attempt.fail();
      }),
    );
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(45);
    for (const refusal of refused) expect(refusal).toEqual({ status: 'rejected', reason: blocked(60) });
  });

  it('gives the place of an attempt that never ended to others after 30 s', async () => {
    const { guard, time, succeed } = aGuard();
    await Promise.all(Array.from({ length: 5 }, () => guard.admit('10.0.0.1')));
    time.nowMs += 30_000;
    expect((await succeed()).remaining).toBe(5);
  });
});
