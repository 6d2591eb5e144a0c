import { extname } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import { type CsvCell, formatCsvLine } from '../../../lib/client/spreadsheets/write-csv.ts';
import { type ColumnFormat, writeWorkbook } from '../../../lib/client/spreadsheets/write-workbook.ts';
import type { Text } from '../../../lib/domain/language.ts';
import { rebatchPages } from '../../../lib/runtime/pages.ts';
import type { CommonOptions } from '../command.ts';
import { OperatorError } from '../operator-errors.ts';
import { formatDecimal, translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { outOption } from './out-file.ts';
import type { ListView, Output, Pages } from './output.ts';

export const sheetOutOption = new Option(
  '--out <file>',
  `${outOption.description}; with the extension .xlsx it becomes a workbook, with .csv a CSV`,
);

type SheetFormat = 'csv' | 'xlsx';

const SHEET_FORMATS: Readonly<Record<string, SheetFormat>> = { '.csv': 'csv', '.xlsx': 'xlsx' };

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

// Each page of a table computes its column widths, so that large pages keep the columns aligned.
const PAGE_ENTRIES = 1000;

/** The maximum number of rows of a workbook. The service builds a workbook in memory, and other programs read it whole. */
export const MAX_WORKBOOK_ROWS = 50_000;

/** Returns the format of a sheet, or null for a table or JSON. Throws an OperatorError if options contradict. */
export function resolveSheetFormat({ json, out }: CommonOptions): SheetFormat | null {
  if (out === undefined) return null;
  const format = SHEET_FORMATS[extname(out).toLowerCase()] ?? null;
  if (format !== null && json) throw new OperatorError(translate(opsTexts.sheetAsJson(out)));
  return format;
}

/** Defines a list that can be printed as a table, a JSON document or a sheet. */
export function defineList<Entry>(
  name: string,
  columns: Readonly<Record<string, ListColumn<Entry>>>,
  toDocument: (entry: Entry) => object,
): List<Entry> {
  const tableColumns = Object.values(columns).filter(({ title }) => title !== undefined);
  return {
    name,
    columns,
    // A getter, because the language is set after the definition of the list.
    get header() {
      return tableColumns.map(({ title }) => (title ? translate(title) : ''));
    },
    toRow: (entry) => tableColumns.map(({ toCell }) => formatTableCell(toCell(entry))),
    toDocument,
  };
}

function formatTableCell(cell: CsvCell): string {
  if (typeof cell === 'string') return cell;
  return cell ? formatDecimal(cell) : '-';
}

/** Prints a sheet or, without a format, a table or JSON. Throws an OperatorError if a workbook has too many rows. */
export async function printList<Entry>(
  output: Output,
  pages: Pages<Entry>,
  list: List<Entry>,
  options: { readonly tenant: string; readonly format: SheetFormat | null; readonly end?: () => object },
): Promise<void> {
  const { tenant, format, end } = options;
  const largePages = rebatchPages(pages, PAGE_ENTRIES);
  if (format === 'csv') await printCsv(output, largePages, list);
  else if (format === 'xlsx') await printWorkbook(output, largePages, list);
  else await output.list({ tenant }, list.name.toLowerCase(), largePages, { ...list, end });
}

async function printCsv<Entry>(output: Output, pages: Pages<Entry>, { columns }: List<Entry>) {
  output.write(formatCsvLine(Object.keys(columns)));
  for await (const page of pages) {
    const lines = page.map((entry) => formatCsvLine(buildSheetRow(entry, columns)));
    output.write(lines.join(''));
    if (!(await output.canContinue())) return;
  }
}

async function printWorkbook<Entry>(output: Output, pages: Pages<Entry>, { name, columns }: List<Entry>) {
  const rows: (readonly CsvCell[])[] = [];
  for await (const page of pages) {
    for (const entry of page) rows.push(buildSheetRow(entry, columns));
    if (rows.length > MAX_WORKBOOK_ROWS) throw new OperatorError(translate(opsTexts.tooManyRows(MAX_WORKBOOK_ROWS)));
  }
  output.write(await writeWorkbook(name, columns, rows));
}

function buildSheetRow<Entry>(entry: Entry, columns: List<Entry>['columns']): CsvCell[] {
  return Object.values(columns).map(({ toCell }) => {
    const cell = toCell(entry);
    return typeof cell === 'string' ? escapeNullWord(cell) : cell;
  });
}

/** Inserts an apostrophe before the text `null`, because an import would clear the field. Imports remove it again. */
function escapeNullWord(text: string): string {
  return /^'*null$/.test(text) ? `'${text}` : text;
}
