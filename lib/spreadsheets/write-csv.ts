import type { Big } from 'big.js';

/** How a CSV is written. */
export interface CsvDialect {
  /** What the file begins with. */
  readonly mark: string;
  readonly separator: string;
  readonly decimalSign: string;
  readonly lineEnd: string;
  /** What a text must not be, because a spreadsheet that opens the file would change it. */
  readonly unsafe: RegExp;
}

/** A text or a number; null is an empty cell. */
export type CsvCell = string | Big | null;

// Apostrophes may stand before either, so that those of a text itself can be told from the one that is put there.
const FORMULA = /^'*(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/u;
// Of these Excel makes another number, or a date that nobody meant: 007, over 11 digits, 1-2, 24/8/2026, 1E5.
const NUMBER = /(?!\d{4}-\d\d-\d\d$)(?:0\d+|\d{12,}|\d{1,4}(?:[-/]\d{1,4}){1,2}|\d+[eE]\d+)$/u;

/** The dialects: `csv` for programs; `excel` for a double click where decimals have a comma. */
export const CSV_DIALECTS = {
  csv: {
    mark: '',
    separator: ',',
    decimalSign: '.',
    lineEnd: '\n',
    unsafe: new RegExp(`${FORMULA.source}|^'+${NUMBER.source}`, 'u'),
  },
  excel: {
    mark: '\ufeff',
    separator: ';',
    decimalSign: ',',
    lineEnd: '\r\n',
    unsafe: new RegExp(`${FORMULA.source}|^'*${NUMBER.source}`, 'u'),
  },
} as const satisfies Record<string, CsvDialect>;

/** A line of a CSV. A text that a spreadsheet would change has an apostrophe before it: see `unshielded`. */
export function csvLine(cells: readonly CsvCell[], dialect: CsvDialect): string {
  const texts = cells.map((cell) => {
    if (cell === null) return '';
    if (typeof cell !== 'string') return cell.toFixed().replace('.', dialect.decimalSign);
    return dialect.unsafe.test(cell) ? `'${cell}` : cell;
  });
  return texts.map((text) => quoted(text, dialect)).join(dialect.separator) + dialect.lineEnd;
}

/** A text as it was before `csvLine` wrote it, in whichever dialect. */
export function unshielded(text: string): string {
  return text.startsWith("'") && CSV_DIALECTS.excel.unsafe.test(text) ? text.slice(1) : text;
}

function quoted(cell: string, { separator }: CsvDialect): string {
  return cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
