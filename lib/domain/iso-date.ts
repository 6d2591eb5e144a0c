/** An ISO 8601 date or date-time as an instant. A date without a time (`isDateOnly`) is the start of its day, UTC. */
export interface IsoDate {
  readonly epochMs: number;
  readonly isDateOnly: boolean;
}

/**
 * The form of an ISO 8601 date, or of a date-time with at least hours and minutes: `2026-08-31`, `2026-08-31T10:30Z` or
 * `2026-08-31T10:30:00.5-03:00`. The OpenAPI document contains it as a `pattern`. It uses `[0-9]`, because `\d` matches
 * other digits in some languages.
 */
export const ISO_DATE = new RegExp(
  '^(?<day>[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01]))' +
    '(?:T(?<hours>[01][0-9]|2[0-3]):(?<minutes>[0-5][0-9])(?::(?<seconds>[0-5][0-9])(?:[.,](?<fraction>[0-9]{1,9}))?)?' +
    '(?:Z|(?<sign>[+-])(?<zoneHours>[01][0-9]|2[0-3])(?::?(?<zoneMinutes>[0-5][0-9]))?)?)?$',
);

export const DAY_MS = 86_400_000;

// For other years, toISOString returns a longer text, which would not sort correctly in the keys of the tables.
const MIN_MS = Date.parse('0000-01-01T00:00:00.000Z');
const MAX_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Parses an ISO 8601 date or date-time (no zone: UTC). Returns null if it is invalid, or the day does not exist. */
export function parseIsoDate(text: string): IsoDate | null {
  const parts = ISO_DATE.exec(text)?.groups;
  if (!parts) return null;
  const { day = '', hours, minutes, seconds = 0, fraction = '', sign, zoneHours = 0, zoneMinutes = 0 } = parts;
  const midnightMs = parseDay(day);
  if (midnightMs === null) return null;
  if (hours === undefined) return { epochMs: midnightMs, isDateOnly: true };

  const timeMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  const zoneMs = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000;
  const localMs = midnightMs + timeMs + Number(fraction.padEnd(3, '0').slice(0, 3));
  const epochMs = sign === '-' ? localMs + zoneMs : localMs - zoneMs;
  return epochMs >= MIN_MS && epochMs <= MAX_MS ? { epochMs, isDateOnly: false } : null;
}

/** Parses a day in the form yyyy-mm-dd to its first instant; null if the month does not have the day. */
function parseDay(day: string): number | null {
  const epochMs = Date.parse(`${day}T00:00:00.000Z`);
  // Date.parse turns 30 February into 2 March.
  return new Date(epochMs).toISOString().startsWith(day) ? epochMs : null;
}

export function isIsoDate(text: string): boolean {
  return parseIsoDate(text) !== null;
}

/** Converts a valid ISO 8601 date to ISO UTC with milliseconds; a date without a time is the start of its day. */
export function toStartInstant(date: string): string {
  return toInstant(date, 0);
}

/** Converts a valid ISO 8601 date to ISO UTC with milliseconds; a date without a time is the end of its day. */
export function toEndInstant(date: string): string {
  return toInstant(date, DAY_MS - 1);
}

function toInstant(date: string, offsetInDayMs: number): string {
  const parsed = parseIsoDate(date);
  if (!parsed) throw new Error(`${date} is not an ISO 8601 date.`);
  return new Date(parsed.epochMs + (parsed.isDateOnly ? offsetInDayMs : 0)).toISOString();
}
