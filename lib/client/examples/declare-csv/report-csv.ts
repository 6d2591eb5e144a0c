import { Big } from 'big.js';
import type { Results } from './line-result.ts';
import type { Dialect } from './parse-invoices.ts';

const HEADER = [
  'line',
  'invoice_id',
  'amount',
  'outcome',
  'action',
  'difference',
  'difference_pct',
  'declaration_id',
  'code',
  'message',
  'request_id',
];

/** What became of every line as a CSV, for the spreadsheet that wrote the file: in its own dialect. */
export function reportCsv(results: Results, { separator, decimalMark, byteOrderMark }: Dialect): string {
  const decimal = (value: number | undefined) =>
    value === undefined ? '' : new Big(value).toFixed().replace('.', decimalMark);
  const text = (value: string | null | undefined) => withoutFormula(value ?? '');
  const rows = [...results].map(([{ line, declaration }, { outcome, tolerance, declarationId, error, requestId }]) => [
    String(line),
    text(declaration.invoice_id),
    decimal(declaration.amount),
    outcome,
    text(tolerance?.action),
    decimal(tolerance?.difference),
    decimal(tolerance?.difference_pct),
    text(declarationId),
    text(error?.code),
    text(error?.message),
    text(requestId),
  ]);
  const table = [HEADER, ...rows].map((row) => `${row.map((cell) => quoted(cell)).join(separator)}\r\n`).join('');
  return byteOrderMark ? `\ufeff${table}` : table;
}

/** A spreadsheet would calculate a text that begins like this, and it may come from anywhere. */
function withoutFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function quoted(cell: string): string {
  return /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
