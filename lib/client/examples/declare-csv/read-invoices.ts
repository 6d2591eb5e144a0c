import { Big } from 'big.js';
import { isIsoDate } from '../../../domain/iso-date.ts';
import type { Language, Text } from '../../../domain/language.ts';
import type { FieldSpec } from '../../../spreadsheets/find-columns.ts';
import type { Findings } from '../../../spreadsheets/findings.ts';
import type { Separator } from '../../../spreadsheets/read-csv.ts';
import { readTable, type TableRow } from '../../../spreadsheets/read-table.ts';
import { SpreadsheetError } from '../../../spreadsheets/spreadsheet-error.ts';
import { type Declaration, DECLARATION_LIMITS } from '../../index.ts';
import { fileTexts } from './texts/file.ts';

/** The name of a column: a property of a declaration. */
export type Column = keyof Declaration;

/** What a file may hold, with other headings by which it is known, in both languages. */
const columns: Readonly<Record<Column, FieldSpec>> = {
  invoice_id: { kind: 'text', headings: ['invoice', 'id', 'factura', 'id factura', 'factura id'] },
  amount: { kind: 'amount', headings: ['declared amount', 'importe', 'importe declarado', 'monto', 'monto declarado'] },
  notes: {
    kind: 'text',
    headings: [
      'note',
      'comment',
      'comments',
      'nota',
      'notas',
      'observacion',
      'observaciones',
      'comentario',
      'comentarios',
    ],
  },
  invoice_number: {
    kind: 'text',
    headings: ['invoice no', 'comprobante', 'no comprobante', 'comprobante no', 'no factura', 'factura no'],
  },
  invoice_date: { kind: 'date', headings: ['date', 'fecha', 'fecha factura', 'fecha comprobante', 'fecha emision'] },
  tax_pct: {
    kind: 'percentage',
    headings: ['tax %', 'vat %', '% tax', '% vat', 'iva %', '% iva', 'alicuota', 'alicuota iva', 'porcentaje iva'],
  },
};

/** The names of the columns, and those that a file must have. */
export const columnNames = Object.keys(columns) as readonly Column[];
export const requiredColumns: readonly Column[] = ['invoice_id', 'amount'];

/** What the command line says of columns: the heading of a field, and headings to leave out. */
export interface HeadingChoice {
  readonly map: readonly (readonly [column: Column, heading: string])[];
  readonly ignore: readonly string[];
}

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
  choice: HeadingChoice = { map: [], ignore: [] },
): Promise<InvoiceFile> {
  const input = (async function* () {
    yield Buffer.from(bytes);
  })();
  const { findings, rows } = await readTable(input, {
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
      const { declaration, faults: ofRow } = readRow(row);
      const id = row.values.get('invoice_id');
      const earlier = id && lineOf.get(id);
      if (earlier) ofRow.push({ line: row.line, column: 'invoice_id', message: fileTexts.repeated(earlier) });
      else if (id && !ofRow.some(({ column }) => column === 'invoice_id')) lineOf.set(id, row.line);
      faults.push(...ofRow);
      if (ofRow.length === 0) lines.push({ line: row.line, declaration });
    }
  } catch (error) {
    if (!(error instanceof SpreadsheetError)) throw error;
    faults.push({ line: error.line, message: error.text });
  }
  return { lines, faults, findings };
}

/** The declaration of a row; an empty cell leaves as it is what was declared before. */
function readRow({ line, values, faults: found }: TableRow<Column>) {
  const faults: LineFault[] = found.map(({ field, fault }) => ({ line, column: field, message: fault }));
  const isRead = !found.some(({ field }) => field === undefined);
  const declared: Partial<Record<Column, string | number>> = {};
  for (const column of isRead ? columnNames : []) {
    const value = values.get(column) ?? '';
    if (found.some(({ field }) => field === column)) continue;
    if (value === '') {
      if (requiredColumns.includes(column)) faults.push({ line, column, message: fileTexts.required });
      continue;
    }
    const message = faultOf(column, value);
    if (message) faults.push({ line, column, message });
    else declared[column] = isNumber(column) ? Number(value) : value.replaceAll(/\r\n?/g, '\n');
  }
  const order = (column: Column | undefined) => (column ? columnNames.indexOf(column) : -1);
  faults.sort((one, other) => order(one.column) - order(other.column));
  // Sound: of a row without faults every required column was read, each as its type.
  return { declaration: declared as Declaration, faults };
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

/** How the spreadsheet that wrote a file separates columns, marks decimals, and begins a file that is not ASCII. */
export interface Dialect {
  readonly separator: Separator;
  readonly decimalMark: ',' | '.';
  readonly byteOrderMark: boolean;
}

/** The dialect of a report for whoever wrote a file: that of the file or, beside a workbook, of the language. */
export function dialectOf(bytes: Uint8Array, { origin, style }: Findings<Column>, language: Language): Dialect {
  if ('sheet' in origin) {
    const dialect =
      language === 'es'
        ? ({ separator: ';', decimalMark: ',' } as const)
        : ({ separator: ',', decimalMark: '.' } as const);
    return { ...dialect, byteOrderMark: true };
  }
  const isMarked = Buffer.from(bytes.subarray(0, 3)).toString('latin1') === '\u00ef\u00bb\u00bf';
  return {
    separator: origin.separator,
    decimalMark: style.amounts.marks.includes(',') ? ',' : '.',
    // Only a program such as Excel writes files with such a beginning or encoding.
    byteOrderMark: isMarked || origin.encoding !== 'UTF-8',
  };
}
