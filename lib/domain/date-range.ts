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
  const start = parseIsoDate(startDate);
  const end = parseIsoDate(endDate);
  if (!start) throw invalid(texts.startInvalid);
  if (!end) throw invalid(texts.endInvalid);
  const range = { startMs: start.epochMs, endMs: end.dateOnly ? end.epochMs + DAY_MS - 1 : end.epochMs };
  if (range.endMs < range.startMs) throw invalid(texts.endBeforeStart);
  if (end.epochMs - start.epochMs > LIMITS.rangeDays * DAY_MS) {
    throw invalid(texts.rangeTooLong(LIMITS.rangeDays));
  }
  return range;
}

function invalid(text: Text): ServiceError {
  return new ServiceError('INVALID_DATE_RANGE', text);
}
