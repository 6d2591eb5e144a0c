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

/** Parses and checks a range. Throws INVALID_DATE_RANGE. An end includes its whole day, minute or second. */
export function parseDateRange(startDate: string, endDate: string): DateRange {
  const { startMs } = parseRangeDate('startdate', startDate);
  const { endMs } = parseRangeDate('enddate', endDate);
  if (endMs < startMs) throw createRangeError(texts.endBeforeStart);
  // Measured to the start of the last day, minute or second, so that the notation of the end has no influence.
  const lastUnitMs = [DAY_MS, 60_000, 1000].find((unitMs) => (endMs + 1) % unitMs === 0) ?? 1;
  const lengthMs = endMs + 1 - lastUnitMs - startMs;
  if (lengthMs > LIMITS.rangeDays * DAY_MS) throw createRangeError(texts.rangeTooLong(LIMITS.rangeDays));
  return { startMs, endMs };
}

function parseRangeDate(property: string, text: string) {
  const date = parseIsoDate(text);
  if (date) return date;
  // In a query, a plus sign that is not encoded is a blank.
  const isPlusLost = parseIsoDate(text.replace(' ', '+')) !== null;
  throw createRangeError(isPlusLost ? texts.plusNotEncoded(property) : texts.dateInvalid(property));
}

const createRangeError = (text: Text) => new ServiceError('INVALID_DATE_RANGE', text);

/** Formats the day (UTC) that contains an instant, such as `2026-08-31`. */
export function formatDay(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}
