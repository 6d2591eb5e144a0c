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
