import { ServiceError } from './errors.ts';
import { DAY_MS, parseIsoDate } from './iso-date.ts';
import type { Text } from './language.ts';
import { LIMITS } from './limits.ts';
import * as texts from './texts.ts';

/** A range of instants in Unix milliseconds. It includes both ends. */
export interface DateRange {
  readonly startMs: number;
  readonly endMs: number;
}

/** Parses a range; throws INVALID_DATE_RANGE. An end date without a time includes its whole day. */
export function parseDateRange(startDate: string, endDate: string): DateRange {
  const createRangeError = (text: Text) => new ServiceError('INVALID_DATE_RANGE', text);
  const start = parseIsoDate(startDate);
  const end = parseIsoDate(endDate);
  if (!start) throw createRangeError(texts.startInvalid);
  if (!end) throw createRangeError(texts.endInvalid);
  const range = { startMs: start.epochMs, endMs: end.isDateOnly ? end.epochMs + DAY_MS - 1 : end.epochMs };
  if (range.endMs < range.startMs) throw createRangeError(texts.endBeforeStart);
  if (end.epochMs - start.epochMs > LIMITS.rangeDays * DAY_MS)
    throw createRangeError(texts.rangeTooLong(LIMITS.rangeDays));
  return range;
}

/** Formats the day (UTC) of an instant as yyyy-mm-dd. */
export function formatDay(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

/** Returns the first and last instant of the day (UTC) of an instant. */
export function getWholeDay(epochMs: number): DateRange {
  const startMs = Math.floor(epochMs / DAY_MS) * DAY_MS;
  return { startMs, endMs: startMs + DAY_MS - 1 };
}

/** Splits a range into its whole days (UTC; null if there are none) and the parts of days at its ends. */
export function splitIntoDays(range: DateRange): { wholeDays: DateRange | null; partialDays: DateRange[] } {
  const { startMs, endMs } = range;
  const firstDay = getWholeDay(startMs);
  const lastDay = getWholeDay(endMs);
  const isFirstWhole = firstDay.startMs === startMs;
  const isLastWhole = lastDay.endMs === endMs;
  const isOneDay = firstDay.startMs === lastDay.startMs;
  if (isOneDay && !(isFirstWhole && isLastWhole)) return { wholeDays: null, partialDays: [range] };

  const partialDays: DateRange[] = [];
  if (!isFirstWhole) partialDays.push({ startMs, endMs: firstDay.endMs });
  if (!isLastWhole) partialDays.push({ startMs: lastDay.startMs, endMs });
  const wholeDays = {
    startMs: isFirstWhole ? startMs : firstDay.endMs + 1,
    endMs: isLastWhole ? endMs : lastDay.startMs - 1,
  };
  // Two partial days in a row have no whole day between them.
  return { wholeDays: wholeDays.startMs < wholeDays.endMs ? wholeDays : null, partialDays };
}

/** True if two ranges, each within one month (UTC), are in the same month. */
export function isSameMonth(first: DateRange, second: DateRange): boolean {
  return getMonthStartMs(first.endMs) === getMonthStartMs(second.endMs);
}

/** Returns the part of a range that is in the month (UTC) of its end. */
export function selectNewestMonth({ startMs, endMs }: DateRange): DateRange {
  return { startMs: Math.max(startMs, getMonthStartMs(endMs)), endMs };
}

function getMonthStartMs(epochMs: number): number {
  // Date.UTC would convert a year below 100 to one of the 20th century.
  return Date.parse(`${formatDay(epochMs).slice(0, 7)}-01`);
}
