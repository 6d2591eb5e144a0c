import type { DateRange } from '../../domain/date-range.ts';
import { DAY_MS, parseIsoDate } from '../../domain/iso-date.ts';

/** A zone as an offset from UTC: `-03:00`, `Z`. */
export const ZONE = /^(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** A date of ISO 8601 without a zone; a date alone has no time. */
const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}(?:T[\d:.,]+)?$/;
const WALL_TIME = /^(?<day>\d{4}-\d\d-\d\d)(?:T(?<time>[\d:.,]+))?/;

/** Adds a zone to a date that has none; a date without a time is its midnight in the zone. */
export function dateInZone(date: string, zone: string): string {
  if (!WITHOUT_ZONE.test(date)) return date;
  return `${date}${date.includes('T') ? '' : 'T00:00:00'}${zone}`;
}

/** Returns the day and the time of day that an ISO 8601 date shows, without its zone; a date alone shows 00:00. */
export function readWallTime(date: string): { readonly day: string; readonly time: string } {
  const { day = '', time = '00:00' } = WALL_TIME.exec(date)?.groups ?? {};
  return { day, time };
}

/** True if two ISO 8601 dates show the same time, up to a second and whatever their zones are. */
export function hasSameWallTime(one: string, other: string): boolean {
  const [first = Number.NaN, second = Number.NaN] = [one, other].map((date) => {
    const { day, time } = readWallTime(date);
    return parseIsoDate(`${day}T${time}Z`)?.epochMs;
  });
  return Math.abs(first - second) < 1000;
}

/** Converts an ISO 8601 date to a range in a zone; a date without a time is its whole day. Null if it is invalid. */
export function instantsOf(date: string, zone: string): DateRange | null {
  const start = parseIsoDate(dateInZone(date, zone));
  if (!start) return null;
  return { startMs: start.epochMs, endMs: start.epochMs + (date.includes('T') ? 0 : DAY_MS - 1) };
}
