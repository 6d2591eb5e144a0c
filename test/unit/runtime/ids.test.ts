import { expect, it } from 'vitest';
import { newEntityId, newUniqueTimestamp } from '../../../lib/runtime/ids.ts';

const now = new Date('2026-07-01T10:00:00.000Z');

it('entity ids are 19 digits, and no two of 100,000 of one instant are the same', () => {
  const ids = Array.from({ length: 100_000 }, () => newEntityId(now));
  expect(new Set(ids).size).toBe(100_000);
  expect(ids.every((id) => /^1782900000000\d{6}$/.test(id))).toBe(true);
});

it('the stamp of a write is within its millisecond, and ends in a digit that a stored number keeps', () => {
  for (let made = 0; made < 1000; made++) {
    expect(newUniqueTimestamp(now.getTime())).toMatch(/^1782900000000\.\d{8}1$/);
  }
});
