import type { Text } from '../../domain/language.ts';
import { decodeCell, type Encoding, findEncoding, findUtf16Label } from './encoding.ts';
import { type ColumnOptions, findColumns, findHeader, joinQuoted } from './find-columns.ts';
import { type DetectedFormat, findStyle } from './detected-format.ts';
import type { DecimalSign } from './read-amount.ts';
import { readCell } from './read-cell.ts';
import { type CsvOptions, type CsvRow, prepend, readCsv } from './read-csv.ts';
import { isWorkbook, openWorkbook, type SheetRow, type TypedCell } from './read-workbook.ts';
import { type Fault, SpreadsheetError, type UnreadableCell } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** The columns that a command expects, and the options of its user; the format without an option is detected. */
export interface TableOptions<Field extends string> extends ColumnOptions<Field>, CsvOptions {
  readonly encoding?: Encoding | undefined;
  readonly decimal?: DecimalSign | undefined;
  readonly dayFirst?: boolean | undefined;
  /** The number of rows from which the format is detected; by default all rows. */
  readonly sample?: number;
  /** The content of a cell that means null. */
  readonly nullWord?: string;
}

/** The value of a cell, or its text with an error. */
type CellValue = { readonly value: string | null } & Partial<Fault>;

/** A row of a table: the values of its cells by field, without empty cells, or an error of the whole row. */
export interface TableRow<Field extends string> {
  readonly line: number;
  /** The texts of all cells, also of unreadable ones. */
  readonly cells: readonly string[];
  readonly values: ReadonlyMap<Field, CellValue>;
  readonly fault?: Text;
}

/**
 * Reads a CSV or a workbook (.xlsx): detects its format from a sample of its rows, and then reads row by row. Throws a
 * SpreadsheetError if the file is neither, if its columns are unclear, or (later) at a malformed row.
 */
export async function readTable<Field extends string>(
  input: AsyncIterable<Buffer | string>,
  options: TableOptions<Field>,
): Promise<{ readonly detected: DetectedFormat<Field>; readonly rows: AsyncGenerator<TableRow<Field>> }> {
  const pieces = toBuffers(input);
  const { value: first = Buffer.alloc(0) } = await pieces.next();
  const all = prepend(first, pieces);
  const source = isWorkbook(first) ? openSheet(all, options) : openCsv(all, findUtf16Label(first), options);
  const { origin, sample, headerIndex, rest = [] } = await source;
  const header = sample[headerIndex] ?? { line: 1, cells: [] };
  const headerLine = headerIndex > 0 ? header.line : null;
  const headings = header.cells.map(readHeading);
  const linePlace = header.line === 1 ? null : texts.placeInFile(header.line);
  const place = 'sheet' in origin ? texts.placeInSheet(origin.sheet, header.line) : linePlace;
  const fields = findColumns(headings, options, place);
  const body = sample.slice(headerIndex + 1);
  const style = findStyle(origin, fields, options.fields, body.slice(0, options.sample), options);
  return { detected: { origin, headerLine, headings, fields, style }, rows: readRows() };

  async function* readRows() {
    for (const row of body) yield readRow(row);
    for await (const row of rest) yield readRow(row);
  }

  function readRow({ line, cells, mayBeShort }: SourceRow): TableRow<Field> {
    const shown = cells.map((cell) => (typeof cell === 'string' ? cell : cell.value));
    const values = new Map<Field, CellValue>();
    const row = { line, cells: shown, values };
    if (cells.length > fields.length || (cells.length < fields.length && !mayBeShort)) {
      return { ...row, fault: texts.columnCount(cells.length, fields.length) };
    }
    const unnamed = headings.findIndex((heading, index) => heading === '' && (shown[index] ?? '') !== '');
    if (unnamed !== -1 && !options.leavesOutOthers) return { ...row, fault: texts.unnamedColumn(unnamed + 1) };
    for (const [index, cell] of cells.entries()) {
      const field = fields[index];
      if (!field || cell === '') continue;
      const reading = cell === options.nullWord ? { value: null } : readCell(cell, options.fields[field].kind, style);
      values.set(field, { value: shown[index] ?? '', ...reading });
    }
    return row;
  }
}

function readHeading(cell: SourceRow['cells'][number]): string {
  if (typeof cell === 'string') return cell.trim();
  // An empty heading with an error is covered by a merged cell.
  if (!('fault' in cell) || cell.value === '') return cell.value;
  throw new SpreadsheetError(texts.unreadableHeading(cell.fault));
}

async function* toBuffers(input: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer, undefined> {
  for await (const piece of input) if (piece.length > 0) yield Buffer.from(piece as Buffer);
}

/** A row of a file before its fields are read. */
interface SourceRow extends Omit<CsvRow, 'cells'> {
  readonly cells: readonly (string | TypedCell | UnreadableCell)[];
}

/** An opened file: the rows from which its format is detected, the index of the header in them, and the other rows. */
interface Source {
  readonly origin: DetectedFormat<string>['origin'];
  readonly sample: readonly SourceRow[];
  readonly headerIndex: number;
  readonly rest?: AsyncIterable<SourceRow>;
}

/** Opens the first sheet of a workbook that has a header with all required fields; else the first one. */
async function openSheet(input: AsyncIterable<Buffer>, options: TableOptions<string>): Promise<Source> {
  const sheets = await openWorkbook(input);
  const searched: ({ sheet: string; position: number; rows: SheetRow[] } & ReturnType<typeof findHeader>)[] = [];
  for (const [index, { name, readRows }] of sheets.slice(0, MAX_SEARCHED_SHEETS).entries()) {
    const rows = await readRows();
    const header = findHeader(readHeadingRows(rows), options);
    searched.push({ sheet: name, position: index + 1, rows, ...header });
    if (index === 0 && header.isComplete) break;
  }
  const complete = searched.filter(({ isComplete }) => isComplete);
  if (complete.length > 1) {
    throw new SpreadsheetError(texts.severalSheets(joinQuoted(complete.map(({ sheet }) => sheet))));
  }
  const { sheet = '', position = 1, rows = [], index: headerIndex = 0 } = complete[0] ?? searched[0] ?? {};
  const hiddenRows = rows.slice(headerIndex + 1).filter(({ isHidden }) => isHidden).length;
  const origin = { sheet, position, sheets: sheets.length, hiddenRows };
  return { origin, headerIndex, sample: rows.map((row) => ({ ...row, mayBeShort: true })) };
}

/** The number of rows in which the header is searched: title rows may precede it. */
const MAX_HEADER_ROWS = 20;
const MAX_SEARCHED_SHEETS = 20;

function readHeadingRows(rows: readonly Pick<SourceRow, 'cells'>[]): string[][] {
  return rows
    .slice(0, MAX_HEADER_ROWS)
    .map(({ cells }) => cells.map((cell) => (typeof cell === 'string' ? cell : cell.value).trim()));
}

/** Opens a CSV, and reads the rows from which its format is detected. */
async function openCsv(
  input: AsyncIterable<Buffer>,
  utf16: string | undefined,
  options: TableOptions<string>,
): Promise<Source> {
  const { separator, rows } = await readCsv(input, utf16, options);
  const { sample: size = Infinity } = options;
  const first: CsvRow[] = [];
  let failure: unknown;
  try {
    for (let next = await rows.next(); !next.done; next = await rows.next()) if (first.push(next.value) > size) break;
  } catch (error) {
    // Thrown by `rest`, after the rows that precede the error.
    failure = error;
  }
  const encoding = utf16 ? 'UTF-16' : (options.encoding ?? findEncoding(first));
  const toRow = (row: CsvRow): SourceRow => ({ ...row, cells: row.cells.map((cell) => decodeCell(cell, encoding)) });
  async function* rest() {
    if (failure) throw failure;
    for await (const row of rows) yield toRow(row);
  }
  const sample = first.map(toRow);
  const { index: headerIndex } = findHeader(readHeadingRows(sample), options);
  return { origin: { encoding, separator }, sample, headerIndex, rest: rest() };
}
