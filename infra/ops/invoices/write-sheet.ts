import { extname } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { OperatorError } from '../../../lib/admin/operator-error.ts';
import type { ReviewedInvoice } from '../../../lib/admin/review/reviewed-invoices.ts';
import { SHEET, SHEET_COLUMNS, type SheetColumn } from '../../../lib/admin/review/sheet.ts';
import { INVOICE_FIELDS, isNumeric } from '../../../lib/domain/invoice-fields.ts';
import { DECISIONS } from '../../../lib/domain/invoice-states.ts';
import { CSV_DIALECTS, type CsvCell, csvLine } from '../../../lib/spreadsheets/write-csv.ts';
import { MAX_WORKBOOK_ROWS, type WorkbookColumn, writeWorkbook } from '../../../lib/spreadsheets/write-workbook.ts';
import { printable } from '../../../lib/runtime/printable.ts';
import { outOption } from '../out-file.ts';
import type { Output } from '../output.ts';

/** A sheet with a row for each entry. */
export interface Sheet<Entry> {
  readonly name: string;
  readonly columns: readonly WorkbookColumn[];
  readonly toCells: (entry: Entry) => readonly (CsvCell | boolean)[];
}

// The kinds of the columns of all sheets. The columns that are not here are texts.
const KINDS: Readonly<Record<string, WorkbookColumn['kind']>> = {
  ...Object.fromEntries(
    INVOICE_FIELDS.map(({ name, kind }) => [name, isNumeric(kind) || kind === 'date' ? kind : 'text']),
  ),
  tolerance_abs: 'amount',
  declared_tax_pct: 'percentage',
  tolerance_pct: 'percentage',
  declared_at: 'date',
};

/** Returns the column of a sheet with a heading. */
export function toColumn(heading: string): WorkbookColumn {
  return { heading, kind: KINDS[heading] ?? 'text' };
}

/**
 * Writes a sheet as the result of a command: a CSV page by page, a workbook at the end. Throws an OperatorError if there
 * are too many rows for a workbook.
 */
export async function writeSheet<Entry>(
  output: Output,
  pages: AsyncIterable<readonly Entry[]>,
  { name, columns, toCells }: Sheet<Entry>,
  format: 'csv' | 'xlsx',
): Promise<void> {
  const toLine = (cells: readonly CsvCell[]) => csvLine(cells, CSV_DIALECTS.csv);
  const toCell = (cell: CsvCell | boolean): CsvCell => {
    if (typeof cell === 'boolean') return String(cell);
    // A file keeps every text as it is stored, so that it can be imported again.
    return typeof cell === 'string' && !output.isFile ? printable(cell) : cell;
  };
  const rows: (readonly CsvCell[])[] = [];
  if (format === 'csv') output.write(toLine(columns.map(({ heading }) => heading)));
  for await (const page of pages) {
    const read = page.map((entry) => toCells(entry).map(toCell));
    if (format === 'csv') {
      output.write(read.map(toLine).join(''));
      if (!(await output.canContinue())) return;
    } else if (rows.push(...read) > MAX_WORKBOOK_ROWS) {
      throw new OperatorError(
        `--out: a workbook has at most ${MAX_WORKBOOK_ROWS} rows. Choose fewer by the other options, or write a .csv.`,
      );
    }
  }
  if (format === 'xlsx') output.write(await writeWorkbook(name, columns, rows));
}

// The columns that a reviewer fills in.
const EDITABLE: Readonly<Partial<Record<SheetColumn, Partial<WorkbookColumn>>>> = {
  decision: { isEditable: true, choices: DECISIONS },
  reason: { isEditable: true, width: 40 },
};

/** The sheet in which a company reviews invoices. */
export const INVOICE_SHEET: Sheet<ReviewedInvoice> = {
  name: 'Invoices',
  columns: SHEET_COLUMNS.map((column) => ({ ...toColumn(column), ...EDITABLE[column] })),
  toCells: (invoice) => SHEET_COLUMNS.map((column) => SHEET[column].toCell(invoice)),
};

/** The option --csv of a command whose result can be a sheet. */
export const csvOption = new Option('--csv', 'write a CSV with commas and decimal points').conflicts('json');

/** The option --out of a command whose result can be a sheet. */
export const sheetOutOption = new Option(
  '--out <file>',
  `${outOption.description}; with the ending .xlsx a workbook for people, with .csv a CSV for programs`,
);

/** The options of a command that decide the format of its result. */
export interface FormatOptions {
  readonly csv?: true | undefined;
  readonly json?: true | undefined;
  readonly out?: string | undefined;
}

/**
 * Finds the format of a sheet: by its option, or by the ending of --out; null if the result is not a sheet. Throws an
 * OperatorError if they contradict each other.
 */
export function findSheetFormat({ csv, json, out = '' }: FormatOptions): 'csv' | 'xlsx' | null {
  const ending = extname(out).toLowerCase();
  if (ending === '.xlsx') {
    if (!csv && !json) return 'xlsx';
    const option = csv ? '--csv' : '--json';
    throw new OperatorError(`--out: ${out} is the name of a workbook. Omit ${option}, or use another ending.`);
  }
  return csv || (!json && ending === '.csv') ? 'csv' : null;
}
