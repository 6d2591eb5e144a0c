import { Readable } from 'node:stream';
import { Big } from 'big.js';
import { isIsoDate } from '../../../domain/iso-date.ts';
import type { Text } from '../../../domain/language.ts';
import type { ColumnOptions, FieldSpec } from '../../../spreadsheets/find-columns.ts';
import type { Findings } from '../../../spreadsheets/findings.ts';
import { readTable, type TableRow } from '../../../spreadsheets/read-table.ts';
import { SpreadsheetError } from '../../../spreadsheets/spreadsheet-error.ts';
import { type Declaration, DECLARATION_LIMITS } from '../../index.ts';
import { fileTexts } from './file-texts.ts';

/** The name of a column: a property of a declaration. */
export type Column = keyof Declaration;

const NOTES = 'note comment comments nota notas observacion observaciones comentario comentarios'.split(' ');

/** What a file may hold, with other headings by which it is known, in both languages. */
const columns: Readonly<Record<Column, FieldSpec>> = {
  invoice_id: { kind: 'text', headings: ['invoice', 'id', 'factura', 'id factura'] },
  amount: { kind: 'amount', headings: ['declared amount', 'importe', 'importe declarado', 'monto', 'monto declarado'] },
  notes: { kind: 'text', headings: NOTES },
  invoice_number: {
    kind: 'text',
    headings: ['invoice no', 'comprobante', 'no comprobante', 'no factura'],
  },
  invoice_date: { kind: 'date', headings: ['date', 'fecha', 'fecha factura', 'fecha comprobante', 'fecha emision'] },
  tax_pct: {
    kind: 'percentage',
    headings: ['tax %', 'vat %', 'iva %', 'alicuota', 'alicuota iva', 'porcentaje iva'],
  },
};

/** The names of the columns, and those that a file must have. */
export const columnNames = Object.keys(columns) as readonly Column[];
export const requiredColumns: readonly Column[] = ['invoice_id', 'amount'];

/** An invoice of the file: where it stands (the first line is 1), and what is to be declared for it. */
export interface InvoiceLine {
  readonly line: number;
  readonly declaration: Declaration;
}

/** What is wrong with a cell or, without a column, with a whole line. */
export interface LineFault {
  readonly line: number;
  readonly column?: Column | undefined;
  readonly message: Text;
}

/** What a file holds; with a single fault none of it should be sent. */
export interface InvoiceFile {
  readonly lines: readonly InvoiceLine[];
  readonly faults: readonly LineFault[];
  readonly findings: Findings<Column>;
}

/** Reads and checks a whole file with a header line; throws a SpreadsheetError when it is no such file. */
export async function readInvoices(
  bytes: Uint8Array,
  choice: Pick<ColumnOptions<Column>, 'map' | 'ignore'> = { ignore: [] },
): Promise<InvoiceFile> {
  const { findings, rows } = await readTable(Readable.from([Buffer.from(bytes)]), {
    ...choice,
    fields: columns,
    required: requiredColumns,
    trim: true,
  });
  const faults: LineFault[] = [];
  const lines: InvoiceLine[] = [];
  const lineOf = new Map<string, number>();
  try {
    for await (const row of rows) {
      const { line } = row;
      const { declaration, faults: ofRow } = readRow(row);
      const { invoice_id: id } = declaration;
      const earlier = id === undefined ? undefined : lineOf.get(id);
      if (earlier !== undefined) ofRow.push({ line, column: 'invoice_id', message: fileTexts.repeated(earlier) });
      else if (id !== undefined) lineOf.set(id, line);
      faults.push(...ofRow);
      // Sound: of a row without faults every required column was read, each as its type.
      if (ofRow.length === 0) lines.push({ line, declaration: declaration as Declaration });
    }
  } catch (error) {
    if (!(error instanceof SpreadsheetError)) throw error;
    faults.push({ line: error.line, message: error.text });
  }
  return { lines, faults, findings };
}

/** The declaration of a row; an empty cell leaves as it is what was declared before. */
function readRow({ line, values, fault: ofRow }: TableRow<Column>) {
  const faults: LineFault[] = ofRow ? [{ line, message: ofRow }] : [];
  const declared: Partial<Record<Column, string | number>> = {};
  for (const column of ofRow ? [] : columnNames) {
    const { value, fault } = values.get(column) ?? { value: '' };
    const isMissing = !value && requiredColumns.includes(column);
    const message = fault ?? (isMissing ? fileTexts.required : value && faultOf(column, value));
    if (message) faults.push({ line, column, message });
    else if (value) declared[column] = isNumber(column) ? Number(value) : value.replaceAll(/\r\n?/g, '\n');
  }
  return { declaration: declared as Partial<Declaration>, faults };
}

/** Why a value cannot be sent; the bounds are those of the service. */
function faultOf(column: Column, value: string): Text | null {
  if (column === 'invoice_id') {
    return new RegExp(DECLARATION_LIMITS.invoice_id.pattern).test(value) ? null : fileTexts.digitsOnly;
  }
  if (column === 'invoice_date') return isIsoDate(value) ? null : fileTexts.noDate;
  if (isNumber(column)) return numberFault(value, DECLARATION_LIMITS[column].maximum);
  const { maxLength } = DECLARATION_LIMITS[column];
  // As the service counts: characters, not the halves of them that a JavaScript string has.
  return Array.from(value).length <= maxLength ? null : fileTexts.tooLong(maxLength);
}

const isNumber = (column: Column) => column === 'amount' || column === 'tax_pct';

const MAX_DECIMALS = 6;

function numberFault(value: string, maximum: number): Text | null {
  if (!/^\d+(?:\.\d+)?$/.test(value)) return fileTexts.noNumber(maximum);
  const exact = new Big(value);
  if (exact.gt(maximum)) return fileTexts.tooMuch(maximum);
  // JSON's numbers are binary floats: one that would not arrive as it is written is not sent.
  const isExact = new Big(Number(value)).eq(exact) && exact.round(MAX_DECIMALS).eq(exact);
  return isExact ? null : fileTexts.tooPrecise(MAX_DECIMALS);
}
