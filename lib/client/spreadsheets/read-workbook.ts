import { Big } from 'big.js';
import { strToU8, unzipSync, zipSync } from 'fflate';
import readAllSheets, { readSheet } from 'read-excel-file/universal';
import { joinBytes } from './bytes.ts';
import { type ColumnOptions, findHeader, joinQuoted } from './find-columns.ts';
import { normalisePart } from './normalise-xml.ts';
import { findNumberFormats } from './number-formats.ts';
import type { Cell, TypedCell } from './read-cell.ts';
import { type CellRange, formatCellName, MAX_CELLS, scanSheet } from './scan-sheet.ts';
import { SpreadsheetError, type UnreadableCell } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

const MIB = 1024 * 1024;
/** The maximum size of a workbook, which is read as a whole. */
export const MAX_WORKBOOK_BYTES = 32 * MIB;
/** The maximum size of the parts of a workbook that are read, after decompression. */
export const MAX_UNPACKED_BYTES = 96 * MIB;
/** The maximum size of the list of sheets. The library needs four times as long for a list of twice the size. */
const MAX_LIST_BYTES = MIB;
const LIST_PARTS = ['xl/workbook.xml', 'xl/_rels/workbook.xml.rels'];
/** The parts that contain text. A pivot cache is never read and can be larger than the sheets. */
const TEXT_PART = /^xl\/(?!pivotCache\/).*\.xml(?:\.rels)?$/;
const MAX_SEARCHED_SHEETS = 20;
/** A number as spreadsheets write it: Excel writes at most 17 digits, and shortens with an exponent. */
const NUMBER = /^-?\d{1,20}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?$/;
// A decimal with few enough digits that a spreadsheet keeps all of them.
const SHORT_DECIMAL = /^-?(?=[\d.]{3,16}$)\d+\.\d+$/;
// A date or a time of ISO 8601, which a Strict Open XML workbook contains.
const DATE_OR_TIME = /^(?:\d{4}-\d{2}-\d{2}(?:T|$)|\d{2}:\d{2})/;
// The tag of a sheet in the list of sheets.
const SHEET_TAG = /<(?:[\w.-]+:)?sheet\s(?:[^<>"']|"[^"]*"|'[^']*')*>/g;

// The first bytes of a workbook of Excel 97 to 2003.
const OLD_WORKBOOK = [0xd0, 0xcf, 0x11, 0xe0];
// The name and the content of the first file in the archive of an OpenDocument spreadsheet.
const OPEN_DOCUMENT = 'mimetypeapplication/vnd.oasis.opendocument.spreadsheet';

/** True if bytes begin like a workbook (.xlsx); throws a SpreadsheetError for a workbook in another format. */
export function isWorkbook(bytes: Uint8Array): boolean {
  const start = new TextDecoder().decode(bytes.subarray(0, 100));
  if (OLD_WORKBOOK.every((byte, index) => bytes[index] === byte)) throw new SpreadsheetError(texts.oldWorkbook);
  if (start.includes(OPEN_DOCUMENT)) throw new SpreadsheetError(texts.openDocument);
  return start.startsWith('PK\x03\x04');
}

/**
 * Opens the first visible sheet, or the only other visible sheet with all required fields if the first one lacks them.
 * Throws a SpreadsheetError if a part is damaged, too large, or not as spreadsheets write it.
 */
export async function openSheet(
  firstPiece: Uint8Array,
  otherPieces: AsyncIterable<Uint8Array>,
  options: ColumnOptions<string>,
) {
  const pieces = [firstPiece];
  let size = firstPiece.length;
  for await (const piece of otherPieces) {
    if (size > MAX_WORKBOOK_BYTES) break;
    pieces.push(piece);
    size += piece.length;
  }
  if (size > MAX_WORKBOOK_BYTES) throw createSizeError();
  try {
    return await findSheet(await openWorkbook(joinBytes(pieces)), options);
  } catch (error) {
    throw error instanceof SpreadsheetError ? error : new SpreadsheetError(texts.brokenWorkbook);
  }
}

/** Finds the sheet to read. Throws a SpreadsheetError if several sheets after the first one have a header. */
async function findSheet(sheets: Awaited<ReturnType<typeof openWorkbook>>, options: ColumnOptions<string>) {
  const candidates = sheets.filter(({ isHidden }) => !isHidden);
  const searchedSheets = [];
  for (const candidate of candidates.slice(0, MAX_SEARCHED_SHEETS)) {
    const { rows, hiddenColumns } = await candidate.read();
    const header = findHeader(rows, options);
    searchedSheets.push({ ...candidate, rows, hiddenColumns, header });
    if (candidate === candidates[0] && header.isComplete) break;
  }
  const completeSheets = searchedSheets.filter(({ header }) => header.isComplete);
  if (completeSheets.length > 1) {
    throw new SpreadsheetError(texts.severalSheets(joinQuoted(completeSheets.map(({ name }) => name))));
  }
  const [sheet] = completeSheets.length > 0 ? completeSheets : searchedSheets;
  if (!sheet) throw new Error('All sheets are hidden.');
  const { name, position, rows, hiddenColumns, header } = sheet;
  // Hidden rows below the header are read like all others.
  const hiddenRows = rows.filter((row, index) => row.isHidden && index > header.index);
  const hiddenLines = hiddenRows.map(({ line }) => line);
  const origin = { sheet: name, position, sheets: sheets.length, hiddenLines, hiddenColumns };
  return { origin, sample: rows, rest: [] };
}

/** Opens a workbook, and returns its sheets. Their rows are read later, because usually only the first is needed. */
export async function openWorkbook(archive: Uint8Array) {
  const unpackedParts = Object.entries(unpackWorkbook(archive));
  const parts: Parts = Object.fromEntries(unpackedParts.map(([name, bytes]) => [name, normalisePart(bytes)]));
  const sheets = await listSheets(parts);
  const sheetParts = sheets.map(({ part }) => part);
  return sheets.map(({ name, part, position, isHidden }, index) => {
    // The library receives no other sheet than the one that was scanned.
    const readableParts = Object.entries(parts).filter(([other]) => other === part || !sheetParts.includes(other));
    const read = () => readRows(name, parts[part] ?? '', Object.fromEntries(readableParts), position);
    return { name, position: index + 1, isHidden, read };
  });
}

/** Unpacks the text parts of a workbook by name. Nothing is unpacked beyond the size that the archive declares. */
function unpackWorkbook(archive: Uint8Array): Readonly<Record<string, Uint8Array>> {
  let total = 0;
  return unzipSync(archive, {
    filter({ name, size, originalSize }) {
      if (!TEXT_PART.test(name)) return false;
      // A part that is not compressed is unpacked with its packed size.
      total += Math.max(size, originalSize);
      if (total > MAX_UNPACKED_BYTES) throw createSizeError();
      return true;
    },
  });
}

function createSizeError(): SpreadsheetError {
  return new SpreadsheetError(texts.largeWorkbook(MAX_WORKBOOK_BYTES / MIB, MAX_UNPACKED_BYTES / MIB));
}

/** The XML of the parts of a workbook by name. */
type Parts = Readonly<Record<string, string>>;

/** Builds an archive in memory for the library, which opens nothing else. */
function toArchive(parts: Parts) {
  const files = Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)] as const);
  return zipSync(Object.fromEntries(files), { level: 0 }).buffer;
}

/**
 * Lists the sheets of a workbook with their positions, without charts. The library reads the names from a workbook in
 * which each part contains only its number, so that the library cannot read another part than the one listed here.
 */
async function listSheets(parts: Parts) {
  const names = Object.keys(parts);
  const toStub = (index: number) => `<sheetData><row r="1"><c r="A1"><v>${index}</v></c></row></sheetData>`;
  const stubs = names.map((name, index) => [name, toStub(index)] as const);
  const lists = Object.entries(parts).filter(([name]) => LIST_PARTS.includes(name));
  if (lists.some(([, { length }]) => length > MAX_LIST_BYTES)) throw new Error('There are too many sheets.');
  const sheets = await readAllSheets(toArchive(Object.fromEntries([...stubs, ...lists])));
  const tags = parts['xl/workbook.xml']?.match(SHEET_TAG) ?? [];
  if (tags.length !== sheets.length) throw new Error('The list of sheets is not as spreadsheets write it.');
  return sheets.flatMap(({ sheet: name, data }: { sheet: string; data?: unknown[][] }, index) => {
    const firstCell = data?.[0]?.[0];
    const part = names[Number(firstCell)];
    const isHidden = /\sstate=["'](?:hidden|veryHidden)["']/.test(tags[index] ?? '');
    return part === undefined ? [] : [{ name, part, position: index + 1, isHidden }];
  });
}

/** Reads the filled rows of a sheet, and the indexes of its hidden columns. */
async function readRows(sheet: string, xml: string, parts: Parts, position: number) {
  const formats = findNumberFormats(parts['xl/styles.xml'] ?? '');
  const { unreadable, formatted, merged, hiddenRows, hiddenColumns } = scanSheet(xml, sheet, formats);
  const data = await readSheet(toArchive(parts), position, { trim: false, parseNumber: toNumberCell });
  const rows: Cell[][] = data.map((cells) => cells.map(toCell));
  for (const { row, column, format } of formatted) {
    const cell = rows[row - 1]?.[column - 1];
    if (typeof cell !== 'object' || !('type' in cell) || cell.type !== 'number') continue;
    rows[row - 1]?.splice(column - 1, 1, { ...cell, format });
  }
  for (const { row, column, cell } of unreadable) {
    const cells = rows[row - 1] ?? [];
    cells[column - 1] = cell;
    rows[row - 1] = cells;
  }
  const width = rows.reduce((maxWidth, cells) => Math.max(maxWidth, cells.length), 0);
  const columns = Array.from({ length: width }, (_, column) => column);
  const filledRows = rows.flatMap((cells, index) => {
    if (!cells.some((cell) => typeof cell !== 'string' || cell.trim() !== '')) return [];
    const line = index + 1;
    const filledCells = columns.map((column) => cells[column] ?? '');
    return [{ line, cells: filledCells, canBeShort: true, isHidden: hiddenRows.has(line) }];
  });
  markMergedCells(filledRows, merged);
  const isHidden = (column: number) => hiddenColumns.some(({ min, max }) => min <= column + 1 && column < max);
  return { rows: filledRows, hiddenColumns: columns.filter(isHidden) };
}

function toCell(value: unknown): Cell {
  if (typeof value === 'boolean') return { type: 'boolean', value: String(value) };
  if (value instanceof Date) return toDateCell(value);
  return (value as string | TypedCell | null) ?? '';
}

/**
 * Converts a number as it is written in the file to the number that Excel shows. Excel computes in binary and shows 15
 * digits: it writes 0.30000000000000004 where it shows 0.3. Differences of that size are removed.
 */
function toNumberCell(written: string): TypedCell | UnreadableCell {
  if (DATE_OR_TIME.test(written)) return { type: 'date', value: written.replace(/T00:00:00(?:\.0+)?$/, '') };
  if (!NUMBER.test(written)) return { error: texts.notANumber, value: written };
  const exact = new Big(written);
  // Google Sheets and Apache POI write the integer 9003 as 9003.0 or 9.003E3.
  const isInteger = exact.round().eq(exact);
  const shown = isInteger ? exact : exact.prec(15);
  const maxNoise = exact.abs().times(2 ** -50);
  const isNoise = exact.minus(shown).abs().lte(maxNoise);
  const value = (isNoise ? shown : exact).toFixed();
  const isSafeInteger = isInteger && Number.isSafeInteger(Number(value)) && !/^-?0\d/.test(written);
  return { type: 'number', value, hasAllDigits: isSafeInteger || (written === value && SHORT_DECIMAL.test(value)) };
}

/** Converts a date of a workbook, which has no zone, to a day, or to a time with seconds. */
function toDateCell(date: Date): TypedCell | UnreadableCell {
  if (Number.isNaN(date.getTime())) return { error: texts.notADate, value: '' };
  const text = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  return { type: 'date', value: text.replace('T00:00:00', '') };
}

/** Marks the cells that a merged cell covers, because it is unclear whether its value applies to them, too. */
function markMergedCells(rows: readonly { line: number; cells: Cell[] }[], merged: readonly CellRange[]): void {
  const cellsByLine = new Map(rows.map(({ line, cells }) => [line, cells]));
  let steps = 0;
  for (const { first, last } of merged) {
    for (let row = first.row; row <= last.row; row += 1) {
      const cells = cellsByLine.get(row) ?? [];
      for (let column = first.column; column <= Math.min(last.column, cells.length); column += 1) {
        if (row === first.row && column === first.column) continue;
        const error = texts.mergedCell(formatCellName(first));
        cells[column - 1] = { error, value: '' };
        steps += 1;
      }
      steps += 1;
      if (steps > MAX_CELLS) throw new Error('Merged cells overlap.');
    }
  }
}
