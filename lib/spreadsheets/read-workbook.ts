import { Big } from 'big.js';
import readWorkbookFile from 'read-excel-file/universal';
import { SpreadsheetError } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** A cell of a workbook that is no text: digits as they stand in the file, a date of ISO 8601, or neither. */
export interface TypedCell {
  readonly type: 'number' | 'date' | 'boolean';
  readonly value: string;
}

/** A row of a workbook that is not empty; the first line of the sheet is 1. */
export interface SheetRow {
  readonly line: number;
  readonly cells: readonly (string | TypedCell)[];
}

/** The most bytes of a workbook, which is read as a whole. */
export const MAX_WORKBOOK_BYTES = 32 * 1024 * 1024;

/** Whether bytes begin as a workbook does; throws a SpreadsheetError for one of Excel 97. */
export function isWorkbook(bytes: Buffer): boolean {
  const mark = bytes.toString('latin1', 0, 4);
  if (mark === '\xd0\xcf\x11\xe0') throw new SpreadsheetError(texts.oldWorkbook);
  return mark === 'PK\x03\x04';
}

/** Reads the first sheet of a workbook (.xlsx); throws a SpreadsheetError when it is none, or too large. */
export async function readWorkbook(
  input: AsyncIterable<Buffer>,
): Promise<{ readonly sheet: string; readonly otherSheets: number; readonly rows: SheetRow[] }> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of input) {
    size += piece.length;
    if (size > MAX_WORKBOOK_BYTES) throw new SpreadsheetError(texts.largeWorkbook(MAX_WORKBOOK_BYTES / 1024 / 1024));
    pieces.push(piece);
  }
  const sheets = await readSheets(Buffer.concat(pieces));
  const [first = { sheet: '', data: [] }] = sheets;
  const rows = first.data.map((cells, index) => ({ line: index + 1, cells: cells.map(toCell) }));
  const filled = rows.filter(({ cells }) => cells.some((cell) => typeof cell !== 'string' || cell.trim() !== ''));
  return { sheet: first.sheet, otherSheets: sheets.length - 1, rows: filled };
}

async function readSheets(bytes: Buffer) {
  try {
    const content = new Uint8Array(bytes).buffer;
    return await readWorkbookFile(content, { trim: false, parseNumber: (digits): TypedCell => numberCell(digits) });
  } catch {
    throw new SpreadsheetError(texts.brokenWorkbook);
  }
}

function toCell(value: unknown): string | TypedCell {
  if (typeof value === 'boolean') return { type: 'boolean', value: String(value) };
  if (value instanceof Date) return { type: 'date', value: isoDate(value) };
  return (value as string | TypedCell | null) ?? '';
}

/**
 * The digits of a number as the file writes them. Excel computes in binary and shows 15 digits: it writes
 * 0.30000000000000004 where it shows 0.3, and what differs by no more than that noise is what it shows.
 */
function numberCell(digits: string): TypedCell {
  const written = new Big(digits);
  const shown = written.eq(0) ? written : written.prec(15);
  const noise = written.abs().times(2 ** -50);
  return { type: 'number', value: (written.minus(shown).abs().lte(noise) ? shown : written).toFixed() };
}

/** A day without a time of its own, or a time to the second, as a workbook counts it: without a zone. */
function isoDate(date: Date): string {
  const text = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19);
}
