import type { DateRange } from '../../../lib/domain/date-range.ts';
import { parseIsoDate, readWallTime } from '../../../lib/domain/iso-date.ts';

/** Matches a zone, which is an offset from UTC such as `-03:00`, or `Z`. */
export const ZONE = /^(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** Converts an ISO 8601 date to its whole day, minute or second in a zone. Returns null if the date is invalid. */
export function toRangeInZone(date: string, zone: string): DateRange | null {
  const rangeInZone = parseIsoDate(addZone(date, zone));
  const rangeInUtc = parseIsoDate(date);
  if (!rangeInZone || !rangeInUtc) return null;
  // A date without a time gets a time with its zone, so only the range in UTC has the length of a day.
  const lengthMs = rangeInUtc.endMs - rangeInUtc.startMs;
  return { startMs: rangeInZone.startMs, endMs: rangeInZone.startMs + lengthMs };
}

/** Adds a zone to a date that has no zone. A date without a time becomes midnight in the zone. */
export function addZone(date: string, zone: string): string {
  const { day, time, zone: ownZone } = readWallTime(date);
  const isDateWithoutZone = day !== '' && ownZone === '';
  return isDateWithoutZone ? `${day}T${time}${zone}` : date;
}

/**
 * True if two ISO 8601 dates show the same day and time (the wall time), whatever their zones are. Times that differ by
 * less than a second are the same, because a workbook rounds them. False if a date is invalid.
 */
export function hasSameWallTime(date: string, otherDate: string): boolean {
  const [wallTime, otherWallTime] = [date, otherDate].map((text) => {
    const { day, time } = readWallTime(text);
    return parseIsoDate(`${day}T${time}Z`);
  });
  if (!wallTime || !otherWallTime) return false;
  return Math.abs(wallTime.startMs - otherWallTime.startMs) < 1000;
}
