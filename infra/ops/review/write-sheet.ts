import { extname } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { OperatorError } from '../errors.ts';
import { DECISIONS } from '../../../lib/domain/invoice-states.ts';
import { CSV_DIALECTS, type CsvCell, csvLine } from '../../../lib/client/spreadsheets/write-csv.ts';
import { MAX_WORKBOOK_ROWS, type WorkbookColumn, writeWorkbook } from './write-workbook.ts';
import { printable } from '../../../lib/runtime/printable.ts';
import { outOption } from '../out-file.ts';
import type { CommonOptions } from '../command.ts';
import type { ListView, Output } from '../output.ts';

/** A list of entries: its columns, and the conversion of an entry to JSON. */
export interface List<Entry> {
  readonly name: string;
  readonly columns: readonly Column<Entry>[];
  readonly toDocument: (entry: Entry) => object;
}

interface Column<Entry> extends WorkbookColumn {
  /** The heading in tables; tables omit a column without a title. */
  readonly title?: string;
  readonly toCell: ToCell<Entry>;
}

export type ToCell<Entry> = (entry: Entry) => CsvCell;

/** The display of the columns of all lists, by heading. A column that is not here is a text that only sheets contain. */
const DISPLAY: Readonly<Record<string, Partial<Omit<Column<never>, 'heading' | 'toCell'>>>> = {
  supplier_id: { title: 'supplier' },
  invoice_id: { title: 'invoice' },
  invoice_date: { title: 'date', kind: 'date' },
  provider_invoice_date: { kind: 'date' },
  revision: { title: 'revision' },
  system_amount: { title: 'system', kind: 'amount' },
  declared_amount: { title: 'declared', kind: 'amount' },
  declared_tax_pct: { title: 'tax %', kind: 'percentage' },
  difference: { title: 'difference', kind: 'amount' },
  difference_pct: { title: '%', kind: 'percentage' },
  tolerance_pct: { kind: 'percentage' },
  tolerance_abs: { kind: 'amount' },
  action: { title: 'action' },
  state_code: { title: 'state' },
  declared_at: { title: 'declared at', kind: 'date' },
  decision: { isEditable: true, choices: DECISIONS },
  reason: { isEditable: true, width: 40 },
};

export function toColumns<Entry>(cells: Readonly<Record<string, ToCell<Entry>>>): Column<Entry>[] {
  return Object.entries(cells).map(([heading, toCell]) => ({ kind: 'text', ...DISPLAY[heading], heading, toCell }));
}

/** Returns the view of a list as a table and as JSON. */
export function toView<Entry>({ columns, toDocument }: List<Entry>): ListView<Entry> {
  const shown = columns.filter(({ title }) => title !== undefined);
  const toText = (cell: CsvCell) => (typeof cell === 'object' ? (cell?.toFixed() ?? '-') : cell);
  return {
    header: shown.map(({ title = '' }) => title),
    toRow: (entry) => shown.map(({ toCell }) => toText(toCell(entry))),
    toDocument,
  };
}

/**
 * Prints a list in its format: a CSV page by page, a workbook at the end, JSON that ends with the properties of `end`, or
 * a table. Throws an OperatorError if there are too many rows for a workbook.
 */
export async function printList<Entry>(
  output: Output,
  pages: AsyncIterable<readonly Entry[]>,
  list: List<Entry>,
  { tenant, format, end }: { tenant: string; format: SheetFormat; end: () => object },
): Promise<void> {
  const { name, columns } = list;
  if (!format) return output.list({ tenant }, name.toLowerCase(), pages, { ...toView(list), end });
  const writeCsv = (rows: readonly (readonly CsvCell[])[]) => {
    if (format === 'csv') output.write(rows.map((cells) => csvLine(cells, CSV_DIALECTS.csv)).join(''));
  };
  // A file keeps every text as it is stored, so that it can be imported again.
  const toFileCell = (cell: CsvCell) => (typeof cell === 'string' && !output.isFile ? printable(cell) : cell);
  const rows: (readonly CsvCell[])[] = [];
  writeCsv([columns.map(({ heading }) => heading)]);
  for await (const page of pages) {
    const read = page.map((entry) => columns.map(({ toCell }) => toFileCell(toCell(entry))));
    writeCsv(read);
    if (!(await output.canContinue())) return;
    if (format === 'xlsx' && rows.push(...read) > MAX_WORKBOOK_ROWS) {
      throw new OperatorError(
        `--out: a workbook has at most ${MAX_WORKBOOK_ROWS} rows. Choose fewer by the other options, or write a .csv.`,
      );
    }
  }
  if (format === 'xlsx') output.write(await writeWorkbook(name, columns, rows));
}

export const csvOption = new Option('--csv', 'write a CSV with commas and decimal points').conflicts('json');

export const sheetOutOption = new Option(
  '--out <file>',
  `${outOption.description}; with the ending .xlsx a workbook for people, with .csv a CSV for programs`,
);

/** The options of a command that determine the format of its result. */
export type FormatOptions = Pick<CommonOptions, 'json' | 'out'> & { readonly csv?: true | undefined };

type SheetFormat = 'csv' | 'xlsx' | null;

/**
 * Finds the format of a sheet: by its option, or by the ending of --out; null if the result is not a sheet. Throws an
 * OperatorError if they contradict each other.
 */
export function findSheetFormat({ csv, json, out = '' }: FormatOptions): SheetFormat {
  const ending = extname(out).toLowerCase();
  if (ending === '.xlsx') {
    if (!csv && !json) return 'xlsx';
    const option = csv ? '--csv' : '--json';
    throw new OperatorError(`--out: ${out} is the name of a workbook. Omit ${option}, or use another ending.`);
  }
  return csv || (!json && ending === '.csv') ? 'csv' : null;
}
