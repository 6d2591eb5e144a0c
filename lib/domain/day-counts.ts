import type { DateRange } from './date-range.ts';
import { DAY_MS } from './iso-date.ts';

/** How many rows a part of a range holds. */
export interface CountedRange extends DateRange {
  readonly count: number;
}

/** The day of an instant, yyyy-mm-dd (UTC). */
export function dayOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

/** The first and last instant of the day of an instant. */
export function wholeDay(epochMs: number): DateRange {
  const startMs = Math.floor(epochMs / DAY_MS) * DAY_MS;
  return { startMs, endMs: startMs + DAY_MS - 1 };
}

/** Splits a range into the whole days inside it (null when there is none) and the parts of days at its ends. */
export function splitIntoDays({ startMs, endMs }: DateRange): {
  wholeDays: DateRange | null;
  partialDays: DateRange[];
} {
  const firstDay = wholeDay(startMs);
  const lastDay = wholeDay(endMs);
  const firstIsWhole = firstDay.startMs === startMs;
  const lastIsWhole = lastDay.endMs === endMs;
  if (firstDay.startMs === lastDay.startMs) {
    return firstIsWhole && lastIsWhole
      ? { wholeDays: { startMs, endMs }, partialDays: [] }
      : { wholeDays: null, partialDays: [{ startMs, endMs }] };
  }
  const partialDays = [
    ...(firstIsWhole ? [] : [{ startMs, endMs: firstDay.endMs }]),
    ...(lastIsWhole ? [] : [{ startMs: lastDay.startMs, endMs }]),
  ];
  const wholeDays = {
    startMs: firstIsWhole ? startMs : firstDay.endMs + 1,
    endMs: lastIsWhole ? endMs : lastDay.startMs - 1,
  };
  return { wholeDays: wholeDays.startMs < wholeDays.endMs ? wholeDays : null, partialDays };
}

/**
 * Where the row at `offset` (0 = the newest) is: the end of its part of the range, and how many newer rows of that part
 * to skip. Null past the last row.
 */
export function locate(parts: readonly CountedRange[], offset: number): { endMs: number; skip: number } | null {
  let skip = offset;
  for (const { endMs, count } of parts.toSorted((a, b) => b.endMs - a.endMs)) {
    if (skip < count) return { endMs, skip };
    skip -= count;
  }
  return null;
}

/**
 * Cuts a range, at the edges of its counted parts, into at most `most` ranges of about the same number of rows. The
 * newest comes first.
 */
export function splitEvenly(range: DateRange, parts: readonly CountedRange[], most: number): DateRange[] {
  const newestFirst = parts.toSorted((a, b) => b.endMs - a.endMs);
  const share = newestFirst.reduce((sum, { count }) => sum + count, 0) / most;
  const ranges: DateRange[] = [];
  let { endMs } = range;
  let held = 0;
  for (const part of newestFirst) {
    held += part.count;
    if (held >= share && part.startMs > range.startMs && ranges.length < most - 1) {
      ranges.push({ startMs: part.startMs, endMs });
      endMs = part.startMs - 1;
      held = 0;
    }
  }
  return [...ranges, { startMs: range.startMs, endMs }];
}
