import type { FieldSpec } from './find-columns.ts';
import type { Style } from './findings.ts';
import { readAmount, readNumber } from './read-amount.ts';
import { readDate } from './read-date.ts';
import type { TypedCell } from './read-workbook.ts';
import type { Fault, Reading } from './spreadsheet-error.ts';
import { texts } from './texts.ts';

// A percentage of a workbook is a fraction: 0.21 in a cell that shows 21 %.
const FRACTION = /^(?:0\.\d+|1)$/;
const MAX_DIGITS = 15;

/** Reads a cell as its field is written; a cell with a type needs no style, and is refused where it is of another. */
export function readCell(
  cell: string | TypedCell | Fault,
  kind: FieldSpec['kind'],
  { amounts, dayFirst }: Style,
): Reading {
  if (typeof cell !== 'string') return 'fault' in cell ? cell : readTyped(cell, kind);
  if (kind === 'amount') return readAmount(cell, amounts);
  if (kind === 'date') return readDate(cell, dayFirst);
  return kind === 'percentage' ? readNumber(cell.trim().replace(/\s*%$/, ''), amounts) : { value: cell };
}

function readTyped({ type, value }: TypedCell, kind: FieldSpec['kind']): Reading {
  if (type === 'boolean') return { fault: texts.otherType.boolean };
  if (type === 'date') return kind === 'date' ? { value } : { fault: texts.otherType.date };
  if (kind === 'date') return { fault: texts.otherType.number };
  if (kind === 'percentage' && FRACTION.test(value)) {
    const percent = String(Number((Number(value) * 100).toPrecision(12)));
    return { fault: texts.twoNumbers(value, `${percent}%`, `${value}%`) };
  }
  const hasLostDigits = kind === 'text' && value.replaceAll(/\D/g, '').length > MAX_DIGITS;
  return hasLostDigits ? { fault: texts.otherType.digits } : { value };
}
