import { VISIBLE_CHARACTER } from '../domain/declaration.ts';
import { isIsoDate } from '../domain/iso-date.ts';

// The formats of the schemas. The value of `format` in a schema is the name of one of these exports.

/** The format of a date in a query. The validators accept every text, because parseDateRange checks the dates. */
export const iso8601 = true;

/** True if the text is an ISO 8601 date or date-time that exists, or is empty. An empty text clears a date. */
export function iso8601OrEmpty(text: string): boolean {
  return text === '' || isIsoDate(text);
}

/** The format of an optional date in a query. Its error text explains the `+` of a zone. */
export const iso8601OrEmptyInQuery = iso8601OrEmpty;

/** True if the text has a visible character and no control character, or is empty. An empty text clears a number. */
export function visibleOrEmpty(text: string): boolean {
  return text === '' || (VISIBLE_CHARACTER.test(text) && !/\p{Cc}/u.test(text));
}

/** The format of an API key, such as `7a1e9c52-3f0b-4d68-9b1f-5c2d84e6a001`. */
export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
