import writeWorkbookFile, { type CellObject } from 'write-excel-file/universal';
import { getCellAddress } from 'write-excel-file/utility';
import { isIsoDate, readWallTime } from '../../domain/iso-date.ts';
import type { CsvCell } from './write-csv.ts';

export interface ColumnFormat {
  /** `text` by default. The texts of a `date` column become dates; numbers are shown with the decimals of their kind. */
  readonly kind?: 'text' | 'amount' | 'percentage' | 'date';
  /** True if people fill the column in: its cells are coloured, and keep what is typed as text. */
  readonly isEditable?: boolean;
  /** The width in characters. By default the column is as wide as its longest cell, up to MAX_WIDTH. */
  readonly width?: number;
  readonly choices?: readonly string[];
}

const NUMBER_FORMATS: Readonly<Partial<Record<string, string>>> = { amount: '#,##0.00####', percentage: '0.00####' };
const TEXT_FORMAT = '@';
const EDITABLE_STYLE = { backgroundColor: '#fff2cc' };
// The columns that identify the invoice: supplier_id and invoice_id.
const FROZEN_COLUMNS = 2;
const MAX_WIDTH = 40;
// A spreadsheet program computes with 15 digits. A longer number is written as text, so that no digit is lost.
const MAX_DIGITS = 15;
// Before this day, spreadsheet programs count days differently.
const FIRST_DATE = '1900-03-01';

/**
 * Builds a workbook (.xlsx) with one sheet. The first row contains the headings; it is bold, and does not scroll away.
 * Nothing in the sheet is a formula, and `readWorkbook` returns every text and number unchanged. A date has the wall
 * time of its text, because a workbook knows no time zones. `columns` contains the formats by the headings.
 */
export async function writeWorkbook(
  sheet: string,
  columns: Readonly<Record<string, ColumnFormat>>,
  rows: readonly (readonly CsvCell[])[],
): Promise<Uint8Array> {
  const header = Object.entries(columns).map(([heading, { isEditable }]): CellObject => {
    const style = isEditable ? EDITABLE_STYLE : {};
    return { ...toTextCell(heading), fontWeight: 'bold', ...style };
  });
  const formats = Object.values(columns);
  const body = rows.map((cells) =>
    formats.map(({ kind, isEditable }, index) => {
      const cell = toWorkbookCell(cells[index] ?? null, kind);
      return isEditable ? { ...(cell ?? toTextCell('')), ...EDITABLE_STYLE } : cell;
    }),
  );
  const widths = Object.entries(columns).map(([heading, { width }], index) => {
    const columnCells = rows.map((cells) => cells[index] ?? null);
    return { width: width ?? computeWidth([heading, ...columnCells]) };
  });
  const blob = await writeWorkbookFile(
    [header, ...body],
    { sheet, columns: widths, stickyRowsCount: 1, stickyColumnsCount: FROZEN_COLUMNS },
    { features: createDropDowns(formats, rows.length) },
  ).toBlob();
  return new Uint8Array(await blob.arrayBuffer());
}

function toWorkbookCell(cell: CsvCell, kind: ColumnFormat['kind'] = 'text'): CellObject | null {
  if (cell === null || cell === '') return null;
  if (typeof cell === 'string') return (kind === 'date' && toDateCell(cell)) || toTextCell(cell);
  if (!cell.prec(MAX_DIGITS).eq(cell)) return toTextCell(cell.toFixed());
  return { value: cell.toNumber(), type: Number, format: NUMBER_FORMATS[kind] ?? '0' };
}

const toTextCell = (text: string): CellObject => ({ value: escapeText(text), type: String, format: TEXT_FORMAT });

/** Converts an ISO 8601 date to a cell; returns null if a workbook cannot contain the date. */
function toDateCell(text: string): CellObject | null {
  const { day, time } = readWallTime(text);
  if (day < FIRST_DATE || !isIsoDate(text)) return null;
  const isMidnight = /^[0:.]+$/.test(time);
  return {
    value: new Date(`${day}T${time}Z`),
    type: Date,
    format: isMidnight ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss',
  };
}

// The characters that XML cannot contain, or that the library removes, and a text that looks like an escape: `_x0007_`.
const ESCAPED_CHARACTERS = /[^\P{Cc}\n\t]|[\p{Cs}\p{Noncharacter_Code_Point}\ufffd]|_(?=x[\dA-Fa-f]{4}_)/gu;

/** Escapes a text as the format prescribes: the character U+0007 becomes `_x0007_`. */
function escapeText(text: string): string {
  const escaped = text.replaceAll(ESCAPED_CHARACTERS, (character) => character.split('').map(escapeUnit).join(''));
  // The library looks texts up in an object, where it would find a property such as `constructor`. It removes the
  // appended control character again.
  return escaped in {} ? `${escaped}\u0001` : escaped;
}

const escapeUnit = (unit: string) => `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;

function computeWidth(cells: readonly CsvCell[]): number {
  const texts = cells.map((cell) => (typeof cell === 'string' ? cell : (cell?.toFixed(2) ?? '')));
  const maxLength = texts.reduce((longest, { length }) => Math.max(longest, length), 0);
  return Math.min(maxLength + 2, MAX_WIDTH);
}

/** Creates the feature of the library that adds a drop-down to each cell of a column with choices, below the header. */
function createDropDowns(formats: readonly ColumnFormat[], rowCount: number) {
  const validations = formats.flatMap(({ choices }, index) => {
    if (!choices) return [];
    // For example `R2:R31`, and at least one cell.
    const cells = `${getCellAddress(1, index)}:${getCellAddress(Math.max(rowCount, 1), index)}`;
    const attributes = `type="list" allowBlank="1" showErrorMessage="1" sqref="${cells}"`;
    return [`<dataValidation ${attributes}><formula1>"${choices.join(',')}"</formula1></dataValidation>`];
  });
  if (validations.length === 0) return [];
  const element = `<dataValidations>${validations.join('')}</dataValidations>`;
  const transform = (xml: string) => xml.replace('</sheetData>', `</sheetData>${element}`);
  return [{ files: { transform: { 'xl/worksheets/sheet{id}.xml': { transform } } } }];
}
