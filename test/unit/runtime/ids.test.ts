import { expect, it } from 'vitest';
import { newEntityId, newUniqueTimestamp } from '../../../lib/runtime/ids.ts';

const now = new Date('2026-07-01T10:00:00.000Z');

it('newEntityId returns 19 digits, and 100,000 different ids for one instant', () => {
  const ids = Array.from({ length: 100_000 }, () => newEntityId(now));
  expect(new Set(ids).size).toBe(100_000);
  expect(ids.every((id) => /^1782900000000\d{6}$/.test(id))).toBe(true);
});

it('newUniqueTimestamp returns a time within the millisecond that ends in 1, so that no digit is lost in storage', () => {
  for (let n = 0; n < 1000; n++) {
    expect(newUniqueTimestamp(now.getTime())).toMatch(/^1782900000000\.\d{8}1$/);
  }
});
