import { isIsoDate } from '../../domain/iso-date.ts';
import type { Reading } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** The start of an invoice date in a file. Another year than 2000 to 2100 is a typing error. */
export const INVOICE_YEAR = /^(?:20\d\d|2100)-/;

// A date without its year first, perhaps with a time: 24/08/2026, 24-8-2026 9:30.
const DAY_OR_MONTH_FIRST =
  /^(?<first>\d{1,2})(?<mark>[/.-])(?<second>\d{1,2})\k<mark>(?<year>\d{4})(?:[ T](?<hour>\d{1,2})(?<minutes>:\d{2}(?::\d{2})?))?$/;
// The day of a date with its year first: 2026/08/24, 20260824, 2026-08-24 00:00:00.
const YEAR_FIRST = /^(?<year>\d{4})(?<mark>[/.-]?)(?<month>\d\d)\k<mark>(?<day>\d\d)(?=$|[ T])/;

/** True if one of the dates can only have its day first, and none its month. */
export function provesDayFirst(dates: readonly string[]): boolean {
  const dateParts = dates.map((text) => DAY_OR_MONTH_FIRST.exec(text)?.groups);
  const hasDayFirst = dateParts.some((parts) => Number(parts?.['first']) > 12);
  const hasMonthFirst = dateParts.some((parts) => Number(parts?.['second']) > 12);
  return hasDayFirst && !hasMonthFirst;
}

/** Reads a date as ISO 8601. An ambiguous date is an error, and a text that is not a date is returned unchanged. */
export function readDate(text: string, isDayFirst: boolean): Reading {
  const hyphenatedText = text.replace(YEAR_FIRST, '$<year>-$<month>-$<day>');
  const isoText = hyphenatedText.replace(/ 00:00:00$/, '').replace(' ', 'T');
  if (isIsoDate(isoText)) return { value: isoText };
  const parts = DAY_OR_MONTH_FIRST.exec(text)?.groups;
  if (!parts) return { value: text };

  const { first = '', second = '', year, hour, minutes } = parts;
  const buildDay = (month: string, day: string) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const withDayFirst = buildDay(second, first);
  const withMonthFirst = buildDay(first, second);
  const canBeMonthFirst = withMonthFirst !== withDayFirst && isIsoDate(withMonthFirst);
  if (canBeMonthFirst && !isDayFirst) {
    if (!isIsoDate(withDayFirst)) return { value: text };
    return { error: texts.ambiguous(withDayFirst, withMonthFirst), hint: 'dates' };
  }
  return { value: hour === undefined ? withDayFirst : `${withDayFirst}T${hour.padStart(2, '0')}${minutes}` };
}
