import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { wholeDay } from '../../lib/domain/calendar.ts';
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

it('the queries of a page are one for each month, and one more for the day where the page begins, counted from its nearer end', () => {
  fc.assert(
    fc.property(page, ({ segments, offset, limit }) => {
      const queries = queriesOfPage(segments, offset, limit);
      const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7);
      for (const { range, skip, take } of queries) {
        expect(monthOf(range.startMs)).toBe(monthOf(range.endMs));
        expect(take).toBeGreaterThan(0);
        const ofDay = segments.find((segment) => segment.range.endMs === range.endMs)?.count ?? 0;
        if (skip > 0) expect(ofDay).toBeGreaterThanOrEqual(2 * skip);
      }
      const [first, ...others] = queries.map(({ range, from }) => (from === 'oldest' ? from : monthOf(range.endMs)));
      expect(new Set(others)).toHaveLength(others.length);
      expect(others).not.toContain('oldest');
      expect(others).not.toContain(first);
    }),
  );
});
