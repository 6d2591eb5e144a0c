import { Big } from 'big.js';
import type { InvoiceRow } from '../client/index.ts';
import { type ColumnFormat, writeWorkbook } from '../client/spreadsheets/write-workbook.ts';
import type { Language, Text } from '../domain/language.ts';
import { toPrintable } from '../runtime/printable.ts';
import type { LineResult } from './line-result.ts';
import { getDay } from './open-invoices.ts';
import { fieldTexts, outcomeTexts, pageTexts, stateTexts } from './page-texts.ts';
import type { InvoiceFile } from './read-invoices.ts';

/** A column of a workbook. A column without `read` is empty. */
interface Column<Row> extends ColumnFormat {
  readonly heading: Text;
  readonly read?: (row: Row, language: Language) => string | number | null | undefined;
}

/** A row of the report, which is a line with its result, or a row that the clerk left out with the text of its cells. */
export interface ReportRow extends Omit<LineResult, 'declaration' | 'error'> {
  readonly declaration: { readonly invoice_id: string; readonly amount: number | string };
  readonly error?: { readonly message: string } | undefined;
}

const REPORT_COLUMNS: readonly Column<ReportRow>[] = [
  { heading: pageTexts.row, read: ({ line }) => line },
  { heading: fieldTexts.invoice_id, read: ({ declaration }) => declaration.invoice_id },
  { heading: fieldTexts.amount, kind: 'amount', read: ({ declaration }) => declaration.amount },
  { heading: pageTexts.result, read: ({ outcome }, language) => outcomeTexts[outcome][language] },
  { heading: pageTexts.difference, kind: 'amount', read: ({ tolerance }) => tolerance?.difference },
  {
    heading: { en: 'Difference %', es: 'Diferencia %' },
    kind: 'percentage',
    read: ({ tolerance }) => tolerance?.difference_pct,
  },
  { heading: { en: 'Declaration', es: 'Declaración' }, read: ({ declarationId }) => declarationId },
  { heading: { en: 'Reason', es: 'Motivo' }, read: ({ error }) => error?.message },
  { heading: { en: 'Request', es: 'Solicitud' }, read: ({ requestId }) => requestId },
];

/** Builds the report with the result of every line and the rows that were left out, in the order of the file. */
export function buildReport(rows: readonly ReportRow[], language: Language): Promise<Uint8Array> {
  const sortedRows = rows.toSorted((a, b) => a.line - b.line);
  return buildWorkbook(pageTexts.report, REPORT_COLUMNS, sortedRows, language);
}

/** Lists the rows that are left out, with the error that they have, if any. */
export function listLeftOutRows({ rows, detected }: InvoiceFile, leftOut: ReadonlySet<number>, language: Language) {
  const idColumn = detected.fields.indexOf('invoice_id');
  const amountColumn = detected.fields.indexOf('amount');
  const leftOutRows = rows.filter(({ line }) => leftOut.has(line));
  return leftOutRows.map(({ line, cells, errors: [first] }): ReportRow => {
    const declaration = { invoice_id: cells[idColumn] ?? '', amount: cells[amountColumn] ?? '' };
    return { line, declaration, outcome: 'left_out', error: first && { message: first.error[language] } };
  });
}

/** The columns of the open invoices, in the table and in the workbook. The reader of files ignores all but the id. */
export const INVOICE_COLUMNS: readonly Column<InvoiceRow>[] = [
  { heading: fieldTexts.invoice_id, read: (row) => row.invoice_id },
  { heading: pageTexts.state, read: (row, language) => stateTexts[row.state_code][language] },
  { heading: { en: 'Service', es: 'Servicio' }, read: (row) => row.service_number ?? row.service_id },
  { heading: { en: 'Account', es: 'Cuenta' }, read: (row) => row.account_name },
  { heading: { en: 'City', es: 'Ciudad' }, read: (row) => row.city },
  { heading: { en: 'System date', es: 'Fecha del sistema' }, kind: 'date', read: getDay },
  { heading: pageTexts.systemAmount, kind: 'amount', read: (row) => row.system_amount },
  { heading: pageTexts.declaredBefore, kind: 'amount', read: (row) => row.declared_amount },
];

/** The columns that the clerk fills in. The reader of files knows their headings. */
const DECLARATION_COLUMNS: readonly Column<InvoiceRow>[] = [
  { heading: fieldTexts.amount, isEditable: true, width: 16 },
  { heading: fieldTexts.invoice_number, isEditable: true, width: 24 },
  { heading: fieldTexts.invoice_date, isEditable: true, width: 24 },
  { heading: fieldTexts.tax_pct, isEditable: true, width: 8 },
  { heading: fieldTexts.notes, isEditable: true, width: 40 },
];

/** Builds a workbook of open invoices, with empty cells for what the clerk declares. */
export function buildOpenWorkbook(invoices: readonly InvoiceRow[], language: Language): Promise<Uint8Array> {
  return buildWorkbook(pageTexts.openFile, [...INVOICE_COLUMNS, ...DECLARATION_COLUMNS], invoices, language);
}

function buildWorkbook<Row>(sheet: Text, columns: readonly Column<Row>[], rows: readonly Row[], language: Language) {
  const formats = Object.fromEntries(columns.map((column) => [column.heading[language], column]));
  const cells = rows.map((row) => columns.map(({ read }) => toCell(read?.(row, language))));
  return writeWorkbook(sheet[language], formats, cells);
}

function toCell(value: string | number | null | undefined): Big | string {
  return typeof value === 'number' ? new Big(value) : toPrintable(value ?? '');
}
