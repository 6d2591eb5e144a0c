import type { DateRange } from '../../../lib/domain/date-range.ts';
import { DAY_MS, parseIsoDate } from '../../../lib/domain/iso-date.ts';

/** A zone as an offset from UTC: `-03:00`, `Z`. */
export const ZONE = /^(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** A date of ISO 8601, such as `2026-08-31` or `2026-08-31T22:30-03:00`, in its parts. */
const DATE_PARTS = /^(?<day>\d{4}-\d{2}-\d{2})(?:T(?<time>[\d:.,]+))?(?<zone>.*)$/;

/** Adds a zone to a date that has no zone. A date without a time becomes midnight in the zone. */
export function dateInZone(date: string, zone: string): string {
  const parts = DATE_PARTS.exec(date)?.groups;
  return parts?.['zone'] === '' ? `${parts['day']}T${parts['time'] ?? '00:00:00'}${zone}` : date;
}

/** Returns the day and the time of day that an ISO 8601 date shows, without its zone; a date alone shows 00:00. */
export function readWallTime(date: string): { readonly day: string; readonly time: string } {
  const { day = '', time = '00:00' } = DATE_PARTS.exec(date)?.groups ?? {};
  return { day, time };
}

/** True if two ISO 8601 dates show the same time, up to a second and whatever their zones are. */
export function hasSameWallTime(one: string, other: string): boolean {
  return Math.abs(toWallTimeMs(one) - toWallTimeMs(other)) < 1000;
}

function toWallTimeMs(date: string): number {
  const { day, time } = readWallTime(date);
  return parseIsoDate(`${day}T${time}Z`)?.epochMs ?? Number.NaN;
}

/** Converts an ISO 8601 date to a range in a zone; a date without a time is its whole day. Null if it is invalid. */
export function toRangeInZone(date: string, zone: string): DateRange | null {
  const start = parseIsoDate(dateInZone(date, zone));
  if (!start) return null;
  return { startMs: start.epochMs, endMs: start.epochMs + (date.includes('T') ? 0 : DAY_MS - 1) };
}
