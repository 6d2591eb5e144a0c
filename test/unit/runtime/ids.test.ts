import { expect, it } from 'vitest';
import { newEntityId } from '../../../lib/runtime/ids.ts';

const now = new Date('2026-07-01T10:00:00.000Z');

it('newEntityId returns 19 digits, and 100,000 different ids for one instant', () => {
  const ids = Array.from({ length: 100_000 }, () => newEntityId(now));
  expect(new Set(ids).size).toBe(100_000);
  expect(ids.every((id) => /^1782900000000\d{6}$/.test(id))).toBe(true);
});
