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

/** The parts of a list, newest first. */
export function newestFirst<Part extends DateRange>(parts: readonly Part[]): Part[] {
  return parts.toSorted((a, b) => b.endMs - a.endMs);
}

/** Whether two ranges, each within one month (UTC), are within the same. */
export function isSameMonth(one: DateRange, other: DateRange): boolean {
  return startOfMonth(one.endMs) === startOfMonth(other.endMs);
}

/** Cuts a range at the beginnings of months (UTC). The newest comes first. */
export function splitIntoMonths({ startMs, endMs }: DateRange): DateRange[] {
  const monthMs = startOfMonth(endMs);
  if (monthMs <= startMs) return [{ startMs, endMs }];
  return [{ startMs: monthMs, endMs }, ...splitIntoMonths({ startMs, endMs: monthMs - 1 })];
}

function startOfMonth(epochMs: number): number {
  // Not Date.UTC, which takes a year below 100 for one of the 20th century.
  return Date.parse(`${dayOf(epochMs).slice(0, 7)}-01`);
}

/**
 * Cuts a range, at the edges of its counted parts, into at most `most` ranges of about the same number of rows. The
 * newest comes first.
 */
export function splitEvenly(range: DateRange, parts: readonly CountedRange[], most: number): DateRange[] {
  const ordered = newestFirst(parts);
  const share = ordered.reduce((sum, { count }) => sum + count, 0) / most;
  const ranges: DateRange[] = [];
  let { endMs } = range;
  let held = 0;
  for (const part of ordered) {
    held += part.count;
    if (held >= share && part.startMs > range.startMs && ranges.length < most - 1) {
      ranges.push({ startMs: part.startMs, endMs });
      endMs = part.startMs - 1;
      held = 0;
    }
  }
  return [...ranges, { startMs: range.startMs, endMs }];
}
