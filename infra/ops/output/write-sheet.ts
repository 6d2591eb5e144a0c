import { extname } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { CSV_DIALECTS, type CsvCell, formatCsvLine } from '../../../lib/client/spreadsheets/write-csv.ts';
import { rebatchPages } from '../../../lib/runtime/pages.ts';
import type { Text } from '../../../lib/domain/language.ts';
import { toPrintable } from '../../../lib/runtime/printable.ts';
import type { CommonOptions } from '../command.ts';
import { formatDecimal, translate } from '../texts/language.ts';
import { OperatorError } from '../operator-errors.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { outOption } from './out-file.ts';
import type { ListView, Output } from './output.ts';
import { type ColumnFormat, writeWorkbook } from '../../../lib/client/spreadsheets/write-workbook.ts';

/** A column of a list. Sheets contain all columns, tables only those with a title. */
export interface ListColumn<Entry> extends ColumnFormat {
  readonly title?: Text;
  readonly toCell: (entry: Entry) => CsvCell;
}

interface List<Entry> extends ListView<Entry> {
  readonly name: string;
  /** The columns by their headings in a sheet. */
  readonly columns: Readonly<Record<string, ListColumn<Entry>>>;
}

export function defineList<Entry>(
  name: string,
  columns: Readonly<Record<string, ListColumn<Entry>>>,
  toDocument: (entry: Entry) => object,
): List<Entry> {
  const tableColumns = Object.values(columns).filter(({ title }) => title !== undefined);
  const toText = (cell: CsvCell) => (typeof cell === 'string' ? cell : cell ? formatDecimal(cell) : '-');
  return {
    name,
    columns,
    get header() {
      return tableColumns.map(({ title }) => (title ? translate(title) : ''));
    },
    toRow: (entry) => tableColumns.map(({ toCell }) => toText(toCell(entry))),
    toDocument,
  };
}

// The number of entries that are printed together. Each page of a table computes its column widths, so that a large
// page keeps the columns aligned.
const PAGE_ENTRIES = 1000;
/**
 * The maximum number of rows of a workbook. A workbook is built in memory, and other programs also read it as a whole.
 */
export const MAX_WORKBOOK_ROWS = 50_000;

/**
 * Prints a list. A CSV is written page by page, a workbook at the end. Without a format, the output is a table, or with
 * --json a document that ends with the properties of `end`. Throws an OperatorError if there are too many rows for a
 * workbook.
 */
export async function printList<Entry>(
  output: Output,
  pages: AsyncIterable<readonly Entry[]>,
  list: List<Entry>,
  { tenant, format, end }: { tenant: string; format: SheetFormat; end?: () => object },
): Promise<void> {
  const { name, columns } = list;
  const largePages = rebatchPages(pages, PAGE_ENTRIES);
  if (!format) return output.list({ tenant }, name.toLowerCase(), largePages, { ...list, end });

  // A file contains every text as it is stored, so that it can be imported again. The word `null` gets an apostrophe.
  const toFileText = (text: string) => (output.isFile ? text : toPrintable(text)).replace(/^(?='*null$)/, "'");
  const toFileCell = (cell: CsvCell) => (typeof cell === 'string' ? toFileText(cell) : cell);
  const toCells = (entry: Entry) => Object.values(columns).map(({ toCell }) => toFileCell(toCell(entry)));
  if (format === 'csv') {
    const toLine = (cells: readonly CsvCell[]) => formatCsvLine(cells, CSV_DIALECTS.csv);
    output.write(toLine(Object.keys(columns)));
    for await (const page of largePages) {
      output.write(page.map((entry) => toLine(toCells(entry))).join(''));
      if (!(await output.canContinue())) return;
    }
    return;
  }
  const rows: (readonly CsvCell[])[] = [];
  for await (const page of largePages) {
    for (const entry of page) rows.push(toCells(entry));
    if (rows.length > MAX_WORKBOOK_ROWS) throw new OperatorError(translate(opsTexts.tooManyRows(MAX_WORKBOOK_ROWS)));
  }
  output.write(await writeWorkbook(name, columns, rows));
}

export const csvOption = new Option('--csv', 'write a CSV with commas and decimal points').conflicts('json');

export const sheetOutOption = new Option(
  '--out <file>',
  `${outOption.description}; the extension .xlsx writes a workbook, .csv a CSV`,
);

type SheetFormat = 'csv' | 'xlsx' | null;

/** Returns the format of a sheet; null: no sheet. Throws an OperatorError if --csv or --json contradicts --out. */
export function findSheetFormat({ csv, json, out = '' }: CommonOptions & { csv?: true }): SheetFormat {
  const ending = extname(out).toLowerCase();
  if (ending !== '.xlsx') return csv || (ending === '.csv' && !json) ? 'csv' : null;
  if (csv || json) throw new OperatorError(translate(opsTexts.workbookWithOption(out, csv ? '--csv' : '--json')));
  return 'xlsx';
}
