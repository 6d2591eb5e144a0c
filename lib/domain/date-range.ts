import { ServiceError } from './errors.ts';
import { DAY_MS, parseIsoDate } from './iso-date.ts';
import type { Text } from './language.ts';
import { LIMITS } from './limits.ts';
import * as texts from './texts.ts';

/** A range of instants in Unix milliseconds. The range includes both ends. */
export interface DateRange {
  readonly startMs: number;
  readonly endMs: number;
}

/** Parses and checks a range. Throws INVALID_DATE_RANGE. An end date without a time includes its whole day. */
export function parseDateRange(startDate: string, endDate: string): DateRange {
  const createRangeError = (text: Text) => new ServiceError('INVALID_DATE_RANGE', text);
  const start = parseIsoDate(startDate);
  const end = parseIsoDate(endDate);
  if (!start) throw createRangeError(texts.startInvalid);
  if (!end) throw createRangeError(texts.endInvalid);
  const endMs = end.isDateOnly ? end.epochMs + DAY_MS - 1 : end.epochMs;
  if (endMs < start.epochMs) throw createRangeError(texts.endBeforeStart);
  const lengthMs = end.epochMs - start.epochMs;
  if (lengthMs > LIMITS.rangeDays * DAY_MS) throw createRangeError(texts.rangeTooLong(LIMITS.rangeDays));
  return { startMs: start.epochMs, endMs };
}

/** Formats the day (UTC) that contains an instant, such as `2026-08-31`. */
export function formatDay(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

/** Returns the first and the last instant of the day (UTC) that contains an instant. */
export function getWholeDay(epochMs: number): DateRange {
  const startMs = Math.floor(epochMs / DAY_MS) * DAY_MS;
  return { startMs, endMs: startMs + DAY_MS - 1 };
}

/** Returns the part of a range that is in the day (UTC) that contains an instant. */
export function selectDay(range: DateRange, epochMs: number): DateRange {
  const { startMs, endMs } = getWholeDay(epochMs);
  return { startMs: Math.max(startMs, range.startMs), endMs: Math.min(endMs, range.endMs) };
}

/** Lists the parts of days (UTC) at the ends of a range: its first and last day, if the range omits a part of the day. */
export function listPartialDays(range: DateRange): DateRange[] {
  const firstDay = selectDay(range, range.startMs);
  const lastDay = selectDay(range, range.endMs);
  const ends = firstDay.startMs === lastDay.startMs ? [firstDay] : [firstDay, lastDay];
  return ends.filter(({ startMs, endMs }) => endMs - startMs < DAY_MS - 1);
}

/** Returns the part of a range that is in the month (UTC) in which the range ends. */
export function selectNewestMonth({ startMs, endMs }: DateRange): DateRange {
  return { startMs: Math.max(startMs, getMonthStartMs(endMs)), endMs };
}

function getMonthStartMs(epochMs: number): number {
  // Date.UTC is not used, because it would convert the year 26 to 1926.
  return Date.parse(`${formatDay(epochMs).slice(0, 7)}-01`);
}
