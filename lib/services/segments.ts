import type { DateRange } from '../domain/date-range.ts';
import type { InvoiceRow } from '../domain/invoice.ts';

/** A part of a list, within one month. How many rows it has is known; they can be read from any of them on. */
export interface Segment {
  readonly range: DateRange;
  readonly count: number;
  /** Its rows, newest first, as far as the page needs them, when they were read to count them. */
  readonly rows?: readonly InvoiceRow[];
  /** The positions of its rows, newest first, when an index tells them. */
  readonly positions?: readonly string[];
}

/** A list cut into segments, newest first. */
export interface SegmentedList {
  readonly segments: readonly Segment[];
  readonly total: number;
  /** Whether the indexes hold what the counters have counted. */
  readonly isExact: boolean;
}

/** Consecutive rows of a segment: `take` rows after `skip` newer ones. */
export interface Stretch {
  readonly segment: Segment;
  readonly skip: number;
  readonly take: number;
}

/** Where the rows of a page are: up to `limit` of them after `offset` newer ones. */
export function stretchesOf(segments: readonly Segment[], offset: number, limit: number): Stretch[] {
  const stretches: Stretch[] = [];
  let newer = 0;
  for (const segment of segments) {
    const skip = Math.max(offset - newer, 0);
    const take = Math.min(segment.count, offset + limit - newer) - skip;
    if (take > 0) stretches.push({ segment, skip, take });
    newer += segment.count;
  }
  return stretches;
}

/** The parts of a list, newest first. */
export function newestFirst<Part extends { readonly range: DateRange }>(parts: readonly Part[]): Part[] {
  return parts.toSorted((a, b) => b.range.endMs - a.range.endMs);
}

/** How many rows the segments have. */
export function totalOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { count }) => sum + count, 0);
}
