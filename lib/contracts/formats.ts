import { isIsoDate } from '../domain/iso-date.ts';

// The formats of the schemas, under the names by which the validators look them up.

/** An ISO 8601 date or date-time. The validators do not check it; parseDateRange throws INVALID_DATE_RANGE. */
export const iso8601 = true;

/** True if the text is an existing ISO 8601 date or date-time, or is empty, which clears a date. */
export function iso8601OrEmpty(text: string): boolean {
  return text === '' || isIsoDate(text);
}

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
