/**
 * The form of an ISO 8601 date or date-time: `2026-08-31`, `2026-08-31T10:30Z` or `2026-08-31T10:30:00.5-03:00`. The
 * OpenAPI document contains this expression as a `pattern`. The pattern uses `[0-9]`, because `\d` also matches
 * non-ASCII digits in some programming languages.
 */
export const ISO_DATE = new RegExp(
  '^(?<day>[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01]))' +
    '(?:T(?<hours>[01][0-9]|2[0-3]):(?<minutes>[0-5][0-9])' +
    '(?::(?<seconds>[0-5][0-9])(?:[.,](?<fraction>[0-9]{1,9}))?)?' +
    '(?:Z|(?<sign>[+-])(?<zoneHours>[01][0-9]|2[0-3])(?::?(?<zoneMinutes>[0-5][0-9]))?)?)?$',
);

export const DAY_MS = 86_400_000;

// For years outside 0 to 9999, toISOString returns a longer text, which would be sorted wrongly in the table keys.
const MIN_MS = Date.parse('0000-01-01T00:00:00.000Z');
const MAX_MS = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Parses an ISO 8601 date or date-time, by default in UTC, to its first and last instant (Unix milliseconds): `2026-08-31`
 * is a day, `T10:30` a minute, and `T10:30:00` a second. Returns null for an invalid text, such as `2026-02-30`.
 */
export function parseIsoDate(text: string): { readonly startMs: number; readonly endMs: number } | null {
  const parts = ISO_DATE.exec(text)?.groups;
  if (!parts) return null;
  const { day = '', hours, minutes, seconds, fraction, sign, zoneHours = 0, zoneMinutes = 0 } = parts;
  const dayStartMs = parseDay(day);
  if (dayStartMs === null) return null;
  if (hours === undefined) return { startMs: dayStartMs, endMs: dayStartMs + DAY_MS - 1 };

  const timeMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds ?? 0)) * 1000;
  const millisecond = Number((fraction ?? '').padEnd(3, '0').slice(0, 3));
  const zoneMs = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000;
  const localMs = dayStartMs + timeMs + millisecond;
  const startMs = sign === '-' ? localMs + zoneMs : localMs - zoneMs;
  if (startMs < MIN_MS || startMs > MAX_MS) return null;
  if (fraction !== undefined) return { startMs, endMs: startMs };
  return { startMs, endMs: startMs + (seconds === undefined ? 60_000 : 1000) - 1 };
}

/** Returns the first instant (UTC) of a day such as `2026-08-31`, or null if the month does not have the day. */
function parseDay(day: string): number | null {
  const epochMs = Date.parse(`${day}T00:00:00.000Z`);
  // Date.parse converts 30 February to 2 March or 1 March.
  return new Date(epochMs).toISOString().startsWith(day) ? epochMs : null;
}

/** A date of ISO 8601, such as `2026-08-31` or `2026-08-31T22:30-03:00`, in its parts. */
const DATE_PARTS = /^(?<day>\d{4}-\d{2}-\d{2})(?:T(?<time>[\d:.,]+))?(?<zone>.*)$/;

/** Returns the day, the time of day and the zone that an ISO 8601 date shows. A date alone shows 00:00:00. */
export function readWallTime(date: string) {
  const { day = '', time = '00:00:00', zone = '' } = DATE_PARTS.exec(date)?.groups ?? {};
  return { day, time, zone };
}

export function isIsoDate(text: string): boolean {
  return parseIsoDate(text) !== null;
}

/** Converts an ISO 8601 text to its first instant, in UTC with milliseconds. Throws a RangeError for another text. */
export function toStartInstant(date: string): string {
  return new Date(parseIsoDate(date)?.startMs ?? Number.NaN).toISOString();
}

/** Converts an ISO 8601 text to its last instant, in UTC with milliseconds. Throws a RangeError for another text. */
export function toEndInstant(date: string): string {
  return new Date(parseIsoDate(date)?.endMs ?? Number.NaN).toISOString();
}
