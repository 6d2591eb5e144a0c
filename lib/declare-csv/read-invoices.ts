import { Readable } from 'node:stream';
import { Big } from 'big.js';
import { isIsoDate } from '../domain/iso-date.ts';
import type { Text } from '../domain/language.ts';
import { INVOICE_YEAR } from '../client/spreadsheets/read-cell.ts';
import type { FieldSpec } from '../client/spreadsheets/find-columns.ts';
import { readTable, type TableOptions, type TableRow } from '../client/spreadsheets/read-table.ts';
import { formatCellName } from '../client/spreadsheets/scan-sheet.ts';
import { SpreadsheetError } from '../client/spreadsheets/spreadsheet-error.ts';
import { type Declaration, DECLARATION_LIMITS } from '../client/index.ts';
import type { FileError } from './format-errors.ts';
import { fileTexts } from './run-texts.ts';

export type Column = keyof Declaration;

const NOTES = 'note comment comments nota notas observacion observaciones comentario comentarios'.split(' ');

/** The columns that a file can have, with further headings in both languages. */
const COLUMNS: Readonly<Record<Column, FieldSpec>> = {
  invoice_id: { kind: 'id', headings: ['invoice', 'id', 'factura', 'id factura'] },
  amount: { kind: 'amount', headings: ['declared amount', 'importe', 'importe declarado', 'monto', 'monto declarado'] },
  notes: { kind: 'text', headings: NOTES },
  invoice_number: { kind: 'text', headings: ['invoice no', 'comprobante', 'no comprobante', 'no factura'] },
  invoice_date: { kind: 'date', headings: ['date', 'fecha', 'fecha factura', 'fecha comprobante', 'fecha emision'] },
  tax_pct: { kind: 'percentage', headings: ['tax %', 'vat %', 'iva %', 'alicuota', 'alicuota iva', 'porcentaje iva'] },
};

export const COLUMN_NAMES = Object.keys(COLUMNS) as readonly Column[];
export const REQUIRED_COLUMNS: readonly Column[] = ['invoice_id', 'amount'];

/** A line of the file (the first is 1) with the declaration to send. */
export interface InvoiceLine {
  readonly line: number;
  readonly declaration: Declaration;
}

export type ReadOptions = Partial<Omit<TableOptions<Column>, 'fields' | 'required'>> & {
  /** True if hidden rows and columns are read; otherwise they are errors. */
  readonly includesHidden: boolean;
};

/**
 * Reads and checks a whole file with a header line; if there is any error, the caller sends nothing. Throws a
 * SpreadsheetError if the file is not such a table.
 */
export async function readInvoices(bytes: Uint8Array, options: ReadOptions) {
  // With the key `sheet`, also without a value, errors name the option --sheet.
  const table = { ...options, sheet: options.sheet, fields: COLUMNS, required: REQUIRED_COLUMNS };
  const { detected, rows } = await readTable(Readable.from([Buffer.from(bytes)]), table);
  const errors: FileError[] = [];
  const lines: InvoiceLine[] = [];
  const lineById = new Map<string, number>();
  if ('sheet' in detected.origin && !options.includesHidden) {
    const { hiddenLines, hiddenColumns } = detected.origin;
    for (const line of hiddenLines) errors.push({ place: String(line), error: fileTexts.hidden });
    for (const index of hiddenColumns.filter((column) => detected.fields[column])) {
      // The name of the first cell without its row: C for C1.
      const place = formatCellName({ row: 1, column: index + 1 }).slice(0, -1);
      errors.push({ place, heading: detected.headings[index], error: fileTexts.hidden });
    }
  }
  try {
    for await (const { line, cells, values, error: rowError } of rows) {
      if (rowError) {
        errors.push({ place: String(line), error: rowError });
        continue;
      }
      const { declaration, errors: cellErrors } = readDeclaration(values);
      const { invoice_id: id } = declaration;
      const earlierLine = id && lineById.get(id);
      if (earlierLine) cellErrors.set('invoice_id', fileTexts.repeated(earlierLine));
      else if (id) lineById.set(id, line);
      for (const [column, error] of cellErrors) {
        const index = detected.fields.indexOf(column);
        const place = formatCellName({ row: line, column: index + 1 });
        errors.push({ place, heading: detected.headings[index], value: cells[index]?.trim(), error });
      }
      // The cast is sound: in a row without errors, every required column has a value of its type.
      if (cellErrors.size === 0) lines.push({ line, declaration: declaration as Declaration });
    }
  } catch (error) {
    if (!(error instanceof SpreadsheetError)) throw error;
    errors.push({ place: String(error.line), error: error.text });
  }
  return { lines, errors, detected };
}

/** Reads the declaration of a row; it has no property for an empty cell, so that the declared value is kept. */
function readDeclaration(values: TableRow<Column>['values']) {
  const declaration: Partial<Record<Column, string | number>> = {};
  const errors = new Map<Column, Text>();
  for (const column of COLUMN_NAMES) {
    const { value: cell, error: cellError, hint } = values.get(column) ?? { value: null };
    const value = cell?.trim();
    const error = cellError ?? findError(column, value);
    if (error) errors.set(column, hint === 'dates' ? fileTexts.orDates(error) : error);
    else if (value && 'maximum' in DECLARATION_LIMITS[column]) declaration[column] = Number(value);
    else if (value) declaration[column] = value.replaceAll(/\r\n?/g, '\n');
  }
  return { declaration: declaration as Partial<Declaration>, errors };
}

/** Finds why a value cannot be sent, according to the limits of the service; null if it can be sent. */
function findError(column: Column, value: string | undefined): Text | null {
  if (!value) return REQUIRED_COLUMNS.includes(column) ? fileTexts.required : null;
  if (column === 'invoice_date') return isIsoDate(value) && INVOICE_YEAR.test(value) ? null : fileTexts.notADate;
  const limits = DECLARATION_LIMITS[column];
  if ('pattern' in limits) return new RegExp(limits.pattern).test(value) ? null : fileTexts.digitsOnly;
  if ('maximum' in limits) return findNumberError(column, value, limits.maximum);
  // The service counts code points; `length` of a string counts UTF-16 code units.
  return Array.from(value).length <= limits.maxLength ? null : fileTexts.tooLong(limits.maxLength);
}

const MAX_DECIMALS = 6;

function findNumberError(column: Column, value: string, maximum: number): Text | null {
  if (!/^-?\d+(?:\.\d+)?$/.test(value)) return column === 'amount' ? fileTexts.notAnAmount : fileTexts.notAPercentage;
  const exact = new Big(value);
  if (exact.lt(0) || exact.gt(maximum)) return fileTexts.outOfRange(maximum);
  // A number whose digits would change in a JSON number, or that has more than six decimals, is not sent.
  const isExact = new Big(Number(value)).eq(exact) && exact.round(MAX_DECIMALS).eq(exact);
  return isExact ? null : fileTexts.tooPrecise(MAX_DECIMALS);
}
