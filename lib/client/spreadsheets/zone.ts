import type { DateRange } from '../../domain/date-range.ts';
import { DAY_MS, parseIsoDate } from '../../domain/iso-date.ts';

/** A zone as an offset from UTC: `-03:00`, `Z`. */
export const ZONE = /^(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

const DATE_ALONE = /^\d{4}-\d{2}-\d{2}$/;
const WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}T[\d:.,]+$/;

/** Adds a zone to a date that has none; a date without a time is its midnight in the zone. */
export function dateInZone(date: string, zone: string): string {
  if (DATE_ALONE.test(date)) return `${date}T00:00:00${zone}`;
  return WITHOUT_ZONE.test(date) ? `${date}${zone}` : date;
}

const WALL_TIME = /^(?<day>\d{4}-\d\d-\d\d)(?:T(?<time>[\d:.,]+))?/;

/** Returns the day and the time of day that an ISO 8601 date shows, without its zone; a date alone shows 00:00. */
export function readWallTime(date: string): { readonly day: string; readonly time: string } {
  const { day = '', time = '00:00' } = WALL_TIME.exec(date)?.groups ?? {};
  return { day, time };
}

/**
 * True if two ISO 8601 dates show the same time, up to a second and whatever their zones are; a date alone is its
 * midnight.
 */
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
  return { startMs: start.epochMs, endMs: start.epochMs + (DATE_ALONE.test(date) ? DAY_MS - 1 : 0) };
}
