import { Big } from 'big.js';
import type { Text } from '../../domain/language.ts';
import { isPercentageFormat, showsOtherDigits } from './number-formats.ts';
import { type NumberStyle, readAmount, readNumber } from './read-amount.ts';
import { readDate } from './read-date.ts';
import type { Reading, UnreadableCell } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** The kind of a field's values. A `display` field is only shown to people, so that it can have any content. */
export type FieldKind = 'id' | 'text' | 'amount' | 'percentage' | 'date' | 'display';

/** A cell of a workbook that contains an exact number, a date of ISO 8601, or TRUE or FALSE. */
export interface TypedCell {
  readonly type: 'number' | 'date' | 'boolean';
  readonly value: string;
  /** True if the workbook contains all digits of a number, as they were entered. */
  readonly hasAllDigits?: boolean;
  /** The format with which the cell shows a number, such as `0.0%` or `0000000`. */
  readonly format?: string;
}

export type Cell = string | TypedCell | UnreadableCell;

/** A row of a file before its fields are read; the first line is 1. */
export interface SourceRow {
  readonly line: number;
  readonly cells: readonly Cell[];
  /** True if cells at the end of the row may be missing, because they are empty. */
  readonly canBeShort: boolean;
  /** The error of a row that cannot be read. The file cannot be read from this row on. */
  readonly error?: Text;
}

/** The style in which a file writes numbers and dates as text. */
export interface Style extends NumberStyle {
  /** True if the day is the first part of a date. If it is false, an ambiguous date is an error. */
  readonly isDayFirst: boolean;
}

/** Reads a cell as a value of its field. A typed cell needs no style, and is an error in a field of another type. */
export function readCell(cell: Cell, kind: FieldKind, style: Style): Reading {
  if (kind === 'display') return { value: toText(cell) };
  if (typeof cell !== 'string') return 'error' in cell ? cell : readTypedCell(cell, kind);
  if (kind === 'text') return { value: cell };
  const text = cell.trim();
  // An apostrophe before a number makes it a text in a spreadsheet.
  if (kind === 'id') return { value: text.replace(/^'/, '') };
  if (kind === 'amount') return readAmount(text, style);
  if (kind === 'date') return readDate(text, style.isDayFirst);
  const number = text.endsWith('%') ? text.slice(0, -1).trimEnd() : text;
  return readNumber(number, style);
}

function readTypedCell(cell: TypedCell, kind: FieldKind): Reading {
  const { type, value } = cell;
  if (type === 'boolean') return { error: texts.otherType.boolean };
  if (type === 'date') return kind === 'date' ? { value } : { error: texts.otherType.date };
  if (kind === 'date') return { error: texts.otherType.number };
  if (kind === 'amount') return { value };
  return kind === 'percentage' ? readPercentageCell(cell) : readDigitsCell(cell);
}

function readPercentageCell({ value, format = '' }: TypedCell): Reading {
  const number = new Big(value);
  const percent = number.times(100).toFixed();
  if (isPercentageFormat(format)) return { value: percent };
  // A fraction that is not shown as a percentage is ambiguous: 0.21 can be 21% or 0.21%.
  const isFraction = number.gt(0) && number.lte(1);
  return isFraction ? { error: texts.ambiguous(`${percent}%`, `${value}%`) } : { value };
}

/** Reads a number as an id or a text, which must show the digits that the workbook contains. */
function readDigitsCell({ value, hasAllDigits, format = '' }: TypedCell): Reading {
  if (!hasAllDigits) return { error: texts.otherType.digits };
  return showsOtherDigits(value, format) ? { error: texts.shownOtherwise(value, format) } : { value };
}

/** Returns the text of a cell, even of an unreadable one. */
export const toText = (cell: Cell) => (typeof cell === 'string' ? cell : cell.value);
