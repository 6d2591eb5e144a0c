import { CsvError, parse } from 'csv-parse';
import { SpreadsheetError } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

export const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type Separator = (typeof SEPARATORS)[keyof typeof SEPARATORS];

/** A record that is not empty, with its first line (from 1), and its cells, whose characters are bytes. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
  /**
   * True if cells at the end of the row may be missing, because Excel omits empty ones. Between commas, a row may instead
   * lack the quotes around a decimal comma, and the last record of a truncated file usually has no line end.
   */
  readonly mayBeShort: boolean;
}

export interface CsvOptions {
  /** The separator; by default that of a `sep=` line, or the one in the first line that has a separator. */
  readonly separator?: Separator | undefined;
  /** True if white space around unquoted cells is removed. */
  readonly trim?: boolean | undefined;
}

/** The maximum size of a record, which is kept in memory; an invoice that can be stored is much smaller. */
export const MAX_RECORD_BYTES = 8 * 1024 * 1024;

const UTF8_BOM = /^\u00ef\u00bb\u00bf/;
// A first line with which Excel names the separator.
const SEPARATOR_LINE = /^"?sep=([,;\t])"?(?=[\r\n]|$)/i;

/**
 * Reads a CSV as a stream: its separator, and its rows up to the first malformed one. The first piece must contain the
 * header. `utf16` is the label of its encoding if it is UTF-16.
 */
export async function readCsv(
  input: AsyncIterable<Buffer>,
  utf16: string | undefined,
  { separator: chosen, trim = false }: CsvOptions,
): Promise<{ readonly separator: Separator; readonly rows: AsyncGenerator<CsvRow> }> {
  const pieces = toByteTexts(input, utf16);
  const { value: first = '' } = await pieces.next();
  const head = first.replace(UTF8_BOM, '');
  const named = SEPARATOR_LINE.exec(head);
  const separator = chosen ?? findSeparator(named?.[1] ?? head);
  const rows = parseRows(prepend(head, pieces), separator, trim);
  if (named) await rows.next();
  return { separator, rows };
}

/** Yields an item before others. */
export async function* prepend<Item>(first: Item, others: AsyncIterable<Item>): AsyncGenerator<Item, undefined> {
  yield first;
  yield* others;
}

/** Converts a file to texts whose characters are its bytes; converts UTF-16 to UTF-8 before. */
async function* toByteTexts(
  input: AsyncIterable<Buffer>,
  utf16: string | undefined,
): AsyncGenerator<string, undefined> {
  const decoder = utf16 === undefined ? null : new TextDecoder(utf16);
  for await (const bytes of input) {
    yield (decoder ? Buffer.from(decoder.decode(bytes, { stream: true })) : bytes).toString('latin1');
  }
  // Flushes half a character of UTF-16 at the end.
  if (decoder) yield Buffer.from(decoder.decode()).toString('latin1');
}

async function* parseRows(pieces: AsyncIterable<string>, delimiter: string, trim: boolean): AsyncGenerator<CsvRow> {
  const rows: CsvRow[] = [];
  const mayBeShort = delimiter !== ',';
  let [lastLine, end] = [0, ''];
  const parser = parse({
    delimiter,
    trim,
    // One character for one byte, so that every cell can be decoded by itself.
    encoding: 'latin1',
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: MAX_RECORD_BYTES,
    on_record(cells: string[]) {
      const line = lastLine + 1;
      lastLine = line + cells.reduce((count, cell) => count + cell.split(/\r\n?|\n/).length - 1, 0);
      if (cells.some((cell) => cell.trim() !== '')) rows.push({ line, cells, mayBeShort });
      return null;
    },
  });
  // The callbacks of `write` and `end` receive the error.
  parser.on('error', () => {});
  let failure: Error | null | undefined;
  for await (const piece of pieces) {
    if (piece === '') continue;
    end = piece.slice(-1);
    failure = await new Promise((resolve) => parser.write(Buffer.from(piece, 'latin1'), resolve));
    if (failure) break;
    yield* rows.splice(0, rows.length - 1);
  }
  failure ??= await new Promise((resolve) => parser.end(resolve));
  const last = failure || /[\r\n]/.test(end) ? undefined : rows.pop();
  yield* rows;
  if (last) yield { ...last, mayBeShort: false };
  if (failure instanceof CsvError) {
    const isTooLarge = failure.code === 'CSV_MAX_RECORD_SIZE';
    throw new SpreadsheetError(isTooLarge ? texts.tooLarge(MAX_RECORD_BYTES) : texts.strayQuote, lastLine + 1);
  }
  if (failure) throw failure;
}

/** Finds the separator in the first line that has one; lines in quoted texts do not count. */
function findSeparator(head: string): Separator {
  const lines = head.replaceAll(/"[^"]*("|$)/g, '').split(/[\r\n]+/);
  const line = lines.find((text) => /[;\t,]/.test(text));
  return ([';', '\t'] as const).find((mark) => line?.includes(mark)) ?? ',';
}
