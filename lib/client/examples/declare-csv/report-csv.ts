import { Big } from 'big.js';
import type { Results } from './declare-lines.ts';
import type { Dialect } from './read-invoices.ts';

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
  const text = (value: string | null | undefined) => asText(value ?? '');
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

/** Keeps a text from anywhere what it is: a spreadsheet would calculate one that begins like a formula. */
function asText(text: string): string {
  // Without control characters and marks that nobody sees, such as those that turn the direction of a text.
  const visible = text.replaceAll(/[\t\r\n]+/g, ' ').replaceAll(/[\p{Cc}\p{Cf}]/gu, '');
  return /^[\t\r\n]/.test(text) || /^\s*[=+\-@＝＋－＠]/.test(visible) ? `'${visible}` : visible;
}

function quoted(cell: string): string {
  return /[",;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
