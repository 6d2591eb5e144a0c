import { isSameMonth, newestFirst } from '../domain/day-counts.ts';
import type { DateRange } from '../domain/date-range.ts';
import { INDEXED_ROWS } from './day-indexes.ts';
import type { CountedDay } from './invoice-rows.ts';

/** A part of a range that is searched on its own: a day with an index, or days of one month that have few rows. */
export interface SearchSegment {
  readonly range: DateRange;
  readonly indexed: CountedDay | null;
  readonly rows: number;
}

const MAX_ROWS = 1000;

/** Divides the days of a range that have rows into segments, newest first. */
export function segmentsOf(range: DateRange, days: readonly CountedDay[]): SearchSegment[] {
  const segments: SearchSegment[] = [];
  for (const day of newestFirst(days)) {
    const within = { startMs: Math.max(day.startMs, range.startMs), endMs: Math.min(day.endMs, range.endMs) };
    const last = segments.at(-1);
    if (day.rows >= INDEXED_ROWS) segments.push({ range: within, indexed: day, rows: day.rows });
    else if (last && !last.indexed && isSameMonth(last.range, within) && last.rows + day.rows <= MAX_ROWS) {
      const longer = { startMs: within.startMs, endMs: last.range.endMs };
      segments.splice(-1, 1, { ...last, range: longer, rows: last.rows + day.rows });
    } else segments.push({ range: within, indexed: null, rows: day.rows });
  }
  return segments;
}
