import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DateRange, selectNewestMonth, splitIntoDays, getWholeDay } from '../../lib/domain/date-range.ts';
import { DAY_MS } from '../../lib/domain/iso-date.ts';

const [MIN_MS, MAX_MS] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];
const RANGE_MS = 94 * DAY_MS;
/** Generates ranges at any time, often in the first century. The ends of a range are often the boundaries of a day. */
const anyRange = fc
  .record({
    firstMs: fc.oneof(
      fc.constantFrom(MIN_MS, MAX_MS - RANGE_MS),
      fc.integer({ min: MIN_MS, max: Date.parse('0101-01-01') }),
      fc.integer({ min: MIN_MS, max: MAX_MS - RANGE_MS }),
    ),
    lengthMs: fc.oneof(fc.integer({ min: 0, max: 3 * DAY_MS }), fc.integer({ min: 0, max: RANGE_MS })),
    fromFirst: fc.boolean(),
    toLast: fc.boolean(),
  })
  .map(({ firstMs, lengthMs, fromFirst, toLast }): DateRange => {
    const endMs = Math.min(firstMs + lengthMs, MAX_MS);
    const startMs = fromFirst ? getWholeDay(firstMs).startMs : firstMs;
    return { startMs, endMs: toLast ? getWholeDay(endMs).endMs : endMs };
  });

/** Checks that the ranges cover the whole range without gaps and overlaps. */
function expectFullCover(ranges: readonly DateRange[], whole: DateRange): void {
  const oldestFirst = ranges.toSorted((a, b) => a.startMs - b.startMs);
  expect(oldestFirst.every(({ startMs, endMs }) => startMs <= endMs)).toBe(true);
  const starts = [...oldestFirst.map(({ startMs }) => startMs), whole.endMs + 1];
  expect(starts).toEqual([whole.startMs, ...oldestFirst.map(({ endMs }) => endMs + 1)]);
}

it('splitIntoDays splits a range without gaps and overlaps into whole days and at most two partial days', () => {
  fc.assert(
    fc.property(anyRange, (whole) => {
      const { wholeDays, partialDays } = splitIntoDays(whole);
      expectFullCover([...(wholeDays ? [wholeDays] : []), ...partialDays], whole);
      expect(partialDays.length).toBeLessThanOrEqual(2);
      const toWholeDays = ({ startMs, endMs }: DateRange) => [getWholeDay(startMs).startMs, getWholeDay(endMs).endMs];
      if (wholeDays) expect([wholeDays.startMs, wholeDays.endMs]).toEqual(toWholeDays(wholeDays));
      for (const part of partialDays) {
        const day = getWholeDay(part.startMs);
        expect(part.endMs).toBeLessThanOrEqual(day.endMs);
        expect(part).not.toEqual(day);
      }
    }),
  );
});

it('selectNewestMonth returns the part of a range that is in the month in which the range ends', () => {
  fc.assert(
    fc.property(anyRange, (whole) => {
      const newest = selectNewestMonth(whole);
      const formatMonth = (ms: number) => new Date(ms).toISOString().slice(0, 7);
      expect(newest.endMs).toBe(whole.endMs);
      expect(formatMonth(newest.startMs)).toBe(formatMonth(whole.endMs));
      if (newest.startMs !== whole.startMs) expect(formatMonth(newest.startMs - 1)).not.toBe(formatMonth(whole.endMs));
      expect(newest.startMs).toBeGreaterThanOrEqual(whole.startMs);
    }),
  );
});
