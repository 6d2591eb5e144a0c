import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { wholeDay } from '../../lib/domain/date-range.ts';
import { planReads } from '../../lib/invoices/invoice-pages.ts';
import { slicePage } from '../../lib/invoices/page-slices.ts';

// Two days of January, one of February and three of March.
const days = ['2026-01-30', '2026-01-31', '2026-02-01', '2026-03-01', '2026-03-02', '2026-03-03'].map(Date.parse);
const countedDays = fc
  .uniqueArray(fc.record({ day: fc.constantFrom(...days), count: fc.nat({ max: 9 }) }), { selector: ({ day }) => day })
  .map((some) => some.toSorted((a, b) => b.day - a.day).map(({ day, count }) => ({ range: wholeDay(day), count })));

const page = fc.record({ counted: countedDays, offset: fc.nat({ max: 60 }), limit: fc.integer({ min: 1, max: 20 }) });

it('a page takes one read for each month, and one more for the day where it begins, from the nearer end of the day', () => {
  fc.assert(
    fc.property(page, ({ counted, offset, limit }) => {
      const reads = planReads(slicePage(counted, offset, limit));
      const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7);
      for (const { range, skip, take } of reads) {
        expect(monthOf(range.startMs)).toBe(monthOf(range.endMs));
        expect(take).toBeGreaterThan(0);
        const rowsOfDay = counted.find((day) => day.range.endMs === range.endMs)?.count ?? 0;
        if (skip > 0) expect(rowsOfDay).toBeGreaterThanOrEqual(2 * skip);
      }
      const [first, ...others] = reads.map(({ range, from }) => (from === 'oldest' ? from : monthOf(range.endMs)));
      expect(new Set(others)).toHaveLength(others.length);
      expect(others).not.toContain('oldest');
      expect(others).not.toContain(first);
    }),
  );
});
