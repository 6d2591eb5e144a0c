import { isIsoDate } from '../domain/iso-date.ts';
import type { Reading } from './spreadsheet-error.ts';
import { texts } from './texts.ts';

/** A date without its year first, perhaps with a time: `24/08/2026`, `24-8-2026 9:30`. */
const DAY_OR_MONTH_FIRST = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:[ T](\d{1,2})(:\d{2}(?::\d{2})?))?$/;

/** Whether days stand first in such dates: some have a number over 12 there, and none has one in the second place. */
export function hasDaysFirst(cells: readonly string[]): boolean {
  const dates = cells.map((text) => DAY_OR_MONTH_FIRST.exec(text.trim()));
  const isOver = (place: number) => dates.some((parts) => Number(parts?.[place]) > 12);
  return isOver(1) && !isOver(3);
}

/** Reads a date as ISO 8601; one that may be two days is a fault, and what is no date stays as it is. */
export function readDate(cell: string, isDayFirst: boolean): Reading {
  const text = cell.trim();
  const [, first = '', , second = '', year, hour, minutes] = DAY_OR_MONTH_FIRST.exec(text) ?? [];
  if (year === undefined) return { value: text };
  const dated = (month: string, day: string) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const [day, other] = [dated(second, first), dated(first, second)];
  if (!isDayFirst && other !== day && isIsoDate(other)) {
    // Whoever writes the month first has to say it in another way.
    return isIsoDate(day) ? { fault: texts.twoDates(text, day, other), hint: 'dates' } : { value: text };
  }
  return { value: hour === undefined ? day : `${day}T${hour.padStart(2, '0')}${minutes}` };
}
