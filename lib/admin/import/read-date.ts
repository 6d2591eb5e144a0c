import type { Cell } from './cell.ts';

/** A date with its day first, perhaps with a time: `24/08/2026`, `24-8-2026 9:30`. */
const DAY_FIRST = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:[ T](\d{1,2})(:\d{2}(?::\d{2})?))?$/;

/** Reads a date as ISO 8601; one that begins with a day or a month is refused, unless its day is said to be first. */
export function readDate(cell: string, isDayFirst: boolean): Cell {
  const [, day = '', , month = '', year, hour, minutes] = DAY_FIRST.exec(cell.trim()) ?? [];
  if (year === undefined) return { text: cell };
  if (!isDayFirst) return { text: cell, fault: 'has no year first: --day-first reads 24/08/2026' };
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return { text: hour === undefined ? date : `${date}T${hour.padStart(2, '0')}${minutes}` };
}
