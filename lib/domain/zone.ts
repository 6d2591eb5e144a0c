import type { DateRange } from './date-range.ts';
import { DAY_MS, parseIsoDate } from './iso-date.ts';

/** A zone as an offset from UTC: `-03:00`, `Z`. */
export const ZONE = /^(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

const DATE_ALONE = /^\d{4}-\d{2}-\d{2}$/;
const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}T[\d:.,]+$/;

/** A date as one of this zone, if it names none itself; a date alone is its midnight there. */
export function dateInZone(date: string, zone: string): string {
  if (DATE_ALONE.test(date)) return `${date}T00:00:00${zone}`;
  return WITHOUT_ZONE.test(date) ? `${date}${zone}` : date;
}

/** The instants that an ISO 8601 date names in a zone: a date alone names its whole day; null when it is no date. */
export function instantsOf(date: string, zone: string): DateRange | null {
  const start = parseIsoDate(dateInZone(date, zone));
  if (!start) return null;
  return { startMs: start.epochMs, endMs: start.epochMs + (DATE_ALONE.test(date) ? DAY_MS - 1 : 0) };
}
