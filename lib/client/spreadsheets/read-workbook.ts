import { Big } from 'big.js';
import { zipSync } from 'fflate';
import { readSheet as readSheetData } from 'read-excel-file/universal';
import { cellName, type CellRange, MAX_CELLS, scanSheet } from './scan-sheet.ts';
import { SpreadsheetError, type UnreadableCell } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';
import { createSizeError, MAX_WORKBOOK_BYTES, unpackWorkbook } from './unpack-workbook.ts';

/** A cell of a workbook that is not a text: an exact number, a date of ISO 8601, or TRUE or FALSE. */
export interface TypedCell {
  readonly type: 'number' | 'date' | 'boolean';
  readonly value: string;
  /** A number as it is written in the file. */
  readonly written?: string;
}

/** A row of a sheet that is not empty; the first line of the sheet is 1. */
export interface SheetRow {
  readonly line: number;
  readonly cells: readonly (string | TypedCell | UnreadableCell)[];
  readonly isHidden: boolean;
}

type Cell = SheetRow['cells'][number];

const SHARED_PARTS = ['xl/workbook.xml', 'xl/_rels/workbook.xml.rels'];
/** A number as spreadsheets write it: Excel writes at most 17 digits, and shortens with an exponent. */
const NUMBER = /^-?\d{1,20}(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?$/;

/** True if bytes begin like a workbook (.xlsx); throws a SpreadsheetError for a workbook of Excel 97. */
export function isWorkbook(bytes: Buffer): boolean {
  const start = bytes.toString('latin1', 0, 4);
  if (start === '\xd0\xcf\x11\xe0') throw new SpreadsheetError(texts.oldWorkbook);
  return start === 'PK\x03\x04';
}

/**
 * Opens a workbook (.xlsx), and returns its sheets. Opening and reading throw a SpreadsheetError if a part is damaged,
 * too large, or not as spreadsheets write it.
 */
export async function openWorkbook(input: AsyncIterable<Buffer>) {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of input) {
    pieces.push(piece);
    size += piece.length;
    if (size > MAX_WORKBOOK_BYTES) throw createSizeError();
  }
  return orBrokenWorkbook(() => {
    const parts = unpackWorkbook(Buffer.concat(pieces));
    return listSheets(parts).map((sheet) => ({
      name: sheet.name,
      readRows: () => orBrokenWorkbook(() => readRows(parts, sheet)),
    }));
  });
}

async function orBrokenWorkbook<Result>(read: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof SpreadsheetError ? error : new SpreadsheetError(texts.brokenWorkbook);
  }
}

type Parts = ReturnType<typeof unpackWorkbook>;
type Sheet = ReturnType<typeof listSheets>[number];

async function readRows(parts: Parts, { name, path, position, bytes }: Sheet): Promise<SheetRow[]> {
  const scan = scanSheet(bytes.toString('latin1'), name);
  // The library receives no other sheet than the one that was scanned.
  const others = [...parts].filter(([part, content]) => SHARED_PARTS.includes(part) || !content.includes('sheetData'));
  const checked = zipSync(Object.fromEntries([...others, [path, bytes]]), { level: 0 });
  const data = await readSheetData(checked.buffer, position, { trim: false, parseNumber: toNumberCell });
  const rows: Cell[][] = data.map((cells) => cells.map(toCell));
  for (const { row, column, cell } of scan.unreadable) (rows[row - 1] ??= [])[column - 1] = cell;
  const width = rows.reduce((widest, cells) => Math.max(widest, cells.length), 0);
  const filled = rows.flatMap((cells, index) => {
    const filledCells = Array.from({ length: width }, (_, column) => cells[column] ?? '');
    const row = { line: index + 1, cells: filledCells, isHidden: scan.hiddenRows.has(index + 1) };
    return cells.some(isFilled) ? [row] : [];
  });
  markMergedCells(new Map(filled.map(({ line, cells }) => [line, cells])), scan.merged);
  return filled;
}

const isFilled = (cell: Cell) => typeof cell !== 'string' || cell.trim() !== '';

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
  if (!NUMBER.test(written)) return { fault: texts.notANumber, value: written };
  const exact = new Big(written);
  const shown = exact.eq(0) || /^-?\d+$/.test(written) ? exact : exact.prec(15);
  const noise = exact.abs().times(2 ** -50);
  return { type: 'number', value: (exact.minus(shown).abs().lte(noise) ? shown : exact).toFixed(), written };
}

/** Converts a date of a workbook, which has no zone, to a day, or to a time with seconds. */
function toDateCell(date: Date): TypedCell | UnreadableCell {
  if (Number.isNaN(date.getTime())) return { fault: texts.notADate, value: '' };
  const text = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString();
  return { type: 'date', value: text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19) };
}

/** Marks the cells that a merged cell covers, because it is unclear whether its value applies to them, too. */
function markMergedCells(rows: ReadonlyMap<number, Cell[]>, merged: readonly CellRange[]): void {
  let left = MAX_CELLS;
  for (const { first, last } of merged) {
    for (let row = first.row; row <= last.row; row += 1) {
      const cells = rows.get(row) ?? [];
      for (let column = first.column; column <= Math.min(last.column, cells.length); column += 1) {
        if (row === first.row && column === first.column) continue;
        cells[column - 1] = { fault: texts.mergedCell(cellName({ row, column }), cellName(first)), value: '' };
        left -= 1;
      }
      if ((left -= 1) < 0) throw new Error('Merged cells overlap.');
    }
  }
}

/** The maximum number of sheets; Excel itself has no limit. */
const MAX_SHEETS = 1000;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Lists the sheets of a workbook with their positions (the first is 1), without those that are charts. */
function listSheets(parts: Parts) {
  const relations = readElements(parts, 'xl/_rels/workbook.xml.rels', 'Relationship');
  const targets = new Map(relations.map((attributes) => [attributes.get('Id'), attributes.get('Target') ?? '']));
  return readElements(parts, 'xl/workbook.xml', 'sheet').flatMap((attributes, index) => {
    const target = targets.get(attributes.get('id')) ?? '';
    const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
    const bytes = parts.get(path);
    if (!bytes?.includes('sheetData')) return [];
    return [{ name: attributes.get('name') ?? '', path, position: index + 1, bytes }];
  });
}

/** Reads the attributes of all elements with a name, without the prefixes of their names. */
function readElements(parts: Parts, path: string, element: string): Map<string, string>[] {
  const xml = parts.get(path)?.toString() ?? '';
  const found = [...xml.matchAll(new RegExp(`<(?:[\\w.-]*:)?${element}\\s([^<>]*)>`, 'g'))];
  if (found.length > MAX_SHEETS) throw new Error('There are too many sheets.');
  return found.map(([, attributes = '']) => {
    const pairs = attributes.matchAll(/(?:[\w.-]+:)?([\w.-]+)="([^"]*)"/g);
    return new Map([...pairs].map(([, name = '', value = '']) => [name, decodeEntities(value)]));
  });
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (entity, digits, hex, name: string) => {
    if (name) return ENTITIES[name] ?? entity;
    return String.fromCodePoint(digits ? Number(digits) : parseInt(hex, 16));
  });
}
