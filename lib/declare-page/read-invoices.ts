import { Big } from 'big.js';
import { type Declaration, DECLARATION_LIMITS } from '../client/index.ts';
import type { FieldSpec } from '../client/spreadsheets/find-columns.ts';
import { INVOICE_YEAR } from '../client/spreadsheets/read-date.ts';
import { type DetectedFormat, readTable, type TableRow } from '../client/spreadsheets/read-table.ts';
import { type CellError, ColumnsError, SpreadsheetError } from '../client/spreadsheets/spreadsheet-error.ts';
import { isIsoDate } from '../domain/iso-date.ts';
import type { Text } from '../domain/language.ts';
import { fileTexts } from './file-texts.ts';
import { fieldTexts, pageTexts } from './page-texts.ts';

export type Field = keyof Declaration;

/** The columns that a file can have. Their headings are the names that the page shows, in both languages, and others. */
const FIELDS: Readonly<Record<Field, FieldSpec>> = {
  invoice_id: toSpec('invoice_id', 'id', 'invoice, id, factura, id factura'),
  amount: toSpec('amount', 'amount', 'declared amount, importe declarado, monto, monto declarado'),
  notes: toSpec('notes', 'text', 'note, comment, comments, nota, observacion, observaciones, comentario, comentarios'),
  invoice_number: toSpec('invoice_number', 'text', 'invoice no, comprobante, no comprobante, no factura'),
  invoice_date: toSpec('invoice_date', 'date', 'date, fecha, fecha factura, fecha comprobante, fecha emision'),
  tax_pct: toSpec('tax_pct', 'percentage', 'vat %, alicuota, alicuota iva, porcentaje iva'),
};

function toSpec(field: Field, kind: FieldSpec['kind'], otherHeadings: string): FieldSpec {
  const { en, es } = fieldTexts[field];
  return { kind, headings: [en, es, ...otherHeadings.split(', ')] };
}

export const FIELD_NAMES = Object.keys(FIELDS) as readonly Field[];
export const REQUIRED_FIELDS: readonly Field[] = ['invoice_id', 'amount'];

/** The maximum number of rows of a file. */
export const MAX_ROWS = 20_000;
const DECIMAL_NUMBER = /^-?\d+(?:\.\d+)?$/;
const MAX_DECIMALS = 6;

/** The error of a cell, or (without a column) of a whole row. */
export interface RowError {
  /** The index of the column. */
  readonly column?: number;
  readonly error: Text;
}

/** A row of the file. Its declaration is incomplete if the row has errors. */
export interface FileRow {
  /** The number of the row in the file. The first row is 1. */
  readonly line: number;
  readonly cells: readonly string[];
  readonly declaration: Partial<Declaration>;
  readonly errors: readonly RowError[];
}

/** A file of invoices with its format and all its rows. */
export interface InvoiceFile {
  readonly detected: DetectedFormat<Field>;
  readonly rows: readonly FileRow[];
}

/** The choices of the clerk about how the file is read. What is not chosen is detected. */
export interface ReadOptions {
  /** The field of each column whose heading is a key, or null if the column is not used. */
  readonly fieldByHeading: Readonly<Record<string, Field | null>>;
  /** True if the clerk has marked that dates have their day first. */
  readonly isDayFirst: boolean;
}

/** Reads a whole file with a header line. Throws a SpreadsheetError if the file has no such table, or too many rows. */
export async function readInvoices(bytes: Uint8Array, options: ReadOptions): Promise<InvoiceFile> {
  const { fieldByHeading, isDayFirst } = options;
  const { detected, rows: tableRows } = await readTable([bytes], {
    fields: FIELDS,
    required: REQUIRED_FIELDS,
    map: Object.entries(fieldByHeading).map(([heading, field]) => [field, heading]),
    ignoresUnknown: true,
    isDayFirst,
  });
  rejectHiddenColumns(detected);
  const hiddenLines = new Set(detected.origin.hiddenLines);
  const rows: FileRow[] = [];
  for await (const row of tableRows) {
    if (rows.length === MAX_ROWS) throw new SpreadsheetError(pageTexts.tooManyRows(String(MAX_ROWS)));
    rows.push(readRow(row, detected.fields, hiddenLines.has(row.line)));
  }
  return { detected, rows };
}

/** Throws a ColumnsError if a hidden column has a field, because the clerk cannot see that its values would be sent. */
function rejectHiddenColumns({ headings, fields, origin }: InvoiceFile['detected']): void {
  const usedColumns = origin.hiddenColumns.filter((column) => fields[column]);
  if (usedColumns.length === 0) return;
  const names = usedColumns.map((column) => headings[column]).join(', ');
  throw new ColumnsError([fileTexts.hiddenColumns(names)], null, { headings, fields });
}

/** Reads a row. Its declaration has no property for an empty cell, so that the service keeps the declared value. */
function readRow(row: TableRow<Field>, fields: readonly (Field | null)[], isHidden: boolean): FileRow {
  const { line, cells, values } = row;
  if (row.error) return { line, cells, declaration: {}, errors: [{ error: row.error }] };
  const declaration: Partial<Record<Field, string | number>> = {};
  const errors: RowError[] = isHidden ? [{ error: fileTexts.hiddenRow }] : [];
  for (const field of FIELD_NAMES) {
    const cell = values.get(field);
    const value = cell?.value?.trim() ?? '';
    const error = findCellError(field, cell, value);
    if (error) {
      errors.push({ column: fields.indexOf(field), error });
    } else if (value !== '') {
      declaration[field] = toDeclaredValue(field, value);
    }
  }
  return { line, cells, declaration: declaration as Partial<Declaration>, errors };
}

function findCellError(field: Field, cell: Partial<CellError> | undefined, value: string): Text | null {
  if (cell?.error) return cell.hint === 'dates' ? fileTexts.orDayFirst(cell.error) : cell.error;
  if (value !== '') return findFieldError(field, value);
  return REQUIRED_FIELDS.includes(field) ? fileTexts.required : null;
}

/** Finds why the service would reject a value, which is not empty. Returns null if the value can be sent. */
function findFieldError(field: keyof Declaration, value: string): Text | null {
  if (field === 'invoice_date') return isIsoDate(value) && INVOICE_YEAR.test(value) ? null : fileTexts.notADate;
  const limits = DECLARATION_LIMITS[field];
  if ('pattern' in limits) return new RegExp(limits.pattern).test(value) ? null : fileTexts.digitsOnly;
  if ('maximum' in limits) return findNumberError(field, value, limits.maximum);
  // The service counts code points, but the length of a string counts UTF-16 code units.
  const length = Array.from(value).length;
  return length <= limits.maxLength ? null : fileTexts.tooLong(limits.maxLength);
}

function findNumberError(field: keyof Declaration, value: string, maximum: number): Text | null {
  if (!DECIMAL_NUMBER.test(value)) return field === 'amount' ? fileTexts.notAnAmount : fileTexts.notAPercentage;
  const exact = new Big(value);
  if (exact.lt(0) || exact.gt(maximum)) return fileTexts.outOfRange(maximum);
  // A JSON number has about 15 exact digits, so that some of the digits of a longer value would change.
  const isExactInJson = new Big(Number(value)).eq(exact);
  const hasFewDecimals = exact.round(MAX_DECIMALS).eq(exact);
  return isExactInJson && hasFewDecimals ? null : fileTexts.tooPrecise(MAX_DECIMALS);
}

function toDeclaredValue(field: Field, value: string): string | number {
  const isNumber = 'maximum' in DECLARATION_LIMITS[field];
  return isNumber ? Number(value) : value.replaceAll(/\r\n?/g, '\n');
}
