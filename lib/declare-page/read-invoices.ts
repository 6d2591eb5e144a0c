import { Big } from 'big.js';
import { type Declaration, DECLARATION_LIMITS } from '../client/index.ts';
import type { FieldSpec } from '../client/spreadsheets/find-columns.ts';
import { INVOICE_YEAR, type StyleOptions } from '../client/spreadsheets/read-cell.ts';
import { type DetectedFormat, readTable, type TableRow } from '../client/spreadsheets/read-table.ts';
import { ColumnsError, SpreadsheetError } from '../client/spreadsheets/spreadsheet-error.ts';
import { isIsoDate } from '../domain/iso-date.ts';
import type { Text } from '../domain/language.ts';
import { fieldTexts, fileTexts, pageTexts } from './page-texts.ts';

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

export const FIELD_NAMES = Object.keys(FIELDS) as readonly Field[];
export const REQUIRED_FIELDS: readonly Field[] = ['invoice_id', 'amount'];

function toSpec(field: Field, kind: FieldSpec['kind'], otherHeadings: string): FieldSpec {
  return { kind, headings: [...Object.values(fieldTexts[field]), ...otherHeadings.split(', ')] };
}

/** The maximum number of rows of a file. */
export const MAX_ROWS = 20_000;

/** A line of the file (the first is 1) with the declaration to send. */
export interface InvoiceLine {
  readonly line: number;
  readonly declaration: Declaration;
}

/** The error of a cell, or (without a column) of a whole row. */
export interface RowError {
  /** The index of the column. */
  readonly column?: number;
  readonly error: Text;
}

/** A row of the file. Its declaration is incomplete if the row has errors. */
export interface FileRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly declaration: Partial<Declaration>;
  readonly errors: readonly RowError[];
}

/** A file of invoices: its format, and all its rows. */
export interface InvoiceFile {
  readonly detected: DetectedFormat<Field>;
  readonly rows: readonly FileRow[];
}

/** The choices of the clerk about how the file is read. Without a choice, the format is detected. */
export interface ReadOptions {
  /** The field (null: none) of each column whose heading is a key. */
  readonly fieldByHeading: Readonly<Record<string, Field | null>>;
  readonly dates?: StyleOptions['dates'];
}

/** Reads a whole file with a header line. Throws a SpreadsheetError if the file is not such a table, or is too large. */
export async function readInvoices(bytes: Uint8Array, options: ReadOptions): Promise<InvoiceFile> {
  const { fieldByHeading, dates } = options;
  const { detected, rows: tableRows } = await readTable([bytes], {
    fields: FIELDS,
    required: REQUIRED_FIELDS,
    map: Object.entries(fieldByHeading).map(([heading, field]) => [field, heading]),
    ignoresUnknown: true,
    dates,
  });
  const { hiddenLines, hiddenColumns } = detected.origin;
  rejectHiddenColumns(detected, hiddenColumns);
  const rows: FileRow[] = [];
  for await (const row of tableRows) {
    if (rows.length === MAX_ROWS) throw new SpreadsheetError(pageTexts.tooManyRows(String(MAX_ROWS)));
    rows.push(readRow(row, detected.fields, hiddenLines.includes(row.line)));
  }
  return { detected, rows };
}

/** Throws a ColumnsError if a hidden column has a field: the clerk shows the column, or chooses that it is not used. */
function rejectHiddenColumns({ headings, fields }: InvoiceFile['detected'], hiddenColumns: readonly number[]): void {
  const names = hiddenColumns.filter((column) => fields[column]).map((column) => headings[column]);
  if (names.length > 0) throw new ColumnsError([fileTexts.hiddenColumns(names.join(', '))], null, { headings, fields });
}

/** Reads a row. Its declaration has no property for an empty cell, so that the declared value is kept. */
function readRow(
  { line, cells, values, error: rowError }: TableRow<Field>,
  fields: readonly (Field | null)[],
  isHidden: boolean,
): FileRow {
  if (rowError) return { line, cells, declaration: {}, errors: [{ error: rowError }] };
  const declaration: Partial<Record<Field, string | number>> = {};
  const errors: RowError[] = isHidden ? [{ error: fileTexts.hiddenRow }] : [];
  for (const field of FIELD_NAMES) {
    const { value: cell, error: cellError, hint } = values.get(field) ?? { value: null };
    const value = cell?.trim();
    const error = cellError ?? findError(field, value);
    const column = fields.indexOf(field);
    if (error) errors.push({ column, error: hint === 'dates' ? fileTexts.orDates(error) : error });
    else if (value && 'maximum' in DECLARATION_LIMITS[field]) declaration[field] = Number(value);
    else if (value) declaration[field] = value.replaceAll(/\r\n?/g, '\n');
  }
  return { line, cells, declaration: declaration as Partial<Declaration>, errors };
}

/** Finds why a value cannot be sent, according to the limits of the service; null if it can be sent. */
function findError(field: Field, value: string | undefined): Text | null {
  if (!value) return REQUIRED_FIELDS.includes(field) ? fileTexts.required : null;
  if (field === 'invoice_date') return isIsoDate(value) && INVOICE_YEAR.test(value) ? null : fileTexts.notADate;
  const limits = DECLARATION_LIMITS[field];
  if ('pattern' in limits) return new RegExp(limits.pattern).test(value) ? null : fileTexts.digitsOnly;
  if ('maximum' in limits) return findNumberError(field, value, limits.maximum);
  // The service counts code points; `length` of a string counts UTF-16 code units.
  return Array.from(value).length <= limits.maxLength ? null : fileTexts.tooLong(limits.maxLength);
}

const MAX_DECIMALS = 6;

function findNumberError(field: Field, value: string, maximum: number): Text | null {
  if (!/^-?\d+(?:\.\d+)?$/.test(value)) return field === 'amount' ? fileTexts.notAnAmount : fileTexts.notAPercentage;
  const exact = new Big(value);
  if (exact.lt(0) || exact.gt(maximum)) return fileTexts.outOfRange(maximum);
  // A number whose digits would change in a JSON number, or that has more than six decimals, is not sent.
  const isExact = new Big(Number(value)).eq(exact) && exact.round(MAX_DECIMALS).eq(exact);
  return isExact ? null : fileTexts.tooPrecise(MAX_DECIMALS);
}

/**
 * Selects the rows that are not left out: the lines to declare, and the errors of the others by line. An invoice that
 * another selected row already has is an error.
 */
export function selectRows({ rows, detected }: InvoiceFile, leftOutLines: ReadonlySet<number>) {
  const idColumn = detected.fields.indexOf('invoice_id');
  const lines: InvoiceLine[] = [];
  const errorsByLine = new Map<number, readonly RowError[]>();
  const lineById = new Map<string, number>();
  for (const { line, declaration, errors } of rows) {
    if (leftOutLines.has(line)) continue;
    const { invoice_id: id = '' } = declaration;
    const earlierLine = lineById.get(id);
    const repetition = earlierLine === undefined ? [] : [{ column: idColumn, error: fileTexts.repeated(earlierLine) }];
    const allErrors = [...errors, ...repetition];
    if (id !== '' && earlierLine === undefined) lineById.set(id, line);
    // The cast is sound: in a row without errors, every required field has a value of its type.
    if (allErrors.length === 0) lines.push({ line, declaration: declaration as Declaration });
    else errorsByLine.set(line, allErrors);
  }
  return { lines, errorsByLine };
}
