import { isIsoDate } from '../domain/iso-date.ts';

// The formats of the schemas, under the names by which the validators look them up.

/** An ISO 8601 date or date-time. No validator checks it: parseDateRange does, whose error is INVALID_DATE_RANGE. */
export const iso8601 = true;

/** Returns true for an ISO 8601 date or date-time that exists, and for an empty text, which clears a date. */
export function iso8601OrEmpty(text: string): boolean {
  return text === '' || isIsoDate(text);
}

/** A UUID of any version. */
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
