import type { DateRange } from './date-range.ts';
import { type CountedRange, isSameMonth, newestFirst } from './day-counts.ts';

/** Consecutive rows of a list within one month: `take` rows after `skip` others of the range, counted from one end. */
export interface PageSlice {
  readonly range: DateRange;
  readonly from: 'newest' | 'oldest';
  readonly skip: number;
  readonly take: number;
}

/**
 * The slices of a page of at most `limit` rows after `offset` newer ones, newest first, where a list's parts hold so
 * many rows. Within the part where it begins, it is read from the nearer end.
 */
export function slicesOfPage(parts: readonly CountedRange[], offset: number, limit: number): PageSlice[] {
  const slices: PageSlice[] = [];
  let skip = offset;
  let left = limit;
  for (const { startMs, endMs, count } of newestFirst(parts)) {
    if (left === 0) break;
    if (skip >= count) {
      skip -= count;
      continue;
    }
    const range = { startMs, endMs };
    const take = Math.min(count - skip, left);
    const last = slices.at(-1);
    if (count - skip < skip + take) slices.push({ range, from: 'oldest', skip: count - skip - take, take });
    else if (last?.from === 'newest' && isSameMonth(last.range, range)) {
      slices.splice(-1, 1, { ...last, range: { startMs, endMs: last.range.endMs }, take: last.take + take });
    } else slices.push({ range, from: 'newest', skip, take });
    skip = 0;
    left -= take;
  }
  return slices;
}
