import type { Declaration } from '../../index.ts';
import { type Column, columns, requiredColumns } from './columns.ts';
import { readRows, type Row } from './read-rows.ts';
import { UsageError } from './usage-error.ts';

/** An invoice of the file: where it stands (the first line is 1), and what is to be declared for it. */
export interface InvoiceLine {
  readonly line: number;
  readonly declaration: Declaration;
}

/** What is wrong with a cell or, without a column, with a whole line. */
export interface Fault {
  readonly line: number;
  readonly column?: Column;
  readonly message: string;
}

/** How the spreadsheet that wrote a file separates columns, and marks decimals. */
export interface Dialect {
  readonly separator: ',' | ';';
  readonly decimalMark: ',' | '.';
}

/** What a file holds; with a single fault none of it should be sent. */
export interface InvoiceFile {
  readonly lines: readonly InvoiceLine[];
  readonly faults: readonly Fault[];
  readonly dialect: Dialect;
}

/** Reads and checks a whole file, a CSV with a header line; throws a UsageError when it is no such file. */
export function parseInvoices(bytes: Uint8Array): InvoiceFile {
  const { separator, rows, broken } = readRows(bytes);
  const [header, ...body] = rows;
  const names = checkedHeader(header?.cells ?? []);
  const decimalComma = separator === ';';

  const faults: Fault[] = [];
  const lines: InvoiceLine[] = [];
  const lineOf = new Map<string, number>();
  for (const row of body) {
    const { values, faults: ofRow } = readCells(names, row, decimalComma);
    const id = values.get('invoice_id') as string | undefined;
    const earlier = id && lineOf.get(id);
    if (earlier) ofRow.push({ line: row.line, column: 'invoice_id', message: `is on line ${earlier} already` });
    else if (id) lineOf.set(id, row.line);
    faults.push(...ofRow);
    if (ofRow.length === 0) lines.push({ line: row.line, declaration: toDeclaration(values) });
  }
  if (broken) faults.push(broken);

  const amounts = names.indexOf('amount');
  const hasComma = decimalComma && body.some(({ cells }) => cells[amounts]?.includes(','));
  return { lines, faults, dialect: { separator, decimalMark: hasComma ? ',' : '.' } };
}

function checkedHeader(cells: readonly string[]): readonly Column[] {
  const known = Object.keys(columns) as Column[];
  const names = known.filter((name) => cells.includes(name));
  if (names.length === 0) throw new UsageError(`The first line must name the columns: ${known.join(', ')}.`);
  const unknown = cells.find((name) => !Object.hasOwn(columns, name));
  if (unknown !== undefined) {
    throw new UsageError(`The column ${JSON.stringify(unknown)} is not known: there are ${known.join(', ')}.`);
  }
  if (cells.length > names.length) throw new UsageError('The header names a column twice.');
  const missing = requiredColumns.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new UsageError(`The header lacks ${missing.join(' and ')}.`);
  return cells as readonly Column[];
}

/** The values of the cells that are not empty; an empty cell leaves as it is what was declared before. */
function readCells(names: readonly Column[], { line, cells }: Row, decimalComma: boolean) {
  const values = new Map<Column, unknown>();
  const faults: Fault[] = [];
  if (cells.length !== names.length) {
    faults.push({ line, message: `has ${cells.length} columns, and the header ${names.length}` });
    return { values, faults };
  }
  for (const [index, column] of names.entries()) {
    const text = cells[index] ?? '';
    if (text === '') {
      if (requiredColumns.includes(column)) faults.push({ line, column, message: 'is required' });
      continue;
    }
    const reading = columns[column](text, { decimalComma });
    if ('fault' in reading) faults.push({ line, column, message: reading.fault });
    else values.set(column, reading.value);
  }
  return { values, faults };
}

// Sound: every required column was read, each by the reader of its type.
const toDeclaration = (values: ReadonlyMap<Column, unknown>) => Object.fromEntries(values) as unknown as Declaration;
