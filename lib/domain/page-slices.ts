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
 * Where a row is in a list: its part, how many newer rows of that part there are, and the older parts, newest first.
 */
export interface ListBeginning<Part extends CountedRange> {
  readonly part: Part;
  readonly skip: number;
  readonly older: readonly Part[];
}

/** Where the row at `offset` is (0 = the newest), by how many rows the parts of a list hold; null past the last row. */
export function beginningAt<Part extends CountedRange>(
  parts: readonly Part[],
  offset: number,
): ListBeginning<Part> | null {
  const ordered = newestFirst(parts);
  let skip = offset;
  for (const [position, part] of ordered.entries()) {
    if (skip < part.count) return { part, skip, older: ordered.slice(position + 1) };
    skip -= part.count;
  }
  return null;
}

/**
 * The slices of a page of at most `limit` rows after `offset` newer ones, newest first, where a list's parts hold so
 * many rows. Within the part where it begins, it is read from the nearer end.
 */
export function slicesOfPage(parts: readonly CountedRange[], offset: number, limit: number): PageSlice[] {
  const beginning = beginningAt(parts, offset);
  if (!beginning) return [];
  const slices: PageSlice[] = [];
  let { skip } = beginning;
  let left = limit;
  for (const { startMs, endMs, count } of [beginning.part, ...beginning.older]) {
    if (left === 0) break;
    if (count === 0) continue;
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
