import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DateRange, selectNewestMonth, listPartialDays, getWholeDay } from '../../lib/domain/date-range.ts';
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

it('listPartialDays returns the parts of days at the ends of a range of which the range omits a part', () => {
  fc.assert(
    fc.property(anyRange, (whole) => {
      const partialDays = listPartialDays(whole);
      const hasWholeStart = getWholeDay(whole.startMs).startMs === whole.startMs;
      const hasWholeEnd = getWholeDay(whole.endMs).endMs === whole.endMs;
      const isOneDay = getWholeDay(whole.startMs).startMs === getWholeDay(whole.endMs).startMs;
      const expected: DateRange[] = [];
      if (isOneDay && !(hasWholeStart && hasWholeEnd)) expected.push(whole);
      if (!isOneDay && !hasWholeStart) {
        expected.push({ startMs: whole.startMs, endMs: getWholeDay(whole.startMs).endMs });
      }
      if (!isOneDay && !hasWholeEnd) expected.push({ startMs: getWholeDay(whole.endMs).startMs, endMs: whole.endMs });
      expect(partialDays).toEqual(expected);
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
