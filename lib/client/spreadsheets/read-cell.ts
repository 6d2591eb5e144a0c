import { isIsoDate } from '../../domain/iso-date.ts';
import type { Text } from '../../domain/language.ts';
import { formatNumber } from './number-formats.ts';
import type { Reading, UnreadableCell } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** The orders of the parts of a date: 24/08/2026, 08/24/2026, 2026-08-24. */
export const DATE_ORDERS = ['dmy', 'mdy', 'iso'] as const;

export const DECIMAL_SIGNS = ['comma', 'point'] as const;
export type DecimalSign = (typeof DECIMAL_SIGNS)[number];

/** The kind of a field's values. A `display` cell is only shown to people, so that no content of it is an error. */
export type FieldKind = 'id' | 'text' | 'amount' | 'percentage' | 'date' | 'display';

/** The start of an invoice date in a file. Another year than 2000 to 2100 is a typing error. */
export const INVOICE_YEAR = /^(?:20\d\d|2100)-/;

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

/** The options about the style of a file. Without them, the cells of the file determine the style. */
export interface StyleOptions {
  readonly decimal?: DecimalSign | undefined;
  readonly dates?: (typeof DATE_ORDERS)[number] | undefined;
}

/** The style in which a file writes amounts and dates as text. */
export interface Style extends StyleOptions {
  readonly allowsDecimalComma: boolean;
  /** The decimal marks of amounts: the chosen mark, or else the marks that the file uses. */
  readonly marks: readonly (',' | '.')[];
  /** An amount such as 1.050,00, which proves that points separate thousands. */
  readonly proof?: { readonly line: number; readonly text: string } | undefined;
  /** True if some thousands have no point, as in 1050,5; then 1.050 is ambiguous. */
  readonly isMixed: boolean;
}

// A number without marks between thousands: 1050, -3.5, 640,50.
const PLAIN_NUMBER = /^-?\d+(?:[.,]\d+)?$/;
// A number with a decimal comma, and perhaps points between thousands: 1.050,00, 1.050, 1050,5.
const COMMA_NUMBER = /^-?(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+)(?:,\d+)?$/;
// A number whose points can only separate thousands: 1.050,00, 1.050.000.
const THOUSANDS_PROOF = /^-?[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/;
// A number whose mark can separate thousands or decimals: 1.050, 01,050.
const THOUSANDS_OR_DECIMALS = /^-?(?:0+\d{1,3}|[1-9]\d{0,2})[.,]\d{3}$/;
// A number with an exponent: 1,05E+12.
const EXPONENT = /^[-+]?[\d.,]+e[-+]?\d+$/i;
// Four digits without a mark between thousands, as in 1050,5.
const FOUR_DIGITS = /^\d{4}/;
// Digits with any marks: 1.050,00, 1,2.3.
const DIGITS_AND_MARKS = /^-?\d[\d.,]*$/;
// A number that can be a percentage as a fraction: 0.21 in a cell that shows 21 %.
const FRACTION = /^(?:0\.\d+|1)$/;
// A date without its year first, perhaps with a time: 24/08/2026, 24-8-2026 9:30.
const DAY_OR_MONTH_FIRST =
  /^(?<first>\d{1,2})(?<mark>[/.-])(?<second>\d{1,2})\k<mark>(?<year>\d{4})(?:[ T](?<hour>\d{1,2})(?<minutes>:\d{2}(?::\d{2})?))?$/;
// The day of a date with its year first: 2026/08/24, 20260824, 2026-08-24 00:00:00.
const YEAR_FIRST = /^(?<year>\d{4})(?<mark>[/.-]?)(?<month>\d\d)\k<mark>(?<day>\d\d)(?=$|[ T])/;

/** Finds the style of a file from all its cells, because one amount or date can prove how another is meant. */
export function findStyle(
  kinds: readonly (FieldKind | null)[],
  rows: readonly SourceRow[],
  { decimal, dates, allowsDecimalComma }: StyleOptions & Pick<Style, 'allowsDecimalComma'>,
): Style {
  const listTexts = (kind: FieldKind) =>
    rows.flatMap(({ line, cells }) =>
      cells.flatMap((text, index) => (typeof text === 'string' && kinds[index] === kind ? [{ line, text }] : [])),
    );
  const amounts = listTexts('amount').map(({ line, text }) => ({ line, text: removeCurrency(text) }));
  const needsProof = allowsDecimalComma && !decimal;
  const proof = needsProof ? amounts.find(({ text }) => THOUSANDS_PROOF.test(text)) : undefined;
  const possibleMarks = proof ? ([','] as const) : ([',', '.'] as const);
  const usedMarks = possibleMarks.filter((mark) =>
    amounts.some(({ text }) => text.includes(mark) && !THOUSANDS_OR_DECIMALS.test(text)),
  );
  const chosenMark = decimal === 'comma' ? ',' : '.';
  return {
    decimal,
    allowsDecimalComma,
    marks: decimal ? [chosenMark] : usedMarks,
    proof,
    isMixed: amounts.some(({ text }) => FOUR_DIGITS.test(text)),
    dates: dates ?? findDateOrder(listTexts('date').map(({ text }) => text.trim())),
  };
}

function findDateOrder(dates: readonly string[]): 'dmy' | undefined {
  const dateParts = dates.map((text) => DAY_OR_MONTH_FIRST.exec(text)?.groups);
  const hasDayFirst = dateParts.some((parts) => Number(parts?.['first']) > 12);
  const hasMonthFirst = dateParts.some((parts) => Number(parts?.['second']) > 12);
  return hasDayFirst && !hasMonthFirst ? 'dmy' : undefined;
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
  if (kind === 'date') return readDate(text, style);
  return readNumber(removePercentSign(text), style);
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
  const shownText = format === '' ? value : formatNumber(value, format);
  if (shownText.endsWith('%')) return { value: removePercentSign(shownText) };
  if (!FRACTION.test(value)) return { value };
  const percent = String(Number((Number(value) * 100).toPrecision(12)));
  return { error: texts.ambiguous(`${percent}%`, `${value}%`) };
}

/** Reads a number as an id or a text, which must show the digits that the workbook contains. */
function readDigitsCell({ value, hasAllDigits, format = '' }: TypedCell): Reading {
  if (!hasAllDigits) return { error: texts.otherType.digits };
  const shownText = format === '' ? value : formatNumber(value, format);
  return shownText === value ? { value } : { error: texts.shownOtherwise(shorten(shownText), value) };
}

/** Reads an amount exactly. An ambiguous text is an error, and a text that is not a number is returned unchanged. */
function readAmount(text: string, style: Style): Reading {
  const { decimal, proof, isMixed } = style;
  const number = removeCurrency(text);
  if (decimal === 'comma') {
    if (!COMMA_NUMBER.test(number)) return { error: texts.commaWanted };
    return { value: number.replaceAll('.', '').replace(',', '.') };
  }
  if (decimal === 'point') {
    return hasDecimalComma(number) ? { error: texts.pointWanted, hint: 'decimal' } : { value: number };
  }
  if (!proof || !DIGITS_AND_MARKS.test(number)) return readNumber(number, style);
  if (!COMMA_NUMBER.test(number)) return { error: texts.otherStyle(shorten(proof.text), proof.line) };
  const isAmbiguous = isMixed && THOUSANDS_OR_DECIMALS.test(number);
  return readNumber(isAmbiguous ? number : number.replaceAll('.', ''), style);
}

const hasDecimalComma = (text: string) => text.includes(',') && COMMA_NUMBER.test(text);

/** Reads digits with at most one decimal mark. An ambiguous text such as 1.050 is an error. */
function readNumber(text: string, { allowsDecimalComma }: Style): Reading {
  if (EXPONENT.test(text)) return { error: texts.exponent };
  if (hasDecimalComma(text) && !allowsDecimalComma) return { error: texts.noComma, hint: 'decimal' };
  if (THOUSANDS_OR_DECIMALS.test(text)) {
    const whole = text.replace(/[.,]/, '');
    const decimal = allowsDecimalComma ? text.replace('.', ',') : text;
    return { error: texts.ambiguous(whole, `${decimal}0`), hint: 'decimal' };
  }
  return { value: PLAIN_NUMBER.test(text) ? text.replace(',', '.') : text };
}

/** Reads a date as ISO 8601. An ambiguous date is an error, and a text that is not a date is returned unchanged. */
function readDate(text: string, { dates }: Style): Reading {
  const hyphenatedText = text.replace(YEAR_FIRST, '$<year>-$<month>-$<day>');
  const isoText = hyphenatedText.replace(/ 00:00:00$/, '').replace(' ', 'T');
  if (isIsoDate(isoText)) return { value: isoText };
  const parts = DAY_OR_MONTH_FIRST.exec(text)?.groups;
  if (!parts || dates === 'iso') return { value: text };
  const { first = '', second = '', year, hour, minutes } = parts;
  const buildDay = (month: string, day: string) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const withDayFirst = buildDay(second, first);
  const withMonthFirst = buildDay(first, second);
  const canBeMonthFirst = withMonthFirst !== withDayFirst && isIsoDate(withMonthFirst);
  if (!dates && canBeMonthFirst) {
    // No date proves the order month/day/year. Only the option selects it.
    if (!isIsoDate(withDayFirst)) return { value: text };
    return { error: texts.ambiguous(withDayFirst, withMonthFirst), hint: 'dates' };
  }
  const day = dates === 'mdy' ? withMonthFirst : withDayFirst;
  return { value: hour === undefined ? day : `${day}T${hour.padStart(2, '0')}${minutes}` };
}

/** Returns the text of a cell, even of an unreadable one. */
export const toText = (cell: Cell) => (typeof cell === 'string' ? cell : cell.value);

/** Shortens a text so that an error is one line. */
export const shorten = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

const removeCurrency = (text: string) => text.replace(/^\$\s*/, '');

const removePercentSign = (text: string) => (text.endsWith('%') ? text.slice(0, -1).trimEnd() : text);
