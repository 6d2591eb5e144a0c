import type { Big } from 'big.js';

/** The characters with which a CSV is written. */
export interface CsvDialect {
  /** The BOM at the start of the file, or an empty string. */
  readonly bom: string;
  readonly separator: string;
  readonly decimalSign: string;
  readonly lineEnd: string;
  /** True if a text that Excel would change to another number or date is protected. */
  readonly protectsNumbers: boolean;
}

/** A string or a number; null is an empty cell. */
export type CsvCell = string | Big | null;

/** The dialects: `csv` for programs; `excel` to open a file in Excel in a country where decimals have a comma. */
export const CSV_DIALECTS = {
  csv: { bom: '', separator: ',', decimalSign: '.', lineEnd: '\n', protectsNumbers: false },
  excel: { bom: '\ufeff', separator: ';', decimalSign: ',', lineEnd: '\r\n', protectsNumbers: true },
} as const satisfies Record<string, CsvDialect>;

// A program may split a line at other separators than the file has, and ignore its quotes. So a formula can begin after
// any separator, and after quotes and apostrophes.
const CELL_START = String.raw`(?<=^|[,;\t\r\n])`;
const FORMULA = String.raw`['"\s]*[=+\-@＝＋－＠]`; // =1+1, "=1+1, ' -1
const CONTROL_CHARACTER = String.raw`['"]*[\t\r]`; // a tab, which a program can remove before it reads a formula
const FORMULA_POSITION = `${CELL_START}(?=${FORMULA}|${CONTROL_CHARACTER})`;

const DAY = String.raw`\d{4}-\d\d-\d\d`; // 2026-08-24, which Excel does not change
// The texts that Excel changes to another number, or to a date.
const CHANGED_TEXTS = [
  String.raw`0\d+`, // 007
  String.raw`\d{12,}`, // 1795243070161803765
  String.raw`\d{1,4}(?:[-/]\d{1,4}){1,2}`, // 1-2, 24/8/2026
  String.raw`\d+[eE]\d+`, // 1E5
];
const CHANGED_TEXT = `(?!${DAY}$)(?:${CHANGED_TEXTS.join('|')})$`;
const NUMBER_POSITION = `^(?='*${CHANGED_TEXT})`; // 007, '007
const ESCAPED_NUMBER_POSITION = `^(?='+${CHANGED_TEXT})`; // '007

// The positions at which an apostrophe is inserted. `unescapeCsvText` removes it without knowing the dialect. Therefore
// a text that already has an apostrophe before a number gets a second one in every dialect:
//   text   csv     excel
//   =1+1   '=1+1   '=1+1
//   007    007     '007
//   '007   ''007   ''007
const CSV_POSITIONS = new RegExp(`${FORMULA_POSITION}|${ESCAPED_NUMBER_POSITION}`, 'gu');
const EXCEL_POSITIONS = new RegExp(`${FORMULA_POSITION}|${NUMBER_POSITION}`, 'gu');
const INSERTED_APOSTROPHE = new RegExp(`(?:${FORMULA_POSITION}|${ESCAPED_NUMBER_POSITION})'`, 'gu');

/**
 * Formats a line of a CSV. Inserts an apostrophe before each part of a text that a program could read as a formula;
 * `unescapeCsvText` removes the apostrophes.
 *
 * @example
 * formatCsvLine(['9001', '=1+1', 'a, -b', new Big('-1050.5')], CSV_DIALECTS.csv); // 9001,'=1+1,"a,' -b",-1050.5
 */
export function formatCsvLine(cells: readonly CsvCell[], dialect: CsvDialect): string {
  const texts = cells.map((cell) => quoteIfNeeded(formatCell(cell, dialect), dialect.separator));
  return texts.join(dialect.separator) + dialect.lineEnd;
}

function formatCell(cell: CsvCell, { decimalSign, protectsNumbers }: CsvDialect): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return cell.toFixed().replace('.', decimalSign);
  return cell.replaceAll(protectsNumbers ? EXCEL_POSITIONS : CSV_POSITIONS, "'");
}

function quoteIfNeeded(text: string, separator: string): string {
  const needsQuotes = text.includes(separator) || /["\r\n]|^\s|\s$/.test(text);
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a text as it was before `formatCsvLine` wrote it, in either dialect. */
export function unescapeCsvText(text: string): string {
  return text.replaceAll(INSERTED_APOSTROPHE, '');
}
