import { isIsoDate } from '../../domain/iso-date.ts';
import type { Reading, UnreadableCell } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** The names of the decimal marks. */
export const DECIMAL_SIGNS = ['comma', 'point'] as const;
export type DecimalSign = (typeof DECIMAL_SIGNS)[number];

/** The kind of a field's values; `display`: the cell is only shown to people, so no content of it is an error. */
export type FieldKind = 'text' | 'amount' | 'percentage' | 'date' | 'display';

/** A cell of a workbook that is not a text: an exact number, a date of ISO 8601, or TRUE or FALSE. */
export interface TypedCell {
  readonly type: 'number' | 'date' | 'boolean';
  readonly value: string;
  /** A number as it is written in the file. */
  readonly written?: string;
}

/** A row of a file before its fields are read; the first line is 1. */
export interface SourceRow {
  readonly line: number;
  readonly cells: readonly (string | TypedCell | UnreadableCell)[];
  /** True if cells at the end of the row may be missing, because they are empty. */
  readonly mayBeShort: boolean;
}

/** Returns the text of a cell, also of an unreadable one. */
export const toText = (cell: SourceRow['cells'][number]) => (typeof cell === 'string' ? cell : cell.value);

/** The options about the style of a file; without them, its cells determine the style. */
export interface StyleOptions {
  readonly decimal?: DecimalSign | undefined;
  readonly dayFirst?: boolean | undefined;
}

/** The style in which a file writes amounts and dates as text. */
export interface Style extends StyleOptions {
  /** True if decimals may have a comma. */
  readonly mayHaveComma: boolean;
  /** The decimal marks in the amounts of the file. */
  readonly marks: readonly (',' | '.')[];
  /** An amount such as 1.050,00, which proves that points separate thousands. */
  readonly proof?: { readonly line: number; readonly text: string } | undefined;
  /** True if some thousands have no point, as in 1050,5; then 1.050 is ambiguous. */
  readonly isMixed: boolean;
}

const PLAIN = /^-?\d+(?:[.,]\d+)?$/;
const WITH_COMMA = /^-?(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+)(?:,\d+)?$/;
const PROOF = /^-?[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/;
const THOUSANDS_OR_DECIMALS = /^-?(?:0+\d{1,3}|[1-9]\d{0,2})[.,]\d{3}$/;
const EXPONENT = /^[-+]?[\d.,]+e[-+]?\d+$/i;
// A percentage of a workbook is a fraction: 0.21 in a cell that shows 21 %.
const FRACTION = /^(?:0\.\d+|1)$/;
/** A decimal with few enough digits that a spreadsheet keeps all of them. */
const SHORT_DECIMAL = /^-?(?=[\d.]{3,16}$)\d+\.\d+$/;
/** A date without its year first, perhaps with a time: `24/08/2026`, `24-8-2026 9:30`. */
const DAY_OR_MONTH_FIRST = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:[ T](\d{1,2})(:\d{2}(?::\d{2})?))?$/;

/** Finds the style of a file from all its cells, because one amount or date can prove how another is meant. */
export function findStyle(
  kinds: readonly (FieldKind | null)[],
  rows: readonly SourceRow[],
  { decimal, dayFirst, mayHaveComma }: StyleOptions & Pick<Style, 'mayHaveComma'>,
): Style {
  const findTexts = (kind: FieldKind) =>
    rows.flatMap(({ line, cells }) =>
      cells.flatMap((text, index) => (typeof text === 'string' && kinds[index] === kind ? [{ line, text }] : [])),
    );
  const amounts = findTexts('amount').map(({ line, text }) => ({ line, text: removeCurrency(text) }));
  const proof = mayHaveComma ? amounts.find(({ text }) => PROOF.test(text)) : undefined;
  const shown = (proof ? ([','] as const) : ([',', '.'] as const)).filter((mark) =>
    amounts.some(({ text }) => text.includes(mark) && !THOUSANDS_OR_DECIMALS.test(text)),
  );
  const chosen = decimal === 'comma' ? (',' as const) : ('.' as const);
  const dates = findTexts('date').map(({ text }) => DAY_OR_MONTH_FIRST.exec(text.trim()));
  const isOver12 = (group: number) => dates.some((parts) => Number(parts?.[group]) > 12);
  return {
    ...{ decimal, mayHaveComma, proof, marks: decimal ? [chosen] : shown },
    isMixed: amounts.some(({ text }) => /^\d{4}/.test(text)),
    dayFirst: dayFirst ?? (isOver12(1) && !isOver12(3)),
  };
}

/** Reads a cell as a value of its field. A typed cell needs no style, and is an error in a field of another type. */
export function readCell(cell: SourceRow['cells'][number], kind: FieldKind, style: Style): Reading {
  if (kind === 'display') return { value: toText(cell) };
  if (typeof cell !== 'string') return 'fault' in cell ? cell : readTyped(cell, kind);
  if (kind === 'text') return { value: cell };
  const text = cell.trim();
  if (kind === 'amount') return readAmount(text, style);
  if (kind === 'date') return readDate(text, style);
  return readNumber(text.endsWith('%') ? text.slice(0, -1).trimEnd() : text, style);
}

function readTyped({ type, value, written }: TypedCell, kind: FieldKind): Reading {
  if (type === 'boolean') return { fault: texts.otherType.boolean };
  if (type === 'date') return kind === 'date' ? { value } : { fault: texts.otherType.date };
  if (kind === 'date') return { fault: texts.otherType.number };
  if (kind === 'percentage' && FRACTION.test(value)) {
    const percent = String(Number((Number(value) * 100).toPrecision(12)));
    return { fault: texts.ambiguous(value, `${percent}%`, `${value}%`) };
  }
  const isExactText = written === value && (Number.isSafeInteger(Number(value)) || SHORT_DECIMAL.test(value));
  return kind === 'text' && !isExactText ? { fault: texts.otherType.digits } : { value };
}

/** Reads an amount exactly; an ambiguous text is an error, and a text that is not a number is returned unchanged. */
function readAmount(text: string, style: Style): Reading {
  const { decimal, proof, isMixed } = style;
  const isWithComma = WITH_COMMA.test(text);
  if (decimal === 'comma') {
    return isWithComma ? { value: text.replaceAll('.', '').replace(',', '.') } : { fault: texts.commaWanted };
  }
  if (decimal === 'point') {
    return isWithComma && text.includes(',') ? { fault: texts.pointWanted, hint: 'decimal' } : { value: text };
  }
  const number = removeCurrency(text);
  if (!proof || !/^-?\d[\d.,]*$/.test(number)) return readNumber(number, style);
  if (!WITH_COMMA.test(number)) {
    return { fault: texts.otherStyle(shorten(number), { ...proof, text: shorten(proof.text) }) };
  }
  const isUncertain = isMixed && THOUSANDS_OR_DECIMALS.test(number);
  return readNumber(isUncertain ? number : number.replaceAll('.', ''), style);
}

/** Reads digits with at most one decimal mark; an ambiguous text such as 1.050 is an error. */
function readNumber(text: string, { mayHaveComma }: Style): Reading {
  if (EXPONENT.test(text)) return { fault: texts.exponent };
  if (!mayHaveComma && text.includes(',') && WITH_COMMA.test(text)) return { fault: texts.noComma, hint: 'decimal' };
  if (THOUSANDS_OR_DECIMALS.test(text)) {
    const decimal = `${mayHaveComma ? text.replace('.', ',') : text}0`;
    return { fault: texts.ambiguous(text, text.replace(/[.,]/, ''), decimal), hint: 'decimal' };
  }
  return { value: PLAIN.test(text) ? text.replace(',', '.') : text };
}

/** Reads a date as ISO 8601; an ambiguous date is an error, and a text that is not a date is returned unchanged. */
function readDate(text: string, { dayFirst }: Style): Reading {
  const [, first = '', , second = '', year, hour, minutes] = DAY_OR_MONTH_FIRST.exec(text) ?? [];
  if (year === undefined) return { value: text };
  const toIsoDate = (month: string, day: string) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const [day, other] = [toIsoDate(second, first), toIsoDate(first, second)];
  if (!dayFirst && other !== day && isIsoDate(other)) {
    // A file with the month first must be converted: no option reads it.
    return isIsoDate(day) ? { fault: texts.ambiguous(text, day, other), hint: 'dates' } : { value: text };
  }
  return { value: hour === undefined ? day : `${day}T${hour.padStart(2, '0')}${minutes}` };
}

/** Shortens a text that is too long for an amount, so that an error is one line. */
const shorten = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** Removes the currency sign that formats of spreadsheets add. */
const removeCurrency = (text: string) => text.replace(/^\$\s*/, '');
