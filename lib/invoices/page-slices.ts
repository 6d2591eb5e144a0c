/** Consecutive rows of a segment: `take` rows after `skip` newer ones. */
export interface PageSlice<Segment> {
  readonly segment: Segment;
  readonly skip: number;
  readonly take: number;
}

/**
 * Returns which rows of which segments form a page; the segments are newest first.
 *
 * @example
 * // Segments of 30 and 20 rows, offset 25, limit 10:
 * slicePage([a, b], 25, 10); // [{ segment: a, skip: 25, take: 5 }, { segment: b, skip: 0, take: 5 }]
 */
export function slicePage<Segment extends { readonly count: number }>(
  segments: readonly Segment[],
  offset: number,
  limit: number,
): PageSlice<Segment>[] {
  const slices: PageSlice<Segment>[] = [];
  let newer = 0;
  for (const segment of segments) {
    const skip = Math.max(offset - newer, 0);
    const take = Math.min(segment.count, offset + limit - newer) - skip;
    if (take > 0) slices.push({ segment, skip, take });
    newer += segment.count;
  }
  return slices;
}

export function countRows(segments: readonly { readonly count: number }[]): number {
  return segments.reduce((sum, { count }) => sum + count, 0);
}
