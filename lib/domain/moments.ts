import { DAY_MS, parseIsoDate } from './iso-date.ts';

/** The instant of a valid ISO 8601 date as ISO UTC with milliseconds; a date alone is the start of its day. */
export function startOf(date: string): string {
  return instant(date, 0);
}

/** The same, but a date alone is the end of its day: what is valid until a day is valid on it. */
export function endOf(date: string): string {
  return instant(date, DAY_MS - 1);
}

function instant(date: string, addedToDay: number): string {
  const parsed = parseIsoDate(date);
  if (!parsed) throw new Error(`${date} is not an ISO 8601 date.`);
  return new Date(parsed.epochMs + (parsed.dateOnly ? addedToDay : 0)).toISOString();
}
