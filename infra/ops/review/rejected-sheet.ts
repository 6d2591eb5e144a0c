import { extname } from 'node:path';
import { type CsvCell, type CsvDialect, formatCsvLine } from '../../../lib/client/spreadsheets/write-csv.ts';
import { writeWorkbook } from '../../../lib/client/spreadsheets/write-workbook.ts';
import { toPrintable } from '../../../lib/runtime/printable.ts';
import { isAmount, toDecimal } from '../input/decimal-text.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import type { ReviewRow } from './review-row.ts';
import { INVOICE_LIST, type SheetColumn } from './invoice-list.ts';

const COLUMNS = { ...INVOICE_LIST.columns, rejected: { width: 60 } };

/** Builds the sheet of rejected rows with a column of errors: a workbook if the path ends with .xlsx, else a CSV. */
export async function buildRejectedSheet(rejectedRows: readonly ReviewRow[], path: string, dialect: CsvDialect) {
  if (rejectedRows.length === 0) return '';
  const rows = rejectedRows.map(toCells);
  if (extname(path).toLowerCase() === '.xlsx') return writeWorkbook('Rejected', COLUMNS, rows);
  const lines = [Object.keys(COLUMNS), ...rows].map((cells) => formatCsvLine(cells, dialect));
  return dialect.bom + lines.join('');
}

function toCells({ line, row, errors }: ReviewRow): CsvCell[] {
  const cells = Object.entries(INVOICE_LIST.columns).map(([heading, { kind }]) => {
    const text = row[heading as SheetColumn];
    // Only NDJSON can contain other types, such as a Boolean.
    if (typeof text !== 'string') return null;
    return kind === 'amount' && isAmount(text) ? toDecimal(text) : toPrintable(text);
  });
  return [...cells, toPrintable(translate(opsTexts.rejectedLine(line, errors.join('; '))))];
}
