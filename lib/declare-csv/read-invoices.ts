import { Readable } from 'node:stream';
import { Big } from 'big.js';
import { isIsoDate } from '../domain/iso-date.ts';
import type { Text } from '../domain/language.ts';
import type { ColumnOptions, FieldSpec } from '../client/spreadsheets/find-columns.ts';
import { readTable, type TableRow } from '../client/spreadsheets/read-table.ts';
import { SpreadsheetError } from '../client/spreadsheets/spreadsheet-error.ts';
import { type Declaration, DECLARATION_LIMITS } from '../client/index.ts';
import { fileTexts } from './run-texts.ts';

export type Column = keyof Declaration;

const NOTES = 'note comment comments nota notas observacion observaciones comentario comentarios'.split(' ');

/** The columns that a file can have, with further headings in both languages. */
const COLUMNS: Readonly<Record<Column, FieldSpec>> = {
  invoice_id: { kind: 'text', headings: ['invoice', 'id', 'factura', 'id factura'] },
  amount: { kind: 'amount', headings: ['declared amount', 'importe', 'importe declarado', 'monto', 'monto declarado'] },
  notes: { kind: 'text', headings: NOTES },
  invoice_number: { kind: 'text', headings: ['invoice no', 'comprobante', 'no comprobante', 'no factura'] },
  invoice_date: { kind: 'date', headings: ['date', 'fecha', 'fecha factura', 'fecha comprobante', 'fecha emision'] },
  tax_pct: { kind: 'percentage', headings: ['tax %', 'vat %', 'iva %', 'alicuota', 'alicuota iva', 'porcentaje iva'] },
};

export const COLUMN_NAMES = Object.keys(COLUMNS) as readonly Column[];
/** The columns that a file must have. */
export const REQUIRED_COLUMNS: readonly Column[] = ['invoice_id', 'amount'];

/** A line of the file (the first is 1) with the declaration to send. */
export interface InvoiceLine {
  readonly line: number;
  readonly declaration: Declaration;
}

/** An error in a cell or, without a column, in a whole line. */
interface LineError {
  readonly line: number;
  readonly column?: Column | undefined;
  readonly message: Text;
}

/**
 * Reads and checks a whole file with a header line; if there is any error, the caller sends nothing. Throws a
 * SpreadsheetError if the file is not such a table.
 */
export async function readInvoices(bytes: Uint8Array, { map, ignore }: Pick<ColumnOptions<Column>, 'map' | 'ignore'>) {
  const { detected, rows } = await readTable(Readable.from([Buffer.from(bytes)]), {
    map,
    ignore,
    trim: true,
    fields: COLUMNS,
    required: REQUIRED_COLUMNS,
  });
  const errors: LineError[] = [];
  const lines: InvoiceLine[] = [];
  const lineById = new Map<string, number>();
  try {
    for await (const row of rows) {
      const { line } = row;
      const { declaration, errors: rowErrors } = readDeclaration(row);
      const { invoice_id: id } = declaration;
      const earlierLine = id && lineById.get(id);
      if (earlierLine) rowErrors.push({ line, column: 'invoice_id', message: fileTexts.repeated(earlierLine) });
      else if (id) lineById.set(id, line);
      errors.push(...rowErrors);
      // The cast is sound: in a row without errors, every required column has a value of its type.
      if (rowErrors.length === 0) lines.push({ line, declaration: declaration as Declaration });
    }
  } catch (error) {
    if (!(error instanceof SpreadsheetError)) throw error;
    errors.push({ line: error.line, message: error.text });
  }
  return { lines, errors, detected };
}

/** Reads the declaration of a row; it has no property for an empty cell, so that the declared value is kept. */
function readDeclaration({ line, values, error: rowError }: TableRow<Column>): {
  readonly declaration: Partial<Declaration>;
  readonly errors: LineError[];
} {
  if (rowError) return { declaration: {}, errors: [{ line, message: rowError }] };
  const declaration: Partial<Record<Column, string | number>> = {};
  const errors: LineError[] = [];
  for (const column of COLUMN_NAMES) {
    const { value, error } = values.get(column) ?? { value: null };
    const message = error ?? findError(column, value);
    if (message) errors.push({ line, column, message });
    else if (value && 'maximum' in DECLARATION_LIMITS[column]) declaration[column] = Number(value);
    else if (value) declaration[column] = value.replaceAll(/\r\n?/g, '\n');
  }
  return { declaration: declaration as Partial<Declaration>, errors };
}

/** Finds why a value cannot be sent, according to the limits of the service; null if it can be sent. */
function findError(column: Column, value: string | null): Text | null {
  if (!value) return REQUIRED_COLUMNS.includes(column) ? fileTexts.required : null;
  if (column === 'invoice_date') return isIsoDate(value) ? null : fileTexts.invalidDate;
  const limits = DECLARATION_LIMITS[column];
  if ('pattern' in limits) return new RegExp(limits.pattern).test(value) ? null : fileTexts.digitsOnly;
  if ('maximum' in limits) return findNumberError(value, limits.maximum);
  // The service counts code points; `length` of a string counts UTF-16 code units.
  return Array.from(value).length <= limits.maxLength ? null : fileTexts.tooLong(limits.maxLength);
}

const MAX_DECIMALS = 6;

function findNumberError(value: string, maximum: number): Text | null {
  if (!/^\d+(?:\.\d+)?$/.test(value)) return fileTexts.invalidNumber(maximum);
  const exact = new Big(value);
  if (exact.gt(maximum)) return fileTexts.invalidNumber(maximum);
  // A number whose digits would change in a JSON number, or that has more than six decimals, is not sent.
  const isExact = new Big(Number(value)).eq(exact) && exact.round(MAX_DECIMALS).eq(exact);
  return isExact ? null : fileTexts.tooPrecise(MAX_DECIMALS);
}
