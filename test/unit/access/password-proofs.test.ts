import { beforeEach, expect, it } from 'vitest';
import { createCachedPasswordVerifier } from '../../../lib/access/passwords.ts';

const KEY = '7a1e9c52-3f0b-4d68-9b1f-5c2d84e6a001';
const OTHER_KEY = '7a1e9c52-3f0b-4d68-9b1f-5c2d84e6a002';

let nowMs: number;
let hashCount: number;
let verify: ReturnType<typeof createCachedPasswordVerifier>;

beforeEach(() => {
  nowMs = Date.parse('2026-06-01T12:00:00Z');
  hashCount = 0;
  const verifyPassword = async (password: string, hash: string | null) => {
    hashCount++;
    return hash === `hash of ${password}`;
  };
  verify = createCachedPasswordVerifier(verifyPassword, { now: () => new Date(nowMs) });
});

it('a verified password is not hashed again for 5 minutes', async () => {
  for (const [passedMs, expectedCount] of [[0, 1] as const, [299_999, 1] as const, [1, 2] as const]) {
    nowMs += passedMs;
    expect([await verify('right', 'hash of right', KEY), hashCount]).toEqual([true, expectedCount]);
  }
});

it('a wrong password, and any password of a user without one, is hashed and rejected every time', async () => {
  await verify('right', 'hash of right', KEY);
  for (const wrong of ['wrong', '', 'Right']) expect(await verify(wrong, 'hash of right', KEY)).toBe(false);
  for (let time = 0; time < 2; time++) expect(await verify('right', null, KEY)).toBe(false);
  expect(hashCount).toBe(6);
});

it('a verified password is hashed again for another API key and after a password change', async () => {
  await verify('right', 'hash of right', KEY);
  expect(await verify('right', 'hash of right', OTHER_KEY)).toBe(true);
  expect(await verify('right', 'hash of changed', KEY)).toBe(false);
  expect(await verify('changed', 'hash of changed', KEY)).toBe(true);
  expect(hashCount).toBe(4);
});
