import type { Language, Text } from '../../domain/language.ts';
import { joinBytes } from './bytes.ts';
import { findColumns, findHeader } from './find-columns.ts';
import { findStyle, readCell, type Cell, type SourceRow, type Style, type StyleOptions, toText } from './read-cell.ts';
import { type CsvOptions, openCsv, PIECE_BYTES } from './read-csv.ts';
import { isWorkbook, openSheet } from './read-workbook.ts';
import { type CellError, SpreadsheetError } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** The columns that a command expects, and the options of its user; the format without an option is detected. */
export interface TableOptions<Field extends string> extends CsvOptions<Field>, StyleOptions {
  /** The content of a cell that means null. */
  readonly nullWord?: string;
}

/** A row of a table: the values of its cells by field, without empty cells, or an error of the whole row. */
export interface TableRow<Field extends string> {
  readonly line: number;
  /** The texts of all cells, also of unreadable ones. */
  readonly cells: readonly string[];
  /** The value of each cell, or its text with an error. */
  readonly values: ReadonlyMap<Field, { readonly value: string | null } & Partial<CellError>>;
  readonly error?: Text;
}

/** The format of a file, detected or from options. */
export interface DetectedFormat<Field extends string> {
  readonly origin: Awaited<ReturnType<typeof openCsv | typeof openSheet>>['origin'];
  /** The line of the headings if title rows precede it; null if it is the first row. */
  readonly headerLine: number | null;
  readonly headings: readonly string[];
  /** The field of the column under each heading; null: the column is ignored. */
  readonly fields: readonly (Field | null)[];
  readonly style: Style;
}

/**
 * Reads a CSV or a workbook (.xlsx): detects its format from a sample of its rows, and then reads row by row. Throws a
 * SpreadsheetError if the file is neither, if its columns are unclear, or (later) at a malformed row.
 */
export async function readTable<Field extends string>(
  input: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array>,
  options: TableOptions<Field>,
): Promise<{ readonly detected: DetectedFormat<Field>; readonly rows: AsyncGenerator<TableRow<Field>> }> {
  const pieces = joinChunks(input);
  const { value: firstPiece = new Uint8Array() } = await pieces.next();
  const open = isWorkbook(firstPiece) ? openSheet : openCsv;
  const { origin, sample, rest } = await open(firstPiece, pieces, options);
  const { index: headerIndex } = findHeader(sample, options);
  const header = sample[headerIndex] ?? { line: 1, cells: [] };
  const headings = header.cells.map(readHeading);
  const linePlace = header.line === 1 ? null : texts.placeInFile(header.line);
  const place = 'sheet' in origin ? texts.placeInSheet(origin.sheet, header.line) : linePlace;
  const fields = findColumns(headings, options, header.line, place);
  const kinds = fields.map((field) => field && options.fields[field].kind);
  const body = sample.slice(headerIndex + 1);
  // Spreadsheet programs never separate columns by commas if decimals have a comma.
  const allowsDecimalComma = !('separator' in origin && origin.separator === ',');
  const style = findStyle(kinds, body.slice(0, options.sample), { ...options, allowsDecimalComma });
  const detected = { origin, headerLine: headerIndex > 0 ? header.line : null, headings, fields, style };
  return { detected, rows: readRows() };

  async function* readRows() {
    for (const row of body) yield readRow(row);
    for await (const row of rest) yield readRow(row);
  }

  function readRow({ line, cells, canBeShort, error }: SourceRow): TableRow<Field> {
    if (error) throw new SpreadsheetError(error, line);
    const values = new Map<Field, { value: string | null } & Partial<CellError>>();
    const row = { line, cells: cells.map(toText), values };
    const filledLength = row.cells.findLastIndex((text) => text.trim() !== '') + 1;
    const hasOtherLength = filledLength > fields.length || (cells.length < fields.length && !canBeShort);
    if (hasOtherLength) return { ...row, error: texts.columnCount(cells.length, fields.length) };
    const unnamedIndex = row.cells.findIndex((text, index) => text !== '' && headings[index] === '');
    if (unnamedIndex !== -1 && !options.ignoresOtherColumns && !options.ignoresUnknown) {
      return { ...row, error: texts.unnamedColumn(unnamedIndex + 1) };
    }
    for (const [index, cell] of cells.entries()) {
      const field = fields[index];
      if (!field || cell === '') continue;
      const reading = cell === options.nullWord ? { value: null } : readCell(cell, options.fields[field].kind, style);
      // The text of the cell is the value if the reading has only an error.
      values.set(field, { value: toText(cell), ...reading });
    }
    const idField = options.required.find((field) => options.fields[field].kind === 'id');
    const hasAmount = [...values.keys()].some((field) => options.fields[field].kind === 'amount');
    const id = (idField && values.get(idField)?.value) ?? '';
    if (idField && hasAmount && !/\d/.test(id)) values.set(idField, { value: id, error: texts.noId });
    return row;
  }
}

/** Joins the chunks of a stream to pieces of at least PIECE_BYTES; the last piece can be smaller. */
async function* joinChunks(input: Parameters<typeof readTable>[0]): AsyncGenerator<Uint8Array, undefined> {
  let buffers: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input) {
    const buffer = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
    buffers.push(buffer);
    size += buffer.length;
    if (size < PIECE_BYTES) continue;
    yield joinBytes(buffers);
    buffers = [];
    size = 0;
  }
  if (size > 0) yield joinBytes(buffers);
}

function readHeading(cell: Cell): string {
  // An empty heading with an error is covered by a merged cell.
  if (typeof cell === 'string' || !('error' in cell) || cell.value === '') return toText(cell).trim();
  throw new SpreadsheetError(texts.unreadableHeading(cell.error));
}

/** Describes the detected format in one or two lines, so that the user can recognise a wrong detection. */
export function describeFormat<Field extends string>(detected: DetectedFormat<Field>, language: Language): string[] {
  const { origin, headerLine, headings, fields, style } = detected;
  const format: Text[] = [];
  if ('sheet' in origin) format.push(texts.readSheet(origin.sheet));
  else format.push(texts.readAs(origin.encoding), texts.separators[origin.separator]);
  if ('sheet' in origin && origin.sheets > 1) format.push(texts.otherSheets(origin.position, origin.sheets));
  if (headerLine !== null) format.push(texts.headerLine(headerLine));
  format.push(...style.marks.map((mark) => texts.decimalMarks[mark]));
  if (style.proof) format.push(texts.thousandsPoint);
  if (style.dates && style.dates !== 'iso') format.push(texts.dateOrders[style.dates]);
  if (origin.hiddenLines.length > 0) format.push(texts.hiddenRows(origin.hiddenLines.length));
  if (origin.hiddenColumns.length > 0) format.push(texts.hiddenColumns(origin.hiddenColumns.length));

  const columns = headings.flatMap((heading, index) => {
    const field = fields[index];
    if (field) return field === heading ? [] : [texts.foundIn(field, heading)];
    return heading === '' ? [] : [texts.leftOut(heading)];
  });
  const toSentence = (parts: readonly Text[]) => `${parts.map((text) => text[language]).join(', ')}.`;
  return columns.length > 0 ? [toSentence(format), toSentence(columns)] : [toSentence(format)];
}
