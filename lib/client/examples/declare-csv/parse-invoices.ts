import type { Declaration } from '../../index.ts';
import { type CellFormat, type Column, columns, requiredColumns } from './columns.ts';
import { decode } from './decode.ts';
import type { Findings } from './findings.ts';
import { type FileColumn, type HeadingChoice, judgeHeadings } from './headings.ts';
import { judgeFormat } from './judge-format.ts';
import type { Text } from './language.ts';
import { readRows, type Row, type Separator } from './read-rows.ts';
import { fileTexts } from './texts/file.ts';

/** An invoice of the file: where it stands (the first line is 1), and what is to be declared for it. */
export interface InvoiceLine {
  readonly line: number;
  readonly declaration: Declaration;
}

/** What is wrong with a cell or, without a column, with a whole line. */
export interface Fault {
  readonly line: number;
  readonly column?: Column;
  readonly message: Text;
}

/** How the spreadsheet that wrote a file separates columns, marks decimals, and begins a file that is not ASCII. */
export interface Dialect {
  readonly separator: Separator;
  readonly decimalMark: ',' | '.';
  readonly byteOrderMark: boolean;
}

/** What a file holds; with a single fault none of it should be sent. */
export interface InvoiceFile {
  readonly lines: readonly InvoiceLine[];
  readonly faults: readonly Fault[];
  readonly dialect: Dialect;
  readonly findings: Findings;
}

/** Reads and checks a whole file, a CSV with a header line; throws a UsageError when it is no such file. */
export function parseInvoices(bytes: Uint8Array, choice: HeadingChoice = { map: [], ignore: [] }): InvoiceFile {
  const { text, encoding, isOfExcel } = decode(bytes);
  const { separator, rows, isEnded, broken } = readRows(text);
  const [header, ...body] = rows;
  const headings = header?.cells ?? [];
  const names = judgeHeadings(headings, body, choice);
  const format = judgeFormat(names, body, separator);

  const faults: Fault[] = [];
  const lines: InvoiceLine[] = [];
  const lineOf = new Map<string, number>();
  for (const row of body) {
    // Excel leaves out empty cells at the end. Between commas a row may also lack a quote around a decimal comma.
    const mayBeShort = separator !== ',' && (isEnded || row !== body.at(-1));
    const { values, faults: ofRow } = readCells(names, row, format, mayBeShort);
    const id = values.get('invoice_id') as string | undefined;
    const earlier = id && lineOf.get(id);
    if (earlier) ofRow.push({ line: row.line, column: 'invoice_id', message: fileTexts.repeated(earlier) });
    else if (id) lineOf.set(id, row.line);
    faults.push(...ofRow);
    if (ofRow.length === 0) lines.push({ line: row.line, declaration: toDeclaration(values) });
  }
  if (broken) faults.push(broken);

  return {
    lines,
    faults,
    dialect: { separator, decimalMark: format.decimalMarks.includes(',') ? ',' : '.', byteOrderMark: isOfExcel },
    findings: { encoding, separator, headings, names, format },
  };
}

/** The values of the cells that are not empty; an empty cell leaves as it is what was declared before. */
function readCells(names: readonly FileColumn[], { line, cells }: Row, format: CellFormat, mayBeShort: boolean) {
  const values = new Map<Column, unknown>();
  const faults: Fault[] = [];
  if (cells.length > names.length || (cells.length < names.length && !mayBeShort)) {
    faults.push({ line, message: fileTexts.columnCount(cells.length, names.length) });
    return { values, faults };
  }
  for (const [index, column] of names.entries()) {
    const text = cells[index] ?? '';
    if (column === null) continue;
    if (text === '') {
      if (requiredColumns.includes(column)) faults.push({ line, column, message: fileTexts.required });
      continue;
    }
    const reading = columns[column](text, format);
    if ('fault' in reading) faults.push({ line, column, message: reading.fault });
    else values.set(column, reading.value);
  }
  return { values, faults };
}

// Sound: every required column was read, each by the reader of its type.
const toDeclaration = (values: ReadonlyMap<Column, unknown>) => Object.fromEntries(values) as unknown as Declaration;
