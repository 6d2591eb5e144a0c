import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DateRange } from '../../lib/domain/date-range.ts';
import { newestMonth, splitIntoDays, wholeDay } from '../../lib/domain/calendar.ts';
import { DAY_MS } from '../../lib/domain/iso-date.ts';

const [MIN_MS, MAX_MS] = ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'].map((text) => Date.parse(text)) as [
  number,
  number,
];
const RANGE_MS = 94 * DAY_MS;
/** A range of a list at any time: the first century as often as all others, its ends at those of days or anywhere. */
const anyRange = fc
  .record({
    first: fc.oneof(
      fc.constantFrom(MIN_MS, MAX_MS - RANGE_MS),
      fc.integer({ min: MIN_MS, max: Date.parse('0101-01-01') }),
      fc.integer({ min: MIN_MS, max: MAX_MS - RANGE_MS }),
    ),
    length: fc.integer({ min: 0, max: RANGE_MS }),
    ofDays: fc.boolean(),
  })
  .map(({ first, length, ofDays }): DateRange => {
    const [startMs, endMs] = [first, Math.min(first + length, MAX_MS)];
    return ofDays ? { startMs: wholeDay(startMs).startMs, endMs: wholeDay(endMs).endMs } : { startMs, endMs };
  });
const FIRST_MS = Date.UTC(2026, 0, 1);
const instant = fc
  .record({
    day: fc.integer({ min: 0, max: 6 }),
    offset: fc.oneof(fc.constantFrom(0, DAY_MS - 1), fc.integer({ min: 0, max: DAY_MS - 1 })),
  })
  .map(({ day, offset }) => FIRST_MS + day * DAY_MS + offset);
const range = fc
  .tuple(instant, instant)
  .map(([a, b]): DateRange => ({ startMs: Math.min(a, b), endMs: Math.max(a, b) }));
/** Whether the ranges follow each other without gap or overlap and together are the whole one. */
function expectToTile(ranges: readonly DateRange[], whole: DateRange): void {
  const oldestFirst = ranges.toSorted((a, b) => a.startMs - b.startMs);
  expect(oldestFirst.every(({ startMs, endMs }) => startMs <= endMs)).toBe(true);
  expect(oldestFirst[0]?.startMs).toBe(whole.startMs);
  expect(oldestFirst.at(-1)?.endMs).toBe(whole.endMs);
  expect(oldestFirst.slice(1).map(({ startMs }) => startMs)).toEqual(
    oldestFirst.slice(0, -1).map(({ endMs }) => endMs + 1),
  );
}

describe('splitIntoDays', () => {
  it('parts a range without gap or overlap into whole days and at most two parts of days', () => {
    fc.assert(
      fc.property(fc.oneof(range, anyRange), (whole) => {
        const { wholeDays, partialDays } = splitIntoDays(whole);
        expectToTile([...(wholeDays ? [wholeDays] : []), ...partialDays], whole);
        expect(partialDays.length).toBeLessThanOrEqual(2);
        if (wholeDays)
          expect(wholeDays).toEqual({
            startMs: wholeDay(wholeDays.startMs).startMs,
            endMs: wholeDay(wholeDays.endMs).endMs,
          });
        for (const part of partialDays) {
          const day = wholeDay(part.startMs);
          expect(part.endMs).toBeLessThanOrEqual(day.endMs);
          expect(part).not.toEqual(day);
        }
      }),
    );
  });
});

describe('newestMonth', () => {
  it('is what the range has of the month in which it ends', () => {
    fc.assert(
      fc.property(anyRange, (whole) => {
        const newest = newestMonth(whole);
        const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7);
        expect(newest.endMs).toBe(whole.endMs);
        expect(monthOf(newest.startMs)).toBe(monthOf(whole.endMs));
        if (newest.startMs !== whole.startMs) expect(monthOf(newest.startMs - 1)).not.toBe(monthOf(whole.endMs));
        expect(newest.startMs).toBeGreaterThanOrEqual(whole.startMs);
      }),
    );
  });
});
