import type { Reading } from './reading.ts';
import { fileTexts } from './texts/file.ts';

const DATE = /^\d{4}-\d{2}-\d{2}/;
const TIME = /^T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d{1,9})?)?(Z|[+-]([01]\d|2[0-3])(:?[0-5]\d)?)?$/;
const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

/** How a column writes dates: whether 1/2/2026 may be a date at all, and whether it can only be 1 February. */
export interface DateStyle {
  readonly slashes: boolean;
  readonly dayFirst: boolean;
}

/** Finds how a column writes dates: a number over 12 in the first place proves that days stand there. */
export function judgeDates(
  cells: readonly { readonly text: string }[],
  { slashes }: { readonly slashes: boolean },
): DateStyle {
  return { slashes, dayFirst: slashes && cells.some(({ text }) => Number(SLASHED.exec(text)?.[1]) > 12) };
}

/** Reads a date or date-time of ISO 8601 as it is, and day/month/year as ISO 8601 where it is certain. */
export function readDate(text: string, { slashes, dayFirst }: DateStyle): Reading<string> {
  if (isDate(text)) return { value: text };
  const [, first = '', second = '', year = ''] = (slashes && SLASHED.exec(text)) || [];
  const dated = (month: string, day: string) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const value = dated(second, first);
  if (!isDate(value)) return { fault: fileTexts.noDate };
  const other = dated(first, second);
  if (!dayFirst && isDate(other) && other !== value) return { fault: fileTexts.twoDates(text, value, other) };
  return { value };
}

/** Whether the text is an ISO 8601 date or date-time, of a day that exists. */
export function isDate(text: string): boolean {
  const [day = ''] = DATE.exec(text) ?? [];
  const time = text.slice(day.length);
  return dayExists(day) && (time === '' || TIME.test(time));
}

function dayExists(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  // 30 February is read as a day of March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${day}T`);
}
