import { decodeCell, type Encoding, findEncoding, shownCell } from './encoding.ts';
import { type ColumnOptions, type FieldSpec, findColumns } from './find-columns.ts';
import { type Findings, findStyle, type Style } from './findings.ts';
import type { DecimalSign } from './read-amount.ts';
import { readCell } from './read-cell.ts';
import { type CsvOptions, type CsvRow, readCsv } from './read-csv.ts';
import { isWorkbook, readWorkbook, type TypedCell } from './read-workbook.ts';
import { type Fault, SpreadsheetError } from './spreadsheet-error.ts';
import { texts } from './texts.ts';

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

/** A line of a table: what its cells say by field, without the empty ones, and what is wrong with it. */
export interface TableRow<Field extends string> {
  readonly line: number;
  readonly lastLine: number;
  /** What stands there, also where it could not be read. */
  readonly cells: readonly string[];
  readonly values: ReadonlyMap<Field, string | null>;
  readonly faults: readonly (Fault & { readonly field?: Field })[];
}

/** A table: how it was understood, and its rows. */
export interface Table<Field extends string> {
  readonly findings: Findings<Field>;
  readonly rows: AsyncGenerator<TableRow<Field>>;
}

/** A row as a file has it: texts that are decoded or were none, and cells with a type. */
interface SourceRow extends Pick<CsvRow, 'line' | 'lastLine'> {
  readonly cells: readonly (string | TypedCell | Fault)[];
  readonly shown: readonly string[];
  /** Whether cells at its end may be missing. */
  readonly mayBeShort: boolean;
}

interface Source {
  readonly origin: Findings<string>['origin'];
  readonly rows: AsyncGenerator<SourceRow>;
}

/**
 * Reads a CSV or a workbook (.xlsx): finds out how it is written by a sample of its rows, and then reads row by row.
 * Throws a SpreadsheetError when it is no such file, its columns are not clear, or (later) where it breaks off.
 */
export async function readTable<Field extends string>(
  input: AsyncIterable<Buffer | string>,
  options: TableOptions<Field>,
): Promise<Table<Field>> {
  const pieces = buffers(input);
  const first = await pieces.next();
  const all = (async function* () {
    if (!first.done) yield first.value;
    yield* pieces;
  })();
  const { sample: size = Infinity } = options;
  const { origin, rows } = isWorkbook(first.value ?? Buffer.alloc(0))
    ? await openWorkbook(all)
    : await openCsv(all, options, size);
  const { taken, rest } = await take(rows, size + 1);
  const [header, ...body] = taken;
  const headings = (header?.cells ?? []).map(headingOf);
  const fields = findColumns(headings, options);
  const style = findStyle(origin, fields, options.fields, body, options);
  return { findings: { origin, headings, fields, style }, rows: readRows(body, rest) };

  async function* readRows(sample: readonly SourceRow[], others: AsyncGenerator<SourceRow>) {
    for (const row of sample) yield readRow(row);
    for await (const row of others) yield readRow(row);
  }

  function readRow({ line, lastLine, cells, shown, mayBeShort }: SourceRow): TableRow<Field> {
    const values = new Map<Field, string | null>();
    const faults: (Fault & { readonly field?: Field })[] = [];
    if (cells.length > fields.length || (cells.length < fields.length && !mayBeShort)) {
      return {
        line,
        lastLine,
        cells: shown,
        values,
        faults: [{ fault: texts.columnCount(cells.length, fields.length) }],
      };
    }
    for (const [index, cell] of cells.entries()) {
      const field = fields[index];
      if (cell === '') continue;
      if (!field) {
        const isUnnamed = headings[index] === '' && !options.leavesOutOthers;
        if (isUnnamed) faults.push({ fault: texts.unnamedColumn(index + 1) });
        continue;
      }
      const reading = readNamed(cell, options.fields[field], style);
      if ('fault' in reading) faults.push({ ...reading, field });
      values.set(field, 'fault' in reading ? (shown[index] ?? '') : reading.value);
    }
    return { line, lastLine, cells: shown, values, faults };
  }

  function readNamed(cell: string | TypedCell | Fault, spec: FieldSpec, found: Style) {
    return cell === options.nullWord ? { value: null } : readCell(cell, spec.kind, found);
  }
}

async function openWorkbook(input: AsyncIterable<Buffer>): Promise<Source> {
  const { sheet, otherSheets, rows } = await readWorkbook(input);
  async function* sourceRows(): AsyncGenerator<SourceRow> {
    for (const { line, cells } of rows) {
      const shown = cells.map((cell) => (typeof cell === 'string' ? cell : cell.value));
      yield { line, lastLine: line, cells, shown, mayBeShort: true };
    }
  }
  return { origin: { sheet, otherSheets }, rows: sourceRows() };
}

async function openCsv(input: AsyncIterable<Buffer>, options: TableOptions<string>, size: number): Promise<Source> {
  const { separator, isUtf16, rows } = await readCsv(input, options);
  const { taken, rest } = await take(rows, size + 1);
  const encoding = isUtf16 ? 'UTF-16' : (options.encoding ?? findEncoding(taken));
  const toSource = ({ line, lastLine, cells, isEnded }: CsvRow): SourceRow => {
    const decoded = cells.map((cell) => decodeCell(cell, encoding));
    const shown = decoded.map((cell, index) => (typeof cell === 'string' ? cell : shownCell(cells[index] ?? '')));
    // Excel leaves out empty cells at the end. Between commas a row may also lack a quote around a decimal comma.
    return { line, lastLine, cells: decoded, shown, mayBeShort: separator !== ',' && isEnded };
  };
  async function* sourceRows(): AsyncGenerator<SourceRow> {
    for (const row of taken) yield toSource(row);
    for await (const row of rest) yield toSource(row);
  }
  return { origin: { encoding, separator }, rows: sourceRows() };
}

/** The first items, and those behind them; where it breaks off among the first, that is met behind them. */
async function take<Item>(
  items: AsyncGenerator<Item>,
  count: number,
): Promise<{ readonly taken: Item[]; readonly rest: AsyncGenerator<Item> }> {
  const taken: Item[] = [];
  let failure: unknown;
  try {
    while (taken.length < count) {
      const { done, value } = await items.next();
      if (done) break;
      taken.push(value);
    }
  } catch (error) {
    failure = error;
  }
  async function* rest(): AsyncGenerator<Item> {
    if (failure) throw failure;
    yield* items;
  }
  return { taken, rest: rest() };
}

function headingOf(cell: string | TypedCell | Fault): string {
  if (typeof cell === 'string') return cell.trim();
  if ('type' in cell) return cell.value;
  const say = (text: string, start: string) => `${start} ${text}.`;
  throw new SpreadsheetError({ en: say(cell.fault.en, 'The first line'), es: say(cell.fault.es, 'La primera línea') });
}

async function* buffers(input: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
  for await (const piece of input) if (piece.length > 0) yield Buffer.from(piece as Buffer);
}
