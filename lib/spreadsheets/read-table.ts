import type { Text } from '../domain/language.ts';
import { decodeCell, type Encoding, findEncoding, utf16Label } from './encoding.ts';
import { type ColumnOptions, findColumns } from './find-columns.ts';
import { type Findings, findStyle } from './findings.ts';
import type { DecimalSign } from './read-amount.ts';
import { readCell } from './read-cell.ts';
import { type CsvOptions, type CsvRow, readCsv } from './read-csv.ts';
import { isWorkbook, readWorkbook, type TypedCell } from './read-workbook.ts';
import { type Fault, SpreadsheetError, type UnreadableCell } from './spreadsheet-error.ts';
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

/** A row as a file has it. */
interface SourceRow extends Pick<CsvRow, 'line' | 'lastLine'> {
  readonly cells: readonly (string | TypedCell | UnreadableCell)[];
  /** Whether cells at its end may be missing. */
  readonly mayBeShort: boolean;
}

/** An opened file: the rows by which it is understood, and the others. */
interface Source {
  readonly origin: Findings<string>['origin'];
  readonly sample: readonly SourceRow[];
  readonly rest?: AsyncIterable<SourceRow>;
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
  const source = isWorkbook(begin) ? openWorkbook(all) : openCsv(all, utf16Label(begin), options);
  const { origin, sample, rest = [] } = await source;
  const [header, ...body] = sample;
  const headings = (header?.cells ?? []).map(headingOf);
  const fields = findColumns(headings, options);
  const style = findStyle(origin, fields, options.fields, body.slice(0, options.sample), options);
  return { findings: { origin, headings, fields, style }, rows: readRows() };

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

async function openWorkbook(input: AsyncIterable<Buffer>): Promise<Source> {
  const { sheet, otherSheets, rows } = await readWorkbook(input);
  const sample = rows.map(({ line, cells }) => ({ line, lastLine: line, cells, mayBeShort: true }));
  return { origin: { sheet, otherSheets }, sample };
}

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
    // It is met behind the rows that come before it.
    failure = error;
  }
  const encoding = utf16 ? 'UTF-16' : (options.encoding ?? findEncoding(first));
  const toRow = ({ line, lastLine, cells, isEnded }: CsvRow): SourceRow => {
    // Excel leaves out empty cells at the end. Between commas a row may also lack a quote around a decimal comma.
    const mayBeShort = separator !== ',' && isEnded;
    return { line, lastLine, cells: cells.map((cell) => decodeCell(cell, encoding)), mayBeShort };
  };
  async function* rest() {
    if (failure) throw failure;
    for await (const row of rows) yield toRow(row);
  }
  return { origin: { encoding, separator }, sample: first.map(toRow), rest: rest() };
}

function headingOf(cell: SourceRow['cells'][number]): string {
  if (typeof cell === 'string') return cell.trim();
  if (!('fault' in cell)) return cell.value;
  const say = (text: string, start: string) => `${start} ${text}.`;
  throw new SpreadsheetError({ en: say(cell.fault.en, 'The first line'), es: say(cell.fault.es, 'La primera línea') });
}

async function* buffers(input: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
  for await (const piece of input) if (piece.length > 0) yield Buffer.from(piece as Buffer);
}
