import { Big } from 'big.js';
import { readSheet } from 'read-excel-file/universal';
import { findNumberFormats } from './number-formats.ts';
import type { Cell, SourceRow, TypedCell } from './read-cell.ts';
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
// A spreadsheet program computes with 15 digits. It keeps every digit of a number with at most 15 characters.
const MAX_DIGITS = 15;

/** A row with a cell for every column of the sheet. */
type SheetRow = SourceRow & { readonly cells: Cell[]; readonly isHidden: boolean };

/** Reads the rows of a sheet that are not empty, and the indexes of its hidden columns. */
export async function readSheetRows({ name, listPosition, xml, stylesXml, archive }: SheetSource) {
  const scan = scanSheet(xml, name, findNumberFormats(stylesXml));
  const data = await readSheet(archive, listPosition, { trim: false, parseNumber: parseNumberCell });
  const cellRows: Cell[][] = data.map((values) => values.map(toCell));
  for (const markedCell of scan.marked) applyMark(cellRows, markedCell);

  const width = cellRows.reduce((maxWidth, cells) => Math.max(maxWidth, cells.length), 0);
  const columnIndexes = Array.from({ length: width }, (_, index) => index);
  const rows: SheetRow[] = [];
  for (const [index, cells] of cellRows.entries()) {
    const isEmpty = cells.every((cell) => typeof cell === 'string' && cell.trim() === '');
    if (isEmpty) continue;
    const line = index + 1;
    const allCells = columnIndexes.map((columnIndex) => cells[columnIndex] ?? '');
    rows.push({ line, cells: allCells, canBeShort: true, isHidden: scan.hiddenRows.has(line) });
  }
  replaceMergedCells(rows, scan.merged);
  const isHidden = (column: number) => scan.hiddenColumns.some(({ min, max }) => column >= min && column <= max);
  return { rows, hiddenColumns: columnIndexes.filter((index) => isHidden(index + 1)) };
}

/** Replaces an unreadable cell by its error, and adds its format to a cell with a number. */
function applyMark(cellRows: Cell[][], { row, column, format, unreadable }: MarkedCell): void {
  // The library can omit a row whose cells have no values.
  const cells = (cellRows[row - 1] ??= []);
  const cell = cells[column - 1];
  const isNumber = typeof cell === 'object' && 'type' in cell && cell.type === 'number';
  if (unreadable) cells[column - 1] = unreadable;
  else if (isNumber) cells[column - 1] = { ...cell, format };
}

/** Replaces the cells that a merged cell covers by errors, because its value may not apply to them. */
function replaceMergedCells(rows: readonly SheetRow[], merged: readonly CellRange[]): void {
  const cellsByLine = new Map(rows.map(({ line, cells }) => [line, cells]));
  // Ranges that do not overlap need at most one step for each row and each cell. A hostile file can repeat a range.
  let steps = 0;
  for (const { first, last } of merged) {
    const error = texts.mergedCell(formatCellName(first));
    for (let row = first.row; row <= last.row; row += 1) {
      const cells = cellsByLine.get(row) ?? [];
      const lastColumn = Math.min(last.column, cells.length);
      for (let column = first.column; column <= lastColumn; column += 1) {
        const isFirst = row === first.row && column === first.column;
        if (!isFirst) cells[column - 1] = { error, value: '' };
      }
      steps += 1 + Math.max(0, lastColumn - first.column + 1);
      if (steps > MAX_CELLS) throw new Error('Merged cells overlap.');
    }
  }
}

/** Converts a number of the XML, such as 0.30000000000000004, to the number that Excel shows, such as 0.3. */
function parseNumberCell(written: string): TypedCell | UnreadableCell {
  if (!NUMBER.test(written)) return { error: texts.notANumber, value: written };
  const exactNumber = new Big(written);
  const value = removeNoise(exactNumber).toFixed();
  // Google Sheets and Apache POI write the integer 9003 as 9003.0 or 9.003E3.
  const isSafeInteger = isInteger(exactNumber) && Number.isSafeInteger(Number(value));
  const isShort = written === value && value.length <= MAX_DIGITS;
  return { type: 'number', value, hasAllDigits: isSafeInteger || isShort };
}

/** Rounds a fraction to the digits that Excel shows, if the rest is an error of binary arithmetic. */
function removeNoise(number: Big): Big {
  if (isInteger(number)) return number;
  const shownNumber = number.prec(MAX_DIGITS);
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
  return { type: 'date', value: text.replace(/T00:00:00$/, '') };
}
