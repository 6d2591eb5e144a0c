import type { Text } from '../../domain/language.ts';
import { findColumns, findHeader } from './find-columns.ts';
import { joinBytes } from './join-bytes.ts';
import type { NumberStyle } from './read-amount.ts';
import { readCell, type Cell, type SourceRow, type Style, toText } from './read-cell.ts';
import { type CsvOptions, openCsv, PIECE_BYTES } from './read-csv.ts';
import { provesDayFirst } from './read-date.ts';
import { isWorkbook, openSheet } from './read-workbook.ts';
import { type CellError, SpreadsheetError } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** The fields that the caller reads, and the options of its user. The format without an option is detected. */
export interface TableOptions<Field extends string> extends CsvOptions<Field>, Pick<NumberStyle, 'decimal'> {
  /** True if the day is the first part of a date. By default, a date with a day after the 12th proves this. */
  readonly isDayFirst?: boolean | undefined;
  /** The content of a cell whose value is null. */
  readonly nullWord?: string;
}

/** The value of a cell, or its text with an error. */
type CellValue = { readonly value: string | null } & Partial<CellError>;

/** A row of a table: the values of its cells by field, without empty cells, or an error of the whole row. */
export interface TableRow<Field extends string> {
  readonly line: number;
  /** The texts of all cells, even of unreadable ones. */
  readonly cells: readonly string[];
  readonly values: ReadonlyMap<Field, CellValue>;
  readonly error?: Text;
}

/** The format of a file, detected or from options. */
export interface DetectedFormat<Field extends string> {
  readonly origin: Awaited<ReturnType<typeof openCsv | typeof openSheet>>['origin'];
  /** The line of the headings if title rows precede it, or null if it is the first row. */
  readonly headerLine: number | null;
  readonly headings: readonly string[];
  /** The field of the column under each heading, or null if the column is ignored. */
  readonly fields: readonly (Field | null)[];
  readonly style: Style;
}

/** Reads a CSV or a workbook (.xlsx) row by row. Throws a SpreadsheetError if its columns are unclear, or at a bad row. */
export async function readTable<Field extends string>(
  input: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array>,
  options: TableOptions<Field>,
): Promise<{ readonly detected: DetectedFormat<Field>; readonly rows: AsyncGenerator<TableRow<Field>> }> {
  const pieces = joinChunks(input);
  const { value: firstPiece = new Uint8Array() } = await pieces.next();
  const open = isWorkbook(firstPiece) ? openSheet : openCsv;
  const { origin, sample, rest } = await open(firstPiece, pieces, options);
  const { index: headerIndex } = findHeader(sample, options);
  const detected = detectFormat(origin, sample, headerIndex, options);
  return { detected, rows: readRows() };

  async function* readRows() {
    for (const row of sample.slice(headerIndex + 1)) yield readRow(row, detected, options);
    for await (const row of rest) yield readRow(row, detected, options);
  }
}

/** Joins the chunks of a stream to pieces of at least PIECE_BYTES; the last piece can be smaller. */
async function* joinChunks(input: Parameters<typeof readTable>[0]): AsyncGenerator<Uint8Array, undefined> {
  let chunks: (Uint8Array | string)[] = [];
  let size = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    size += chunk.length;
    if (size < PIECE_BYTES) continue;
    yield joinBytes(chunks);
    chunks = [];
    size = 0;
  }
  if (size > 0) yield joinBytes(chunks);
}

function detectFormat<Field extends string>(
  origin: DetectedFormat<Field>['origin'],
  sample: readonly SourceRow[],
  headerIndex: number,
  options: TableOptions<Field>,
): DetectedFormat<Field> {
  const header = sample[headerIndex] ?? { line: 1, cells: [] };
  const headings = header.cells.map(readHeading);
  const place = 'sheet' in origin ? texts.placeInSheet(origin.sheet, header.line) : null;
  const fields = findColumns(headings, options, place);
  const isDateField = (field: Field | null | undefined) => field && options.fields[field].kind === 'date';
  const rows = sample.slice(headerIndex + 1).slice(0, options.sample);
  const dates = rows.flatMap(({ cells }) => cells.filter((_, index) => isDateField(fields[index])).map(toText));
  const style: Style = {
    decimal: options.decimal,
    // Spreadsheet programs never separate columns by commas if decimals have a comma.
    allowsDecimalComma: !('separator' in origin && origin.separator === ','),
    isDayFirst: options.isDayFirst || provesDayFirst(dates.map((text) => text.trim())),
  };
  return { origin, headerLine: headerIndex > 0 ? header.line : null, headings, fields, style };
}

function readHeading(cell: Cell): string {
  // A merged cell covers an empty heading with an error. Such a heading can be ignored.
  const hasError = typeof cell !== 'string' && 'error' in cell && cell.value !== '';
  if (hasError) throw new SpreadsheetError(texts.unreadableHeading(cell.error));
  return toText(cell).trim();
}

function readRow<Field extends string>(
  row: SourceRow,
  detected: DetectedFormat<Field>,
  options: TableOptions<Field>,
): TableRow<Field> {
  const { line, cells } = row;
  if (row.error) throw new SpreadsheetError(row.error, line);
  const cellTexts = cells.map(toText);
  const error = findColumnCountError(row, cellTexts, detected.fields.length);
  if (error) return { line, cells: cellTexts, values: new Map(), error };
  return { line, cells: cellTexts, values: readValues(cells, detected, options) };
}

/** Finds the error of a row with more or fewer cells than headings. */
function findColumnCountError(
  { cells, canBeShort }: SourceRow,
  cellTexts: readonly string[],
  columnCount: number,
): Text | null {
  const filledCount = cellTexts.findLastIndex((text) => text.trim() !== '') + 1;
  const isTooShort = cells.length < columnCount && !canBeShort;
  return isTooShort || filledCount > columnCount ? texts.columnCount(cells.length, columnCount) : null;
}

function readValues<Field extends string>(
  cells: readonly Cell[],
  detected: DetectedFormat<Field>,
  { fields, required, nullWord }: TableOptions<Field>,
): ReadonlyMap<Field, CellValue> {
  const values = new Map<Field, CellValue>();
  for (const [index, cell] of cells.entries()) {
    const field = detected.fields[index];
    if (!field || cell === '') continue;
    const result = cell === nullWord ? { value: null } : readCell(cell, fields[field].kind, detected.style);
    // The value of an unreadable cell is its text.
    values.set(field, 'error' in result ? { ...result, value: toText(cell) } : result);
  }
  // If a row has an amount, but no digit in its first required id, it is usually a total.
  const idField = required.find((field) => fields[field].kind === 'id');
  const hasAmount = [...values.keys()].some((field) => fields[field].kind === 'amount');
  if (idField && hasAmount) {
    const id = values.get(idField)?.value ?? '';
    if (!/\d/.test(id)) values.set(idField, { value: id, error: texts.noId });
  }
  return values;
}
