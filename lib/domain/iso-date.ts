/**
 * An ISO 8601 date or date-time: the instant that it names (for a date alone the start of its day, UTC), and whether it
 * is a date alone.
 */
export interface IsoDate {
  readonly epochMs: number;
  readonly dateOnly: boolean;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?/;
const ZONE = /(Z)|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?/;
const DATE_TIME = new RegExp(String.raw`^(\d{4}-\d{2}-\d{2})T${TIME.source}(?:${ZONE.source})?$`);

/** Milliseconds in a day. */
export const DAY_MS = 86_400_000;

// Outside these years toISOString changes its width, and with it the order of the keys made from it.
const MIN_MS = Date.parse('0000-01-01T00:00:00.000Z');
const MAX_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Reads `YYYY-MM-DD` or a full ISO 8601 date-time (no zone: UTC); null when it is neither, or no such day exists. */
export function parseIsoDate(text: string): IsoDate | null {
  const midnightMs = parseDay(text);
  if (midnightMs !== null) return { epochMs: midnightMs, dateOnly: true };

  const match = DATE_TIME.exec(text);
  const dayMs = match && parseDay(text.slice(0, 10));
  if (!match || dayMs === null) return null;
  const [, , hours, minutes, seconds = 0, fraction = '', , sign, zoneHours = 0, zoneMinutes = 0] = match;
  const timeMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  const zoneMs = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000;
  const localMs = dayMs + timeMs + Number(fraction.padEnd(3, '0').slice(0, 3));
  const epochMs = sign === '-' ? localMs + zoneMs : localMs - zoneMs;
  return epochMs >= MIN_MS && epochMs <= MAX_MS ? { epochMs, dateOnly: false } : null;
}

function parseDay(text: string): number | null {
  const match = DATE.exec(text);
  if (!match) return null;
  const epochMs = Date.parse(`${text}T00:00:00.000Z`);
  // Date.parse rolls 30 February over into March.
  return !Number.isNaN(epochMs) && new Date(epochMs).toISOString().startsWith(text) ? epochMs : null;
}

/** Whether the text is an ISO 8601 date or date-time that exists. */
export function isIsoDate(text: string): boolean {
  return parseIsoDate(text) !== null;
}

/** The instant of a valid ISO 8601 date as ISO UTC with milliseconds; a date alone is the start of its day. */
export function startOf(date: string): string {
  return toInstant(date, 0);
}

/** The same, but a date alone is the end of its day: what is valid until a day is valid on it. */
export function endOf(date: string): string {
  return toInstant(date, DAY_MS - 1);
}

function toInstant(date: string, addedToDay: number): string {
  const parsed = parseIsoDate(date);
  if (!parsed) throw new Error(`${date} is not an ISO 8601 date.`);
  return new Date(parsed.epochMs + (parsed.dateOnly ? addedToDay : 0)).toISOString();
}
