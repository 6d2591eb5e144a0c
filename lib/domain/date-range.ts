import { ServiceError } from './errors.ts';
import { DAY_MS, parseIsoDate } from './iso-date.ts';

/** A closed range of instants, in milliseconds. */
export interface DateRange {
  readonly startMs: number;
  readonly endMs: number;
}

/** The longest range of a list, in days. */
const MAX_RANGE_DAYS = 93;

/** Reads the two ends of a range (an end that is a date alone includes its whole day); throws INVALID_DATE_RANGE. */
export function parseDateRange(startDate: string, endDate: string): DateRange {
  const start = parseIsoDate(startDate);
  const end = parseIsoDate(endDate);
  if (!start) throw invalid('startdate is not a valid ISO 8601 date.');
  if (!end) throw invalid('enddate is not a valid ISO 8601 date.');
  const range = { startMs: start.epochMs, endMs: end.dateOnly ? end.epochMs + DAY_MS - 1 : end.epochMs };
  if (range.endMs < range.startMs) throw invalid('enddate is before startdate.');
  if (end.epochMs - start.epochMs > MAX_RANGE_DAYS * DAY_MS) {
    throw invalid(`The range may not exceed ${MAX_RANGE_DAYS} days.`);
  }
  return range;
}

function invalid(message: string): ServiceError {
  return new ServiceError('INVALID_DATE_RANGE', message);
}
