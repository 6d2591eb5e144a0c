import type { Text } from '../domain/language.ts';
import { type Encoding, utf16Label } from './encoding.ts';
import { type ColumnOptions, findColumns } from './find-columns.ts';
import { type Findings, findStyle } from './findings.ts';
import { openCsv, openSheet, type Source, type SourceRow } from './open-source.ts';
import type { DecimalSign } from './read-amount.ts';
import { readCell } from './read-cell.ts';
import type { CsvOptions } from './read-csv.ts';
import { isWorkbook } from './read-workbook.ts';
import { ColumnsError, type Fault, SpreadsheetError } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** What a command wants of a file, and what it was told of it; what it was not told is found out. */
export interface TableOptions<Field extends string> extends ColumnOptions<Field>, CsvOptions {
  readonly encoding?: Encoding | undefined;
  readonly decimal?: DecimalSign | undefined;
  readonly dayFirst?: boolean | undefined;
  /** How many rows show how a file is written; all of them unless it is said. */
  readonly sample?: number;
  /** A cell with this word, and no other, is null. */
  readonly nullWord?: string;
}

/** What a cell says, or what stands in it and why that is not read. */
export type CellValue = { readonly value: string | null } & Partial<Fault>;

/** A line of a table: what its cells say by field, without the empty ones; or why nothing of it is read. */
export interface TableRow<Field extends string> {
  readonly line: number;
  readonly lastLine: number;
  /** What stands there, also where it could not be read. */
  readonly cells: readonly string[];
  readonly values: ReadonlyMap<Field, CellValue>;
  readonly fault?: Text;
}

/**
 * Reads a CSV or a workbook (.xlsx): finds out how it is written by a sample of its rows, and then reads row by row.
 * Throws a SpreadsheetError when it is no such file, its columns are not clear, or (later) where it breaks off.
 */
export async function readTable<Field extends string>(
  input: AsyncIterable<Buffer | string>,
  options: TableOptions<Field>,
): Promise<{ readonly findings: Findings<Field>; readonly rows: AsyncGenerator<TableRow<Field>> }> {
  const pieces = buffers(input);
  const first = await pieces.next();
  const all = (async function* () {
    if (!first.done) yield first.value;
    yield* pieces;
  })();
  const begin = first.value ?? Buffer.alloc(0);
  const source = isWorkbook(begin) ? openSheet(all, options) : openCsv(all, utf16Label(begin), options);
  const { origin, sample, headerIndex, rest = [] } = await source;
  const header = sample[headerIndex];
  const headerLine = headerIndex > 0 && header ? header.line : null;
  const headings = (header?.cells ?? []).map(readHeading);
  const fields = findColumnsAt(headings, options, origin, header?.line ?? 1);
  const body = sample.slice(headerIndex + 1);
  const style = findStyle(origin, fields, options.fields, body.slice(0, options.sample), options);
  return { findings: { origin, headerLine, headings, fields, style }, rows: readRows() };

  async function* readRows() {
    for (const row of body) yield readRow(row);
    for await (const row of rest) yield readRow(row);
  }

  function readRow({ line, lastLine, cells, mayBeShort }: SourceRow): TableRow<Field> {
    const shown = cells.map((cell) => (typeof cell === 'string' ? cell : cell.value));
    const values = new Map<Field, CellValue>();
    const row = { line, lastLine, cells: shown, values };
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

/** Finds the columns; an error names the sheet and the line of the header, unless it is the first line of a CSV. */
function findColumnsAt<Field extends string>(
  headings: readonly string[],
  options: ColumnOptions<Field>,
  origin: Source['origin'],
  line: number,
): readonly (Field | null)[] {
  try {
    return findColumns(headings, options);
  } catch (error) {
    if (!(error instanceof ColumnsError) || (line === 1 && !('sheet' in origin))) throw error;
    const place = 'sheet' in origin ? texts.placeInSheet(origin.sheet, line) : texts.placeInFile(line);
    throw new ColumnsError({ en: `${place.en}: ${error.text.en}`, es: `${place.es}: ${error.text.es}` });
  }
}

function readHeading(cell: SourceRow['cells'][number]): string {
  if (typeof cell === 'string') return cell.trim();
  // A merged cell covers it.
  if (!('fault' in cell) || cell.value === '') return cell.value;
  throw new SpreadsheetError(texts.unreadableHeading(cell.fault));
}

async function* buffers(input: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
  for await (const piece of input) if (piece.length > 0) yield Buffer.from(piece as Buffer);
}
