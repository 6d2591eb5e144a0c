import { Big } from 'big.js';
import type { Language } from '../../../domain/language.ts';
import type { Findings } from '../../../spreadsheets/findings.ts';
import type { LineResult, Results } from './declare-lines.ts';
import type { InvoiceLine } from './read-invoices.ts';
import { runTexts } from './run-texts.ts';

/** How the spreadsheet that wrote a file separates columns, marks decimals, and begins a file that is not ASCII. */
export interface Dialect {
  readonly separator: string;
  readonly decimalMark: string;
  readonly byteOrderMark: boolean;
}

/** The dialect of a report for whoever wrote a file: that of the file or, beside a workbook, of the language. */
export function dialectOf(bytes: Uint8Array, { origin, style }: Findings<string>, language: Language): Dialect {
  if ('sheet' in origin) {
    const decimalMark = runTexts.decimalMark[language];
    return { separator: decimalMark === ',' ? ';' : ',', decimalMark, byteOrderMark: true };
  }
  const isMarked = Buffer.from(bytes.subarray(0, 3)).toString('latin1') === '\u00ef\u00bb\u00bf';
  return {
    separator: origin.separator,
    decimalMark: style.amounts.marks.includes(',') ? ',' : '.',
    // Only a program such as Excel writes files with such a beginning or encoding.
    byteOrderMark: isMarked || origin.encoding !== 'UTF-8',
  };
}

/** What became of every line as a CSV, for the spreadsheet that wrote the file: in its own dialect. */
export function reportCsv(results: Results, { separator, decimalMark, byteOrderMark }: Dialect): string {
  const decimal = (value: number | undefined) =>
    value === undefined ? '' : new Big(value).toFixed().replace('.', decimalMark);
  const columns: Readonly<Record<string, (line: InvoiceLine, result: LineResult) => string>> = {
    line: ({ line }) => String(line),
    invoice_id: ({ declaration }) => asText(declaration.invoice_id),
    amount: ({ declaration }) => decimal(declaration.amount),
    outcome: (_, { outcome }) => outcome,
    action: (_, { tolerance }) => asText(tolerance?.action),
    difference: (_, { tolerance }) => decimal(tolerance?.difference),
    difference_pct: (_, { tolerance }) => decimal(tolerance?.difference_pct),
    declaration_id: (_, { declarationId }) => asText(declarationId),
    code: (_, { error }) => asText(error?.code),
    message: (_, { error }) => asText(error?.message),
    request_id: (_, { requestId }) => asText(requestId),
  };
  const rows = [...results].map(([line, result]) => Object.values(columns).map((cell) => cell(line, result)));
  const table = [Object.keys(columns), ...rows].map((row) => `${row.map(quoted).join(separator)}\r\n`).join('');
  return byteOrderMark ? `\ufeff${table}` : table;
}

/** Keeps a text from anywhere what it is: a spreadsheet would calculate one that begins like a formula. */
function asText(value: string | null | undefined): string {
  const text = value ?? '';
  // Without control characters and marks that nobody sees, such as those that turn the direction of a text.
  const visible = text.replaceAll(/[\t\r\n]+/g, ' ').replaceAll(/[\p{Cc}\p{Cf}]/gu, '');
  return /^[\t\r\n]/.test(text) || /^\s*[=+\-@＝＋－＠]/.test(visible) ? `'${visible}` : visible;
}

function quoted(cell: string): string {
  return /[",;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
