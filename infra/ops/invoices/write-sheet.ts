import { OperatorError } from '../../../lib/admin/operator-error.ts';
import { CSV_DIALECTS, type CsvCell, csvLine } from '../../../lib/spreadsheets/write-csv.ts';
import { MAX_WORKBOOK_ROWS, type WorkbookColumn, writeWorkbook } from '../../../lib/spreadsheets/write-workbook.ts';
import { printable } from '../../printable.ts';
import type { Output } from '../output.ts';
import type { SheetFormat } from '../sheet-format.ts';

/** A sheet with a row for each entry. */
export interface Sheet<Entry> {
  readonly name: string;
  readonly columns: readonly WorkbookColumn[];
  readonly toCells: (entry: Entry) => readonly CsvCell[];
}

// The columns of all sheets that are not texts.
const KINDS: Readonly<Record<string, WorkbookColumn['kind']>> = {
  system_amount: 'amount',
  declared_amount: 'amount',
  difference: 'amount',
  tolerance_abs: 'amount',
  declared_tax_pct: 'percentage',
  difference_pct: 'percentage',
  tolerance_pct: 'percentage',
  invoice_date: 'date',
  provider_invoice_date: 'date',
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
  format: SheetFormat,
): Promise<void> {
  const toLine = (cells: readonly CsvCell[]) => csvLine(cells, CSV_DIALECTS.csv);
  // A file keeps every text as it is stored, so that it can be imported again.
  const toCell = output.isFile ? (cell: CsvCell) => cell : toPrintable;
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

/** Returns a text on one line, and without characters that a terminal obeys. */
const toPrintable = (cell: CsvCell): CsvCell => (typeof cell === 'string' ? printable(cell) : cell);
