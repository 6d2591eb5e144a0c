import { extname } from 'node:path';
import { AMOUNT_COLUMNS, type SheetRow } from '../../../lib/admin/review/decision-record.ts';
import { SHEET_COLUMNS, type SheetColumn } from '../../../lib/admin/review/sheet.ts';
import { isAmount, toDecimal } from '../../../lib/domain/decimal-text.ts';
import { type CsvCell, type CsvDialect, csvLine } from '../../../lib/spreadsheets/write-csv.ts';
import { writeWorkbook } from '../../../lib/spreadsheets/write-workbook.ts';
import { printable } from '../../printable.ts';
import { INVOICE_SHEET } from './invoice-sheet.ts';

/** A row of a reviewed sheet that is rejected, and why. */
export interface RejectedRow {
  readonly line: number;
  readonly row: SheetRow;
  readonly faults: readonly string[];
}

/**
 * Builds the sheet of rejected rows, with the reasons in a column of its own: a workbook if the path ends with .xlsx,
 * and else a CSV. It is empty if there are no rows.
 */
export async function buildRejectedSheet(
  rejected: readonly RejectedRow[],
  path: string,
  dialect: CsvDialect,
): Promise<string | Buffer> {
  if (rejected.length === 0) return '';
  const columns = [...INVOICE_SHEET.columns, { heading: 'rejected', kind: 'text', width: 60 } as const];
  const rows = rejected
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, row, faults }) => [
      ...SHEET_COLUMNS.map((column) => toCell(row[column], column)),
      printable(`line ${line}: ${faults.join('; ')}`),
    ]);
  if (extname(path).toLowerCase() === '.xlsx') return writeWorkbook('Rejected', columns, rows);
  const lines = [columns.map(({ heading }) => heading), ...rows].map((cells) => csvLine(cells, dialect));
  return dialect.mark + lines.join('');
}

function toCell(cell: string | null | undefined, column: SheetColumn): CsvCell {
  if (typeof cell !== 'string') return null;
  return AMOUNT_COLUMNS.includes(column) && isAmount(cell) ? toDecimal(cell) : printable(cell);
}
