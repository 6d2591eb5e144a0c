import { isIsoDate } from '../../domain/iso-date.ts';
import type { FieldSpec } from './find-columns.ts';
import { type AmountStyle, readAmount, readNumber } from './read-amount.ts';
import type { TypedCell } from './read-workbook.ts';
import type { Reading, UnreadableCell } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** The style in which a file writes amounts and dates as text. */
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

/** Reads a cell as a value of its field. A typed cell needs no style, and is an error in a field of another type. */
export function readCell(
  cell: string | TypedCell | UnreadableCell,
  kind: FieldSpec['kind'],
  { amounts, dayFirst }: Style,
): Reading {
  if (kind === 'display') return { value: typeof cell === 'string' ? cell : cell.value };
  if (typeof cell !== 'string') return 'fault' in cell ? cell : readTyped(cell, kind);
  if (kind === 'amount') return readAmount(cell, amounts);
  if (kind === 'date') return readDate(cell, dayFirst);
  return kind === 'percentage' ? readNumber(removePercentSign(cell.trim()), amounts) : { value: cell };
}

const removePercentSign = (text: string) => (text.endsWith('%') ? text.slice(0, -1).trimEnd() : text);

function readTyped({ type, value, written }: TypedCell, kind: FieldSpec['kind']): Reading {
  if (type === 'boolean') return { fault: texts.otherType.boolean };
  if (type === 'date') return kind === 'date' ? { value } : { fault: texts.otherType.date };
  if (kind === 'date') return { fault: texts.otherType.number };
  if (kind === 'percentage' && FRACTION.test(value)) {
    const percent = String(Number((Number(value) * 100).toPrecision(12)));
    return { fault: texts.ambiguous(value, `${percent}%`, `${value}%`) };
  }
  const isExactText = written === value && (Number.isSafeInteger(Number(value)) || DECIMAL.test(value));
  return kind === 'text' && !isExactText ? { fault: texts.otherType.digits } : { value };
}

/** True if dates such as `24/08/2026` have the day first: some first number is over 12, and no second one is. */
export function hasDaysFirst(cells: readonly string[]): boolean {
  const dates = cells.map((text) => DAY_OR_MONTH_FIRST.exec(text.trim()));
  const isOver = (group: number) => dates.some((parts) => Number(parts?.[group]) > 12);
  return isOver(1) && !isOver(3);
}

/** Reads a date as ISO 8601; an ambiguous date is an error, and a text that is not a date is returned unchanged. */
function readDate(cell: string, isDayFirst: boolean): Reading {
  const text = cell.trim();
  const [, first = '', , second = '', year, hour, minutes] = DAY_OR_MONTH_FIRST.exec(text) ?? [];
  if (year === undefined) return { value: text };
  const toIsoDate = (month: string, day: string) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const [day, other] = [toIsoDate(second, first), toIsoDate(first, second)];
  if (!isDayFirst && other !== day && isIsoDate(other)) {
    // A file with the month first must be converted: no option reads it.
    return isIsoDate(day) ? { fault: texts.ambiguous(text, day, other), hint: 'dates' } : { value: text };
  }
  return { value: hour === undefined ? day : `${day}T${hour.padStart(2, '0')}${minutes}` };
}
