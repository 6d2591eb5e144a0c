import { extname } from 'node:path';
import { Option } from '@commander-js/extra-typings';
import writeWorkbookFile, { type CellObject } from 'write-excel-file/node';
import { getCellAddress } from 'write-excel-file/utility';
import { isIsoDate } from '../../../lib/domain/iso-date.ts';
import { CSV_DIALECTS, type CsvCell, csvLine } from '../../../lib/client/spreadsheets/write-csv.ts';
import { readWallTime } from '../input/zone.ts';
import { rebatchPages } from '../../../lib/runtime/pages.ts';
import { toPrintable } from '../../../lib/runtime/printable.ts';
import type { CommonOptions } from '../command.ts';
import { OperatorError } from '../operator-errors.ts';
import { outOption } from '../out-file.ts';
import type { ListView, Output } from '../output.ts';

/** A column of a workbook that people read, and may fill in. */
export interface WorkbookColumn {
  readonly heading: string;
  /** The kind of its cells: a text of a date column becomes a date, and a number is shown as its kind requires. */
  readonly kind: 'text' | 'amount' | 'percentage' | 'date';
  /** True if people fill the column in: its cells have a colour, and keep what is typed as text. */
  readonly isEditable?: boolean;
  /** The width in characters; without one, the column is as wide as its longest cell, within limits. */
  readonly width?: number;
  readonly choices?: readonly string[];
}

/** A column of a list: its value, its display in workbooks, and its heading in tables, which omit others. */
export interface ListColumn<Entry> extends Partial<Omit<WorkbookColumn, 'heading'>> {
  readonly title?: string;
  readonly toCell: (entry: Entry) => CsvCell;
}

export interface List<Entry> extends ListView<Entry> {
  readonly name: string;
  readonly columns: readonly (ListColumn<Entry> & WorkbookColumn)[];
}

/** Defines a list by its columns; their names are the headings of a sheet. */
export function defineList<Entry>(
  name: string,
  columns: Readonly<Record<string, ListColumn<Entry>>>,
  toDocument: (entry: Entry) => object,
): List<Entry> {
  const shown = Object.values(columns).filter(({ title }) => title !== undefined);
  const toText = (cell: CsvCell) => (typeof cell === 'object' ? (cell?.toFixed() ?? '-') : cell);
  return {
    name,
    columns: Object.entries(columns).map(([heading, column]) => ({ kind: 'text', ...column, heading })),
    header: shown.map(({ title = '' }) => title),
    toRow: (entry) => shown.map(({ toCell }) => toText(toCell(entry))),
    toDocument,
  };
}

// The rows of a page have the same column widths.
const PAGE_ENTRIES = 1000;

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
  const filled = rebatchPages(pages, PAGE_ENTRIES);
  if (!format) return output.list({ tenant }, name.toLowerCase(), filled, { ...list, end });
  const writeCsv = (rows: readonly (readonly CsvCell[])[]) => {
    if (format === 'csv') output.write(rows.map((cells) => csvLine(cells, CSV_DIALECTS.csv)).join(''));
  };
  // A file keeps every text as it is stored, so that it can be imported again.
  const toFileCell = (cell: CsvCell) => (typeof cell === 'string' && !output.isFile ? toPrintable(cell) : cell);
  const rows: (readonly CsvCell[])[] = [];
  writeCsv([columns.map(({ heading }) => heading)]);
  for await (const page of filled) {
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

type SheetFormat = 'csv' | 'xlsx' | null;

/** Finds the format of a sheet by --csv or the ending of --out; null: no sheet. Throws an OperatorError if they differ. */
export function findSheetFormat({ csv, json, out = '' }: CommonOptions & { csv?: true }): SheetFormat {
  const ending = extname(out).toLowerCase();
  if (ending === '.xlsx') {
    if (!csv && !json) return 'xlsx';
    const option = csv ? '--csv' : '--json';
    throw new OperatorError(`--out: ${out} is the name of a workbook. Omit ${option}, or use another ending.`);
  }
  return csv || (!json && ending === '.csv') ? 'csv' : null;
}

/** The maximum number of rows of a workbook: it is built in memory, and read as a whole. */
export const MAX_WORKBOOK_ROWS = 50_000;

const NUMBER_FORMATS: Readonly<Partial<Record<string, string>>> = { amount: '#,##0.00####', percentage: '0.00####' };
const TEXT_FORMAT = '@';
const EDITABLE_COLOR = '#fff2cc';
// The columns that identify the invoice: supplier_id and invoice_id.
const FROZEN_COLUMNS = 2;
const MAX_WIDTH = 40;
// A spreadsheet program computes with 15 digits. A longer number is written as text, so that no digit is lost.
const MAX_DIGITS = 15;
// The day 1 March 1900: before it, spreadsheet programs count days differently.
const FIRST_DATE = '1900-03-01';

/**
 * Builds a workbook (.xlsx) with one sheet. The first row contains the headings; it is bold, and does not scroll away.
 * Nothing in the sheet is a formula, and `readWorkbook` returns every text and number unchanged. A date has the wall
 * time of its text, because a workbook knows no time zones.
 */
export async function writeWorkbook(
  sheet: string,
  columns: readonly WorkbookColumn[],
  rows: readonly (readonly CsvCell[])[],
): Promise<Buffer> {
  const header = columns.map(({ heading, isEditable }): CellObject => ({
    ...textCell(heading),
    fontWeight: 'bold',
    ...(isEditable && { backgroundColor: EDITABLE_COLOR }),
  }));
  const body = rows.map((cells) =>
    columns.map(({ kind, isEditable }, index) => {
      const cell = toWorkbookCell(cells[index] ?? null, kind);
      return isEditable ? { ...(cell ?? textCell('')), backgroundColor: EDITABLE_COLOR } : cell;
    }),
  );
  const widths = columns.map(({ heading, width }, index) => ({
    width: width ?? findWidth([heading, ...rows.map((cells) => cells[index] ?? null)]),
  }));
  return writeWorkbookFile(
    [header, ...body],
    { sheet, columns: widths, stickyRowsCount: 1, stickyColumnsCount: FROZEN_COLUMNS },
    { features: createDropDowns(columns, rows.length) },
  ).toBuffer();
}

function toWorkbookCell(cell: CsvCell, kind: WorkbookColumn['kind']): CellObject | null {
  if (cell === null || cell === '') return null;
  if (typeof cell !== 'string') {
    if (!cell.prec(MAX_DIGITS).eq(cell)) return textCell(cell.toFixed());
    return { value: cell.toNumber(), type: Number, format: NUMBER_FORMATS[kind] ?? '0' };
  }
  return (kind === 'date' && toDateCell(cell)) || textCell(cell);
}

const textCell = (text: string): CellObject => ({ value: escapeText(text), type: String, format: TEXT_FORMAT });

/** Converts a date of ISO 8601 to a cell; null if a workbook cannot contain it. */
function toDateCell(text: string): CellObject | null {
  const { day, time } = readWallTime(text);
  if (day < FIRST_DATE || !isIsoDate(text)) return null;
  const format = /^[0:.]+$/.test(time) ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss';
  return { value: new Date(`${day}T${time}Z`), type: Date, format };
}

/**
 * Escapes the characters that XML cannot contain (or that the library removes) as the format prescribes: `_x0007_`.
 * Appends a control character, which the library removes, to a text such as `constructor`: the library looks texts up
 * in an object, and would find the property of that name.
 */
function escapeText(text: string): string {
  const escaped = text.replaceAll(
    /[^\P{Cc}\n\t]|[\p{Cs}\p{Noncharacter_Code_Point}\ufffd]|_(?=x[\dA-Fa-f]{4}_)/gu,
    (character) => character.split('').map(escapeUnit).join(''),
  );
  return escaped in {} ? `${escaped}\u0001` : escaped;
}

const escapeUnit = (unit: string) => `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;

function findWidth(cells: readonly CsvCell[]): number {
  const lengths = cells.map((cell) => (typeof cell === 'string' ? cell : (cell?.toFixed(2) ?? '')).length);
  return Math.min(lengths.reduce((longest, length) => Math.max(longest, length)) + 2, MAX_WIDTH);
}

/** Creates the feature of the library that offers the choices of columns as drop-downs below the header. */
function createDropDowns(columns: readonly WorkbookColumn[], rowCount: number) {
  const validations = columns.flatMap(({ choices }, index) => {
    if (!choices) return [];
    const cells = `${getCellAddress(1, index)}:${getCellAddress(Math.max(rowCount, 1), index)}`;
    const list = `<formula1>"${choices.join(',')}"</formula1>`;
    return [
      `<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="${cells}">${list}</dataValidation>`,
    ];
  });
  if (validations.length === 0) return [];
  const element = `<dataValidations>${validations.join('')}</dataValidations>`;
  const transform = (xml: string) => xml.replace('</sheetData>', `</sheetData>${element}`);
  return [{ files: { transform: { 'xl/worksheets/sheet{id}.xml': { transform } } } }];
}
