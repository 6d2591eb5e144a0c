import { isIsoDate } from '../domain/iso-date.ts';
import type { FieldSpec } from './find-columns.ts';
import { type AmountStyle, readAmount, readNumber } from './read-amount.ts';
import type { TypedCell } from './read-workbook.ts';
import type { Reading, UnreadableCell } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** How a file writes its texts of amounts and dates. */
export interface Style {
  readonly amounts: AmountStyle;
  readonly dayFirst: boolean;
}

// A percentage of a workbook is a fraction: 0.21 in a cell that shows 21 %.
const FRACTION = /^(?:0\.\d+|1)$/;
/** A decimal with few enough digits that a spreadsheet keeps all of them. */
const DECIMAL = /^-?(?=[\d.]{3,16}$)\d+\.\d+$/;
/** A date without its year first, perhaps with a time: `24/08/2026`, `24-8-2026 9:30`. */
const DAY_OR_MONTH_FIRST = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:[ T](\d{1,2})(:\d{2}(?::\d{2})?))?$/;

/** Reads a cell as its field is written. A cell with a type needs no style, and is an error in a field of another type. */
export function readCell(
  cell: string | TypedCell | UnreadableCell,
  kind: FieldSpec['kind'],
  { amounts, dayFirst }: Style,
): Reading {
  if (kind === 'display') return { value: typeof cell === 'string' ? cell : cell.value };
  if (typeof cell !== 'string') return 'fault' in cell ? cell : readTyped(cell, kind);
  if (kind === 'amount') return readAmount(cell, amounts);
  if (kind === 'date') return readDate(cell, dayFirst);
  return kind === 'percentage' ? readNumber(withoutPercentSign(cell.trim()), amounts) : { value: cell };
}

const withoutPercentSign = (text: string) => (text.endsWith('%') ? text.slice(0, -1).trimEnd() : text);

function readTyped({ type, value, written }: TypedCell, kind: FieldSpec['kind']): Reading {
  if (type === 'boolean') return { fault: texts.otherType.boolean };
  if (type === 'date') return kind === 'date' ? { value } : { fault: texts.otherType.date };
  if (kind === 'date') return { fault: texts.otherType.number };
  if (kind === 'percentage' && FRACTION.test(value)) {
    const percent = String(Number((Number(value) * 100).toPrecision(12)));
    return { fault: texts.twoNumbers(value, `${percent}%`, `${value}%`) };
  }
  const isExactText = written === value && (Number.isSafeInteger(Number(value)) || DECIMAL.test(value));
  return kind === 'text' && !isExactText ? { fault: texts.otherType.digits } : { value };
}

/** Whether days stand first in such dates: some have a number over 12 there, and none has one second. */
export function hasDaysFirst(cells: readonly string[]): boolean {
  const dates = cells.map((text) => DAY_OR_MONTH_FIRST.exec(text.trim()));
  const isOver = (group: number) => dates.some((parts) => Number(parts?.[group]) > 12);
  return isOver(1) && !isOver(3);
}

/** Reads a date as ISO 8601; one that may be two days is a fault, and what is no date stays as it is. */
function readDate(cell: string, isDayFirst: boolean): Reading {
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
