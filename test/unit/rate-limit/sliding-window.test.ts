import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RatePolicy } from '../../../lib/rate-limit/policies.ts';
import { createSlidingWindow, type RateCounterStore } from '../../../lib/rate-limit/sliding-window.ts';

const START = Date.parse('2026-05-01T10:00:00.000Z');
const policy = { group: 'three', limit: 3, windowMs: 60_000 };

/** The table's condition, over registers in memory; `asked` holds the key of each call. */
function storeFake(): RateCounterStore & { readonly asked: string[] } {
  const registers = new Map<string, readonly number[]>();
  const asked: string[] = [];
  return {
    asked,
    async add(key, { limit, windowMs }, nowMs) {
      asked.push(key);
      const times = registers.get(key) ?? [];
      if (times.length === limit && (times[0] ?? 0) > nowMs - windowMs) return { kind: 'full', times };
      registers.set(key, [...times, nowMs].slice(-limit));
      return { kind: 'added', times: registers.get(key) ?? [] };
    },
  };
}

function aWindow() {
  const store = storeFake();
  const { count } = createSlidingWindow(store);
  return {
    store,
    count: (ms: number, subject = 'ana', by: RatePolicy = policy) => count(subject, by, new Date(START + ms)),
  };
}

describe('the sliding window', () => {
  it('decides as a log of all accepted requests would [limits/sliding-window]', async () => {
    const pause = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(0, 1, 10) },
      { weight: 2, arbitrary: fc.integer({ min: 100, max: 30_000 }) },
      { weight: 1, arbitrary: fc.constantFrom(29_999, 30_000, 59_999, 60_000, 60_001) },
    );
    const property = fc.asyncProperty(fc.array(pause, { minLength: 10, maxLength: 60 }), async (pauses) => {
      const { count } = aWindow();
      const accepted: number[] = [];
      let ms = 0;
      for (const pauseMs of pauses) {
        ms += pauseMs;
        const decision = await count(ms);
        const before = accepted.filter((time) => time > ms - policy.windowMs);
        const isAllowed = before.length < policy.limit;
        if (isAllowed) accepted.push(ms);
        const oldest = before[0] ?? ms;
        expect(decision).toEqual({
          kind: isAllowed ? 'allowed' : 'refused',
          status: {
            limit: 3,
            remaining: isAllowed ? 2 - before.length : 0,
            resetAt: Math.ceil((START + oldest + policy.windowMs) / 1000),
          },
          ...(!isAllowed && { retryAfterSeconds: Math.ceil((oldest + policy.windowMs - ms) / 1000) }),
        });
      }
    });
    await fc.assert(property);
  });

  it('refuses by itself until the oldest place is free, and asks again when the clock was set back', async () => {
    const { store, count } = aWindow();
    for (const ms of [0, 1, 2, 3]) await count(ms);
    expect(store.asked).toHaveLength(4);
    for (const ms of [0, 59_999]) expect(await count(ms)).toMatchObject({ kind: 'refused' });
    expect(store.asked).toHaveLength(4);
    expect(await count(-1)).toMatchObject({ kind: 'refused' });
    expect(store.asked).toHaveLength(5);
    expect(await count(60_000)).toMatchObject({ kind: 'allowed' });
    expect(store.asked).toHaveLength(6);
    expect(await count(60_000)).toMatchObject({ kind: 'refused' });
    expect(store.asked).toHaveLength(7);
  });

  it('counts each subject, group and limit apart', async () => {
    const { store, count } = aWindow();
    const kinds = [
      ['ana', policy],
      ['eva', policy],
      ['ana', { ...policy, group: 'four' }],
      ['ana', { ...policy, limit: 1 }],
    ] as const;
    for (const [subject, by] of kinds) expect(await count(0, subject, by)).toMatchObject({ kind: 'allowed' });
    expect(new Set(store.asked)).toHaveLength(kinds.length);
  });

  it('remembers no more than 10,000 full registers', async () => {
    const { store, count } = aWindow();
    const one = { ...policy, limit: 1 };
    const fill = async (subject: number) => {
      for (const ms of [0, 1]) await count(ms, `${subject}`, one);
    };
    for (let subject = 0; subject < 10_000; subject++) await fill(subject);
    await fill(0);
    expect(store.asked).toHaveLength(20_000);
    await fill(10_000);
    await fill(10_000);
    expect(store.asked).toHaveLength(20_002);
    await fill(0);
    expect(store.asked).toHaveLength(20_003);
  });
});
