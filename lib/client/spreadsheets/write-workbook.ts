import type { Big } from 'big.js';
import writeWorkbookFile, { type CellObject } from 'write-excel-file/universal';
import { DAY_MS, isIsoDate, parseIsoDate, readWallTime } from '../../domain/iso-date.ts';
import type { CsvCell } from './write-csv.ts';

type ColumnKind = 'text' | 'amount' | 'percentage' | 'date';

export interface ColumnFormat {
  /** `text` by default. The texts of a `date` column become dates; numbers are shown with the decimals of their kind. */
  readonly kind?: ColumnKind;
  /** True if people fill the column in: its cells are coloured, and keep what is typed as text. */
  readonly isEditable?: boolean;
  /** The width in characters. By default, DEFAULT_WIDTH, or as wide as the heading. */
  readonly width?: number;
}

const NUMBER_FORMATS: Readonly<Record<ColumnKind, string>> = {
  text: '0',
  amount: '#,##0.00####',
  percentage: '0.00####',
  date: '0',
};
const TEXT_FORMAT = '@';
const EDITABLE_STYLE = { backgroundColor: '#fff2cc' };
// The columns that identify the invoice: supplier_id and invoice_id.
const FROZEN_COLUMNS = 2;
const DEFAULT_WIDTH = 20;
// A spreadsheet program computes with 15 digits. A longer number is written as text, so that no digit is lost.
const MAX_DIGITS = 15;
// Before this day, spreadsheet programs count days differently.
const FIRST_DATE_MS = Date.parse('1900-03-01');

// A character that XML cannot contain, such as U+0007.
const CONTROL_CHARACTER = String.raw`[\p{Cc}--[\n\t]]`;
// A character that the library removes, such as U+FFFE, or one half of a surrogate pair.
const REMOVED_CHARACTER = String.raw`[\p{Cs}\p{Noncharacter_Code_Point}\ufffd]`;
// The start of a text that looks like an escape, such as `_x0007_`.
const ESCAPE_START = String.raw`_(?=x[\dA-Fa-f]{4}_)`;
const ESCAPED_PARTS = new RegExp(`${CONTROL_CHARACTER}|${REMOVED_CHARACTER}|${ESCAPE_START}`, 'gv');

/**
 * Builds a workbook (.xlsx) with one sheet and the formats of its columns by heading. It contains no formulas, and
 * `openWorkbook` reads every text and number unchanged. A date has the local time of its text, without the zone.
 */
export async function writeWorkbook(
  sheet: string,
  columns: Readonly<Record<string, ColumnFormat>>,
  rows: readonly (readonly CsvCell[])[],
): Promise<Uint8Array> {
  const header = Object.entries(columns).map(([heading, format]) => buildHeading(heading, format));
  const formats = Object.values(columns);
  const body = rows.map((cells) => formats.map((format, index) => buildCell(cells[index] ?? null, format)));
  const getWidth = (heading: string, { width }: ColumnFormat) => width ?? Math.max(DEFAULT_WIDTH, heading.length + 2);
  const blob = await writeWorkbookFile([header, ...body], {
    sheet,
    columns: Object.entries(columns).map(([heading, format]) => ({ width: getWidth(heading, format) })),
    stickyRowsCount: 1,
    stickyColumnsCount: FROZEN_COLUMNS,
  }).toBlob();
  return new Uint8Array(await blob.arrayBuffer());
}

function buildHeading(heading: string, { isEditable }: ColumnFormat): CellObject {
  const cell: CellObject = { ...buildTextCell(heading), fontWeight: 'bold' };
  return isEditable ? { ...cell, ...EDITABLE_STYLE } : cell;
}

function buildCell(value: CsvCell, { kind = 'text', isEditable }: ColumnFormat): CellObject | null {
  if (isEditable) return { ...buildFilledCell(value ?? '', kind), ...EDITABLE_STYLE };
  return value === null || value === '' ? null : buildFilledCell(value, kind);
}

function buildFilledCell(value: string | Big, kind: ColumnKind): CellObject {
  if (typeof value === 'string') {
    const dateCell = kind === 'date' ? buildDateCell(value) : null;
    return dateCell ?? buildTextCell(value);
  }
  const losesDigits = !value.prec(MAX_DIGITS).eq(value);
  if (losesDigits) return buildTextCell(value.toFixed());
  return { value: value.toNumber(), type: Number, format: NUMBER_FORMATS[kind] };
}

/** Builds a cell of an ISO 8601 date; returns null if a workbook cannot contain the date. */
function buildDateCell(text: string): CellObject | null {
  if (!isIsoDate(text)) return null;
  const { day, time } = readWallTime(text);
  const startMs = parseIsoDate(`${day}T${time}`)?.startMs;
  if (startMs === undefined || startMs < FIRST_DATE_MS) return null;
  const isMidnight = startMs % DAY_MS === 0;
  return { value: new Date(startMs), type: Date, format: isMidnight ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss' };
}

function buildTextCell(text: string): CellObject {
  const escapedText = text.replaceAll(ESCAPED_PARTS, escapeCharacter);
  // The library looks texts up in an object, in which it would find an inherited property such as `constructor`. With
  // a control character, which the library removes later, the text is not the name of a property.
  const isObjectProperty = escapedText in Object.prototype;
  return { value: isObjectProperty ? `${escapedText}\u0001` : escapedText, type: String, format: TEXT_FORMAT };
}

/** Escapes a character as the file format prescribes: U+0007 becomes `_x0007_`, and each half of a pair is escaped. */
function escapeCharacter(character: string): string {
  const codeUnits = character.split('').map((unit) => unit.charCodeAt(0).toString(16).toUpperCase());
  return codeUnits.map((codeUnit) => `_x${codeUnit.padStart(4, '0')}_`).join('');
}
