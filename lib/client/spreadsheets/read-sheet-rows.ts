import { Big } from 'big.js';
import { readSheet } from 'read-excel-file/universal';
import { findNumberFormats } from './number-formats.ts';
import type { Cell, TypedCell } from './read-cell.ts';
import { type CellRange, formatCellName, type MarkedCell, MAX_CELLS, scanSheet } from './scan-sheet.ts';
import type { UnreadableCell } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** A sheet, and an archive of its workbook in which the library reads the sheet. */
interface SheetSource {
  readonly name: string;
  /** The position in the list of sheets and charts; the first one is 1. */
  readonly listPosition: number;
  readonly xml: string;
  readonly stylesXml: string;
  readonly archive: ArrayBuffer;
}

// A number as spreadsheets write it: 1050.5, 9.003E3. Excel writes at most 17 digits, and shortens with an exponent.
const NUMBER = /^-?\d{1,20}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?$/;
// The number of characters, with the decimal point, of which a spreadsheet program keeps every digit.
const SAFE_LENGTH = 15;
const MIDNIGHT = /T00:00:00$/;

/** Reads the filled rows of a sheet, and the indexes of its hidden columns. */
export async function readSheetRows({ name, listPosition, xml, stylesXml, archive }: SheetSource) {
  const scan = scanSheet(xml, name, findNumberFormats(stylesXml));
  const data = await readSheet(archive, listPosition, { trim: false, parseNumber: parseNumberCell });
  const rows: Cell[][] = data.map((cells) => cells.map(toCell));
  for (const mark of scan.marked) markCell(rows, mark);

  const width = rows.reduce((maxWidth, cells) => Math.max(maxWidth, cells.length), 0);
  const columnIndexes = Array.from({ length: width }, (_, index) => index);
  const filledRows = rows.flatMap((cells, index) => {
    if (cells.every((cell) => typeof cell === 'string' && cell.trim() === '')) return [];
    const line = index + 1;
    const allCells = columnIndexes.map((columnIndex) => cells[columnIndex] ?? '');
    return [{ line, cells: allCells, canBeShort: true, isHidden: scan.hiddenRows.has(line) }];
  });
  markMergedCells(filledRows, scan.merged);
  const isHidden = (column: number) => scan.hiddenColumns.some(({ min, max }) => column >= min && column <= max);
  return { rows: filledRows, hiddenColumns: columnIndexes.filter((index) => isHidden(index + 1)) };
}

/** Replaces a cell by its error, or adds the format of a number. */
function markCell(rows: Cell[][], { row, column, format, unreadable }: MarkedCell): void {
  const cells = (rows[row - 1] ??= []);
  const cell = cells[column - 1] ?? '';
  const isNumber = typeof cell === 'object' && 'type' in cell && cell.type === 'number';
  if (unreadable) cells[column - 1] = unreadable;
  else if (isNumber) cells[column - 1] = { ...cell, format };
}

/** Converts a number in the file to the number that Excel shows. */
function parseNumberCell(written: string): TypedCell | UnreadableCell {
  if (!NUMBER.test(written)) return { error: texts.notANumber, value: written };
  const exactNumber = new Big(written);
  const value = removeNoise(exactNumber).toFixed();
  // Google Sheets and Apache POI write the integer 9003 as 9003.0 or 9.003E3.
  const isSafeInteger = isInteger(exactNumber) && Number.isSafeInteger(Number(value));
  const isShort = written === value && value.length <= SAFE_LENGTH;
  return { type: 'number', value, hasAllDigits: isSafeInteger || isShort };
}

/** Excel computes in binary and shows 15 digits: it writes 0.30000000000000004 where it shows 0.3. Returns 0.3. */
function removeNoise(number: Big): Big {
  if (isInteger(number)) return number;
  const shownNumber = number.prec(15);
  const maxNoise = number.abs().times(2 ** -50);
  const isNoise = number.minus(shownNumber).abs().lte(maxNoise);
  return isNoise ? shownNumber : number;
}

const isInteger = (number: Big) => number.round().eq(number);

function toCell(value: unknown): Cell {
  if (typeof value === 'boolean') return { type: 'boolean', value: String(value) };
  if (value instanceof Date) return toDateCell(value);
  // `parseNumberCell` has already converted the numbers.
  return (value as string | TypedCell | null) ?? '';
}

/** Converts a date of a workbook, which has no zone, to a day, or to a time with seconds. */
function toDateCell(date: Date): TypedCell | UnreadableCell {
  if (Number.isNaN(date.getTime())) return { error: texts.notADate, value: '' };
  const nearestSecond = new Date(Math.round(date.getTime() / 1000) * 1000);
  const text = nearestSecond.toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  return { type: 'date', value: text.replace(MIDNIGHT, '') };
}

/** Marks the cells that a merged cell covers, because it is unclear whether its value applies to them, too. */
function markMergedCells(rows: readonly { line: number; cells: Cell[] }[], merged: readonly CellRange[]): void {
  const cellsByLine = new Map(rows.map(({ line, cells }) => [line, cells]));
  let steps = 0;
  for (const { first, last } of merged) {
    const error = texts.mergedCell(formatCellName(first));
    for (let row = first.row; row <= last.row; row += 1) {
      const cells = cellsByLine.get(row) ?? [];
      for (let column = first.column; column <= Math.min(last.column, cells.length); column += 1) {
        const isFirst = row === first.row && column === first.column;
        if (!isFirst) cells[column - 1] = { error, value: '' };
        steps += 1;
      }
      steps += 1;
      if (steps > MAX_CELLS) throw new Error('Merged cells overlap.');
    }
  }
}
