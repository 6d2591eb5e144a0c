import type { Big } from 'big.js';

/** The characters with which a CSV is written. */
export interface CsvDialect {
  /** The BOM at the start of the file, or an empty text. */
  readonly bom: string;
  readonly separator: string;
  readonly decimalSign: string;
  readonly lineEnd: string;
  /** True if a text that Excel would change to another number or date is protected. */
  readonly protectsNumbers: boolean;
}

/** A text or a number; null is an empty cell. */
export type CsvCell = string | Big | null;

/** The dialects: `csv` for programs; `excel` to open a file in Excel in a country where decimals have a comma. */
export const CSV_DIALECTS = {
  csv: { bom: '', separator: ',', decimalSign: '.', lineEnd: '\n', protectsNumbers: false },
  excel: { bom: '\ufeff', separator: ';', decimalSign: ',', lineEnd: '\r\n', protectsNumbers: true },
} as const satisfies Record<string, CsvDialect>;

// The position before a formula such as `=1+1`. A program may split a line at other separators than the file has, and
// ignore its quotes. So a formula can begin after any separator, and after quotes and apostrophes.
const FORMULA = String.raw`(?<=^|[,;\t\r\n])(?=['"\s]*[=+\-@＝＋－＠]|['"]*[\t\r])`;
// Excel changes these to another number, or to a date: 007, over 11 digits, 1-2, 24/8/2026, 1E5.
const NUMBER = String.raw`(?!\d{4}-\d\d-\d\d$)(?:0\d+|\d{12,}|\d{1,4}(?:[-/]\d{1,4}){1,2}|\d+[eE]\d+)$`;

// The positions at which an apostrophe is inserted when a text is written. If a text has an apostrophe before a number,
// a second apostrophe is inserted, because `unescapeCsvText` removes one in every dialect.
const FORMULA_POSITIONS = new RegExp(`${FORMULA}|^(?='+${NUMBER})`, 'gu');
const FORMULA_AND_NUMBER_POSITIONS = new RegExp(`${FORMULA}|^(?='*${NUMBER})`, 'gu');
const INSERTED_APOSTROPHE = new RegExp(`(?:${FORMULA}|^(?='+${NUMBER}))'`, 'gu');

/**
 * Writes a line of a CSV. No part of a text can become a formula: an apostrophe precedes it, which `unescapeCsvText`
 * removes.
 *
 * @example
 * formatCsvLine(['9001', '=1+1', 'a, -b', new Big('-1050.5')], CSV_DIALECTS.csv); // 9001,'=1+1,"a,' -b",-1050.5
 */
export function formatCsvLine(cells: readonly CsvCell[], dialect: CsvDialect): string {
  const { separator, decimalSign, lineEnd, protectsNumbers } = dialect;
  const unsafePositions = protectsNumbers ? FORMULA_AND_NUMBER_POSITIONS : FORMULA_POSITIONS;
  const texts = cells.map((cell) => {
    if (cell === null) return '';
    const isText = typeof cell === 'string';
    const text = isText ? cell.replaceAll(unsafePositions, "'") : cell.toFixed().replace('.', decimalSign);
    return text.includes(separator) || /["\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return texts.join(separator) + lineEnd;
}

/** Returns a text as it was before `formatCsvLine` wrote it, in either dialect. */
export function unescapeCsvText(text: string): string {
  return text.replaceAll(INSERTED_APOSTROPHE, '');
}
