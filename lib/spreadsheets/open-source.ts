import { decodeCell, findEncoding } from './encoding.ts';
import { findHeader, listed } from './find-columns.ts';
import type { Findings } from './findings.ts';
import { type CsvRow, readCsv } from './read-csv.ts';
import type { TableOptions } from './read-table.ts';
import { openWorkbook, type SheetRow, type TypedCell } from './read-workbook.ts';
import { SpreadsheetError, type UnreadableCell } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** A row as a file has it. */
export interface SourceRow extends Pick<CsvRow, 'line' | 'lastLine'> {
  readonly cells: readonly (string | TypedCell | UnreadableCell)[];
  /** Whether cells at its end may be missing. */
  readonly mayBeShort: boolean;
}

/** An opened file: the rows by which it is understood, where its header is among them, and the other rows. */
export interface Source {
  readonly origin: Findings<string>['origin'];
  readonly sample: readonly SourceRow[];
  readonly headerIndex: number;
  readonly rest?: AsyncIterable<SourceRow>;
}

/** Opens the first sheet of a workbook that has a header with all required fields; else the first one. */
export async function openSheet(input: AsyncIterable<Buffer>, options: TableOptions<string>): Promise<Source> {
  const workbook = await openWorkbook(input);
  const sheets: { position: number; rows: readonly SheetRow[]; headerIndex: number; isComplete: boolean }[] = [];
  for (const index of workbook.sheets.slice(0, MAX_SEARCHED_SHEETS).keys()) {
    const rows = await workbook.readRows(index);
    const { index: headerIndex, isComplete } = findHeader(headingRows(rows), options);
    sheets.push({ position: index + 1, rows, headerIndex, isComplete });
    if (index === 0 && isComplete) break;
  }
  const complete = sheets.filter(({ isComplete }) => isComplete);
  const nameOf = ({ position }: { readonly position: number }) => workbook.sheets[position - 1] ?? '';
  if (complete.length > 1) throw new SpreadsheetError(texts.severalSheets(listed(complete.map(nameOf))));
  const { position, rows, headerIndex } = complete[0] ?? sheets[0] ?? { position: 1, rows: [], headerIndex: 0 };
  const hiddenRows = rows.slice(headerIndex + 1).filter(({ isHidden }) => isHidden).length;
  const origin = { sheet: nameOf({ position }), position, sheets: workbook.sheets.length, hiddenRows };
  return { origin, headerIndex, sample: rows.map((row) => ({ ...row, lastLine: row.line, mayBeShort: true })) };
}

/** The rows in which a header is searched: title rows may precede it. */
const MAX_HEADER_ROWS = 20;
const MAX_SEARCHED_SHEETS = 20;

function headingRows(rows: readonly Pick<SourceRow, 'cells'>[]): string[][] {
  return rows
    .slice(0, MAX_HEADER_ROWS)
    .map(({ cells }) => cells.map((cell) => (typeof cell === 'string' ? cell : cell.value).trim()));
}

/** Opens a CSV: reads the rows by which it is understood. */
export async function openCsv(
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
  const sample = first.map(toRow);
  const { index: headerIndex } = findHeader(headingRows(sample), options);
  return { origin: { encoding, separator }, sample, headerIndex, rest: rest() };
}
