import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DateRange, selectNewestMonth, splitIntoDays, getWholeDay } from '../../lib/domain/date-range.ts';
import { DAY_MS } from '../../lib/domain/iso-date.ts';

const [MIN_MS, MAX_MS] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];
const RANGE_MS = 94 * DAY_MS;
/** A range of a list at any time, the first century as often as all others; each end at that of a day or anywhere. */
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

/** Whether the ranges follow each other without gap or overlap and together are the whole one. */
function expectToTile(ranges: readonly DateRange[], whole: DateRange): void {
  const oldestFirst = ranges.toSorted((a, b) => a.startMs - b.startMs);
  expect(oldestFirst.every(({ startMs, endMs }) => startMs <= endMs)).toBe(true);
  const starts = [...oldestFirst.map(({ startMs }) => startMs), whole.endMs + 1];
  expect(starts).toEqual([whole.startMs, ...oldestFirst.map(({ endMs }) => endMs + 1)]);
}

it('splitIntoDays parts a range without gap or overlap into whole days and at most two parts of days', () => {
  fc.assert(
    fc.property(anyRange, (whole) => {
      const { wholeDays, partialDays } = splitIntoDays(whole);
      expectToTile([...(wholeDays ? [wholeDays] : []), ...partialDays], whole);
      expect(partialDays.length).toBeLessThanOrEqual(2);
      const daysOf = ({ startMs, endMs }: DateRange) => [getWholeDay(startMs).startMs, getWholeDay(endMs).endMs];
      if (wholeDays) expect([wholeDays.startMs, wholeDays.endMs]).toEqual(daysOf(wholeDays));
      for (const part of partialDays) {
        const day = getWholeDay(part.startMs);
        expect(part.endMs).toBeLessThanOrEqual(day.endMs);
        expect(part).not.toEqual(day);
      }
    }),
  );
});

it('selectNewestMonth is what the range has of the month in which it ends', () => {
  fc.assert(
    fc.property(anyRange, (whole) => {
      const newest = selectNewestMonth(whole);
      const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7);
      expect(newest.endMs).toBe(whole.endMs);
      expect(monthOf(newest.startMs)).toBe(monthOf(whole.endMs));
      if (newest.startMs !== whole.startMs) expect(monthOf(newest.startMs - 1)).not.toBe(monthOf(whole.endMs));
      expect(newest.startMs).toBeGreaterThanOrEqual(whole.startMs);
    }),
  );
});
