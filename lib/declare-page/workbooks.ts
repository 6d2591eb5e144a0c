import { Big } from 'big.js';
import type { InvoiceRow } from '../client/index.ts';
import { type ColumnFormat, writeWorkbook } from '../client/spreadsheets/write-workbook.ts';
import type { Language, Text } from '../domain/language.ts';
import { toPrintable } from '../runtime/printable.ts';
import type { LineResult } from './declare-lines.ts';
import { fieldTexts, outcomeTexts, pageTexts } from './page-texts.ts';
import type { LeftOutRow } from './read-invoices.ts';

/** A column of a workbook: its heading, its format, and how its value is read. */
interface Column<Row> extends ColumnFormat {
  readonly heading: Text;
  readonly read?: (row: Row) => string | number | null | undefined;
}

const REPORT_COLUMNS: readonly Column<LineResult>[] = [
  { heading: pageTexts.row, read: ({ line }) => line },
  { heading: fieldTexts.invoice_id, read: ({ declaration }) => declaration.invoice_id },
  { heading: fieldTexts.amount, kind: 'amount', read: ({ declaration }) => declaration.amount },
  { heading: pageTexts.result },
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

/** Builds the report: the result of every line, and the rows that were left out. */
export function buildReport(
  results: readonly LineResult[],
  leftOutRows: readonly LeftOutRow[],
  language: Language,
): Promise<Uint8Array> {
  const resultRows = results.map((result) => ({
    line: result.line,
    cells: REPORT_COLUMNS.map(({ read }) => (read ? toCell(read(result)) : outcomeTexts[result.outcome][language])),
  }));
  const otherRows = leftOutRows.map(({ line, invoiceId, amount, reason }) => {
    const empty = '';
    const outcome = outcomeTexts.left_out[language];
    const cells = [toCell(line), invoiceId, amount, outcome, empty, empty, empty, reason?.[language] ?? empty, empty];
    return { line, cells };
  });
  const rows = [...resultRows, ...otherRows].toSorted((a, b) => a.line - b.line).map(({ cells }) => cells);
  return writeWorkbook(pageTexts.report[language], toFormats(REPORT_COLUMNS, language), rows);
}

/** The columns of the pending invoices. The reader of files knows the headings of those that the clerk fills in. */
const PENDING_COLUMNS: readonly Column<InvoiceRow>[] = [
  { heading: fieldTexts.invoice_id, read: (row) => row.invoice_id },
  { heading: { en: 'Service', es: 'Servicio' }, read: (row) => row.service_number ?? row.service_id },
  { heading: { en: 'Account', es: 'Cuenta' }, read: (row) => row.account_name },
  { heading: { en: 'City', es: 'Ciudad' }, read: (row) => row.city },
  { heading: { en: 'System amount', es: 'Importe del sistema' }, kind: 'amount', read: (row) => row.system_amount },
  { heading: fieldTexts.amount, isEditable: true, width: 16 },
  { heading: fieldTexts.invoice_number, isEditable: true, width: 24 },
  { heading: fieldTexts.invoice_date, isEditable: true, width: 24 },
  { heading: fieldTexts.tax_pct, isEditable: true, width: 8 },
  { heading: fieldTexts.notes, isEditable: true, width: 40 },
];

/** Builds a workbook of pending invoices, with empty cells for what the clerk declares. */
export function buildPendingWorkbook(invoices: readonly InvoiceRow[], language: Language): Promise<Uint8Array> {
  const rows = invoices.map((invoice) => PENDING_COLUMNS.map(({ read }) => toCell(read?.(invoice))));
  return writeWorkbook(pageTexts.pendingFile[language], toFormats(PENDING_COLUMNS, language), rows);
}

function toFormats<Row>(columns: readonly Column<Row>[], language: Language): Readonly<Record<string, ColumnFormat>> {
  return Object.fromEntries(columns.map((column) => [column.heading[language], column]));
}

function toCell(value: string | number | null | undefined): Big | string {
  return typeof value === 'number' ? new Big(value) : toPrintable(value ?? '');
}
