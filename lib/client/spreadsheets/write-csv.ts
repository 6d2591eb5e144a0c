import type { Big } from 'big.js';

export interface CsvDialect {
  /** The start of the file: a BOM, or nothing. */
  readonly mark: string;
  readonly separator: string;
  readonly decimalSign: string;
  readonly lineEnd: string;
  /** True if a text that Excel would change to another number or date is protected. */
  readonly protectsNumbers: boolean;
}

/** A text or a number; null is an empty cell. */
export type CsvCell = string | Big | null;

/** The dialects: `csv` for programs; `excel` for a double click where decimals have a comma. */
export const CSV_DIALECTS = {
  csv: { mark: '', separator: ',', decimalSign: '.', lineEnd: '\n', protectsNumbers: false },
  excel: { mark: '\ufeff', separator: ';', decimalSign: ',', lineEnd: '\r\n', protectsNumbers: true },
} as const satisfies Record<string, CsvDialect>;

// A program may split a line at other separators than the file has, and ignore its quotes. So every part of a text
// counts, and the quotes and apostrophes before a formula do not.
const FORMULA = String.raw`(?<=^|[,;\t\r\n])(?=['"\s]*[=+\-@＝＋－＠]|['"]*[\t\r])`;
// Excel changes these to another number, or to a date: 007, over 11 digits, 1-2, 24/8/2026, 1E5.
const NUMBER = String.raw`(?!\d{4}-\d\d-\d\d$)(?:0\d+|\d{12,}|\d{1,4}(?:[-/]\d{1,4}){1,2}|\d+[eE]\d+)$`;

/** The positions of a text at which an apostrophe is inserted when it is written. */
const UNSAFE = {
  // An apostrophe of the text itself needs another one, because `unescapeCsvText` removes one in every dialect.
  formulas: new RegExp(`${FORMULA}|^(?='+${NUMBER})`, 'gu'),
  numbersToo: new RegExp(`${FORMULA}|^(?='*${NUMBER})`, 'gu'),
};
const APOSTROPHE_BEFORE_FORMULA = new RegExp(`(?:${FORMULA}|^(?='+${NUMBER}))'`, 'gu');

/**
 * Writes a line of a CSV. No part of a text can become a formula: an apostrophe precedes it, which `unescapeCsvText`
 * removes.
 *
 * @example
 * csvLine(['9001', '=1+1', 'a, -b', new Big('-1050.5')], CSV_DIALECTS.csv); // 9001,'=1+1,"a,' -b",-1050.5
 */
export function csvLine(cells: readonly CsvCell[], dialect: CsvDialect): string {
  const { separator, decimalSign, lineEnd, protectsNumbers } = dialect;
  const unsafe = protectsNumbers ? UNSAFE.numbersToo : UNSAFE.formulas;
  const texts = cells.map((cell) => {
    if (cell === null) return '';
    const text = typeof cell === 'string' ? cell.replaceAll(unsafe, "'") : cell.toFixed().replace('.', decimalSign);
    return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return texts.join(separator) + lineEnd;
}

/** Returns a text as it was before `csvLine` wrote it, in either dialect. */
export function unescapeCsvText(text: string): string {
  return text.replaceAll(APOSTROPHE_BEFORE_FORMULA, '');
}
