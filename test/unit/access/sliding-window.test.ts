import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RatePolicy } from '../../../lib/domain/policies.ts';
import { createSlidingWindow } from '../../../lib/access/sliding-window.ts';
import { createRateCountersFake } from '../../support/fakes/guard-stores.ts';
import { proves } from '../../rules/proves.ts';

const START = Date.parse('2026-05-01T10:00:00.000Z');
const policy = { group: 'three', limit: 3, windowMs: 60_000 };

function createWindow() {
  const store = createRateCountersFake();
  const { count } = createSlidingWindow(store);
  return {
    store,
    count: (ms: number, subject = 'ana', by: RatePolicy = policy) => count(subject, by, new Date(START + ms)),
  };
}

it('the sliding window makes the same decisions as a log of all accepted requests', async () => {
  proves('limits/sliding-window');
  const pause = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(0, 1, 10) },
    { weight: 2, arbitrary: fc.integer({ min: 100, max: 30_000 }) },
    { weight: 1, arbitrary: fc.constantFrom(29_999, 30_000, 59_999, 60_000, 60_001) },
  );
  const property = fc.asyncProperty(fc.array(pause, { minLength: 10, maxLength: 60 }), async (pauses) => {
    const { count } = createWindow();
    const accepted: number[] = [];
    let ms = 0;
    for (const pauseMs of pauses) {
      ms += pauseMs;
      const decision = await count(ms);
      const before = accepted.filter((time) => time > ms - policy.windowMs);
      const isAllowed = before.length < policy.limit;
      if (isAllowed) accepted.push(ms);
      const oldest = before[0] ?? ms;
      const freeMs = oldest + policy.windowMs;
      const resetAt = Math.ceil((START + freeMs) / 1000);
      const status = { limit: 3, remaining: isAllowed ? 2 - before.length : 0, resetAt };
      const retryAfterSeconds = Math.ceil((freeMs - ms) / 1000);
      expect(decision).toEqual(
        isAllowed ? { kind: 'allowed', status } : { kind: 'rejected', status, retryAfterSeconds },
      );
    }
  });
  await fc.assert(property);
});

it('the sliding window rejects without a call to the store until its oldest request expires or the clock is set back', async () => {
  const { store, count } = createWindow();
  for (const ms of [0, 1, 2, 3]) await count(ms);
  expect(store.keys).toHaveLength(4);
  const laterCalls: (readonly [ms: number, kind: string, asked: number])[] = [
    [0, 'rejected', 4],
    [59_999, 'rejected', 4],
    [-1, 'rejected', 5],
    [60_000, 'allowed', 6],
    [60_000, 'rejected', 7],
  ];
  for (const [ms, kind, asked] of laterCalls)
    expect([(await count(ms)).kind, store.keys.length]).toEqual([kind, asked]);
});

it('the sliding window counts each subject, group and limit separately', async () => {
  const { store, count } = createWindow();
  await count(0, 'eva');
  for (const by of [policy, { ...policy, group: 'four' }, { ...policy, limit: 1 }])
    expect(await count(0, 'ana', by)).toMatchObject({ kind: 'allowed' });
  expect(new Set(store.keys)).toHaveLength(4);
});
