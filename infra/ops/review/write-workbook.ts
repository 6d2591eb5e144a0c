import writeWorkbookFile, { type CellObject } from 'write-excel-file/node';
import { getCellAddress } from 'write-excel-file/utility';
import { isIsoDate } from '../../../lib/domain/iso-date.ts';
import { readWallTime } from '../../../lib/client/spreadsheets/zone.ts';
import type { CsvCell } from '../../../lib/client/spreadsheets/write-csv.ts';

/** A column of a workbook that people read, and may fill in. */
export interface WorkbookColumn {
  readonly heading: string;
  /** The kind of its cells: a text of a date column becomes a date, and a number is shown as its kind requires. */
  readonly kind: 'text' | 'amount' | 'percentage' | 'date';
  /** True if people fill the column in: its cells have a colour, and keep what is typed as text. */
  readonly isEditable?: boolean;
  /** The width in characters; without one, the column is as wide as its longest cell, within limits. */
  readonly width?: number;
  /** The values that a drop-down offers; no other value can be typed. */
  readonly choices?: readonly string[];
}

/** The maximum number of rows of a workbook: it is built in memory, and read as a whole. */
export const MAX_WORKBOOK_ROWS = 50_000;

const NUMBER_FORMATS: Readonly<Partial<Record<string, string>>> = { amount: '#,##0.00####', percentage: '0.00####' };
const TEXT_FORMAT = '@';
const EDITABLE_COLOR = '#fff2cc';
// Those that name the invoice: supplier_id and invoice_id.
const FROZEN_COLUMNS = 2;
const MAX_WIDTH = 40;
const DATE_WIDTH = 22;
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
      const cell = toCell(cells[index] ?? null, kind);
      return isEditable ? { ...(cell ?? textCell('')), backgroundColor: EDITABLE_COLOR } : cell;
    }),
  );
  const widths = columns.map(({ heading, kind, width }, index) => ({
    width: width ?? (kind === 'date' ? DATE_WIDTH : findWidth([heading, ...rows.map((cells) => cells[index] ?? null)])),
  }));
  return writeWorkbookFile(
    [header, ...body],
    { sheet, columns: widths, stickyRowsCount: 1, stickyColumnsCount: FROZEN_COLUMNS },
    { features: [createDropDowns(columns, rows.length)] },
  ).toBuffer();
}

/** Converts a value to a cell of its type; null is an empty cell. */
function toCell(cell: CsvCell, kind: WorkbookColumn['kind']): CellObject | null {
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

/** Finds the width of the longest cell, within limits. */
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
  const element = validations.length > 0 ? `<dataValidations>${validations.join('')}</dataValidations>` : '';
  const transform = (xml: string) => xml.replace('</sheetData>', `</sheetData>${element}`);
  return { files: { transform: { 'xl/worksheets/sheet{id}.xml': { transform } } } };
}
