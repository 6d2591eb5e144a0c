import { ServiceError } from './errors.ts';
import { DAY_MS, parseIsoDate } from './iso-date.ts';
import type { Text } from './language.ts';
import { LIMITS } from './limits.ts';
import * as texts from './texts.ts';

/** A closed range of instants, in milliseconds. */
export interface DateRange {
  readonly startMs: number;
  readonly endMs: number;
}

/** Reads the two ends of a range (an end that is a date alone includes its whole day); throws INVALID_DATE_RANGE. */
export function parseDateRange(startDate: string, endDate: string): DateRange {
  const invalid = (text: Text) => new ServiceError('INVALID_DATE_RANGE', text);
  const start = parseIsoDate(startDate);
  const end = parseIsoDate(endDate);
  if (!start) throw invalid(texts.startInvalid);
  if (!end) throw invalid(texts.endInvalid);
  const range = { startMs: start.epochMs, endMs: end.dateOnly ? end.epochMs + DAY_MS - 1 : end.epochMs };
  if (range.endMs < range.startMs) throw invalid(texts.endBeforeStart);
  if (end.epochMs - start.epochMs > LIMITS.rangeDays * DAY_MS) throw invalid(texts.rangeTooLong(LIMITS.rangeDays));
  return range;
}

/** Formats the day (UTC) of an instant as yyyy-mm-dd. */
export function formatDay(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

/** Returns the first and last instant of the day (UTC) of an instant. */
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

/** True if two ranges, each within one month (UTC), are in the same month. */
export function isSameMonth(one: DateRange, other: DateRange): boolean {
  return startOfMonth(one.endMs) === startOfMonth(other.endMs);
}

/** Returns the part of a range that is in the month (UTC) of its end. */
export function newestMonth({ startMs, endMs }: DateRange): DateRange {
  return { startMs: Math.max(startMs, startOfMonth(endMs)), endMs };
}

function startOfMonth(epochMs: number): number {
  // Date.UTC would convert a year below 100 to one of the 20th century.
  return Date.parse(`${formatDay(epochMs).slice(0, 7)}-01`);
}
