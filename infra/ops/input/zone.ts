import type { DateRange } from '../../../lib/domain/date-range.ts';
import { parseIsoDate, readWallTime } from '../../../lib/domain/iso-date.ts';

/** A zone as an offset from UTC: `-03:00`, `Z`. */
export const ZONE = /^(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** Adds a zone to a date that has no zone. A date without a time becomes midnight in the zone. */
export function dateInZone(date: string, zone: string): string {
  const { day, time, zone: ownZone } = readWallTime(date);
  return day !== '' && ownZone === '' ? `${day}T${time}${zone}` : date;
}

/** True if two ISO 8601 dates show the same time, up to a second and whatever their zones are. */
export function hasSameWallTime(one: string, other: string): boolean {
  return Math.abs(toWallTimeMs(one) - toWallTimeMs(other)) < 1000;
}

function toWallTimeMs(date: string): number {
  const { day, time } = readWallTime(date);
  return parseIsoDate(`${day}T${time}Z`)?.startMs ?? Number.NaN;
}

/** Converts an ISO 8601 date to its whole day, minute or second in a zone. Returns null if the date is invalid. */
export function toRangeInZone(date: string, zone: string): DateRange | null {
  const start = parseIsoDate(dateInZone(date, zone));
  const inUtc = parseIsoDate(date);
  if (!start || !inUtc) return null;
  return { startMs: start.startMs, endMs: start.startMs + inUtc.endMs - inUtc.startMs };
}
