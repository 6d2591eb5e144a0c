import type { Big } from 'big.js';

/** A string or a number; null is an empty cell. */
export type CsvCell = string | Big | null;

// A program may split a line at other separators than commas, and ignore its quotes. So a formula can begin after any
// separator, and after quotes and apostrophes.
const CELL_START = String.raw`(?<=^|[,;\t\r\n])`;
const FORMULA = String.raw`['"\s]*[=+\-@＝＋－＠]`; // =1+1, "=1+1, ' -1
const CONTROL_CHARACTER = String.raw`['"]*[\t\r]`; // a tab, which a program can remove before it reads a formula
const FORMULA_START = `${CELL_START}(?=${FORMULA}|${CONTROL_CHARACTER})`;
const FORMULA_STARTS = new RegExp(FORMULA_START, 'gu');
const ESCAPED_FORMULA_STARTS = new RegExp(`${FORMULA_START}'`, 'gu');

/**
 * Formats a line of a CSV for programs, with commas and decimal points. Inserts an apostrophe before each part of a text
 * that a program could read as a formula; `unescapeCsvText` removes the apostrophes.
 *
 * @example
 * formatCsvLine(['9001', '=1+1', 'a, -b', new Big('-1050.5')]); // 9001,'=1+1,"a,' -b",-1050.5
 */
export function formatCsvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(formatCell).join(',')}\n`;
}

function formatCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return cell.toFixed();
  const text = cell.replaceAll(FORMULA_STARTS, "'");
  const needsQuotes = /[",\r\n]|^\s|\s$/.test(text);
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns a text as it was before `formatCsvLine` wrote it. */
export function unescapeCsvText(text: string): string {
  return text.replaceAll(ESCAPED_FORMULA_STARTS, '');
}
