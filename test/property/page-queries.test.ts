import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholeDay } from '../../lib/domain/calendar.ts';
import { DAY_MS } from '../../lib/domain/iso-date.ts';
import { queriesOf } from '../../lib/services/segment-rows.ts';
import { newestFirst, type Segment, stretchesOf } from '../../lib/services/segments.ts';

// Two days of January, one of February and three of March.
const days = ['2026-01-30', '2026-01-31', '2026-02-01', '2026-03-01', '2026-03-02', '2026-03-03'].map(Date.parse);
const counts = fc
  .uniqueArray(fc.record({ day: fc.constantFrom(...days), count: fc.nat({ max: 9 }) }), { selector: ({ day }) => day })
  .map((parts) => parts.map(({ day, count }) => ({ range: wholeDay(day), count })));

const page = fc.record({ segments: counts, offset: fc.nat({ max: 60 }), limit: fc.integer({ min: 1, max: 20 }) });

const queriesOfPage = (segments: readonly Segment[], offset: number, limit: number) =>
  queriesOf(stretchesOf(newestFirst(segments), offset, limit));

/** The rows of the segments, newest first, as instants: the rows of a day are a second apart. */
function rowsOf(segments: readonly Segment[]): number[] {
  const rows = segments.flatMap(({ range, count }) =>
    Array.from({ length: count }, (_, at) => range.startMs + at * 1000),
  );
  return rows.toSorted((a, b) => b - a);
}

describe('the queries of a page', () => {
  it('are the rows that counting one by one from the newest arrives at', () => {
    fc.assert(
      fc.property(page, ({ segments, offset, limit }) => {
        const all = rowsOf(segments);
        const read = queriesOfPage(segments, offset, limit).flatMap(({ range, from, skip, take }) => {
          const rows = all.filter((row) => row >= range.startMs && row <= range.endMs);
          const taken = (from === 'newest' ? rows : rows.toReversed()).slice(skip, skip + take);
          return from === 'newest' ? taken : taken.toReversed();
        });
        expect(read).toEqual(all.slice(offset, offset + limit));
      }),
    );
  });

  it('lie within one month each, hold rows, and skip at most half of a day', () => {
    fc.assert(
      fc.property(page, ({ segments, offset, limit }) => {
        for (const { range, skip, take } of queriesOfPage(segments, offset, limit)) {
          const months = [range.startMs, range.endMs].map((ms) => new Date(ms).toISOString().slice(0, 7));
          expect(months[0]).toBe(months[1]);
          expect(take).toBeGreaterThan(0);
          expect(skip).toBeLessThanOrEqual(9 / 2);
          if (skip > 0)
            expect(segments.find((segment) => segment.range.endMs === range.endMs)?.count).toBeGreaterThanOrEqual(
              2 * skip,
            );
        }
      }),
    );
  });

  it('are few: one for each month, and one more for the day where the page begins', () => {
    fc.assert(
      fc.property(page, ({ segments, offset, limit }) => {
        const [first, ...others] = queriesOfPage(segments, offset, limit).map(({ range, from }) =>
          from === 'oldest' ? from : new Date(range.endMs).toISOString().slice(0, 7),
        );
        expect(new Set(others)).toHaveLength(others.length);
        expect(others).not.toContain('oldest');
        expect(others).not.toContain(first);
      }),
    );
    const segments = days.map((day) => ({ range: wholeDay(day), count: 4 }));
    const [first] = queriesOfPage(segments, 3, 5);
    expect(first).toEqual({
      range: { startMs: days[5], endMs: (days[5] ?? 0) + DAY_MS - 1 },
      from: 'oldest',
      skip: 0,
      take: 1,
    });
  });
});
