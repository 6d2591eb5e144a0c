import { CsvError, type Info, parse } from 'csv-parse';
import { SpreadsheetError } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** What may stand between two columns. */
export const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type Separator = (typeof SEPARATORS)[keyof typeof SEPARATORS];

/** A line that is not empty: where it begins and ends (the first is 1), and its cells, whose characters are bytes. */
export interface CsvRow {
  readonly line: number;
  readonly lastLine: number;
  readonly cells: readonly string[];
  /** Whether its line end is there; a file that was cut off mostly lacks the last one. */
  readonly isEnded: boolean;
}

/** How a CSV is to be read. */
export interface CsvOptions {
  /** As it is told; else by `sep=` or by the first line that has one. */
  readonly separator?: Separator | undefined;
  /** Whether blanks around cells without quotes are left out. */
  readonly trim?: boolean | undefined;
}

/** The most bytes of a record that are kept in memory: many times what can be stored. */
export const MAX_RECORD_BYTES = 8 * 1024 * 1024;

const UTF8_MARK = /^\u00ef\u00bb\u00bf/;
// Excel's own way to name the separator; the mark itself may be missing.
const SEPARATOR_LINE = /^"?sep=([^\r\n"]?)"?(?=[\r\n]|$)/i;

/**
 * Reads a CSV piece by piece: its separator, and its rows up to where it breaks off. `utf16` is the label of an
 * encoding whose characters are more than bytes.
 */
export async function readCsv(
  input: AsyncIterable<Buffer>,
  utf16: string | undefined,
  { separator: told, trim = false }: CsvOptions,
): Promise<{ readonly separator: Separator; readonly rows: AsyncGenerator<CsvRow> }> {
  const pieces = bytesOf(input, utf16);
  let head = '';
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    head += next.value;
    if (hasSeparatedLine(head) || head.length >= MAX_RECORD_BYTES) break;
  }
  head = head.replace(UTF8_MARK, '');
  const named = SEPARATOR_LINE.exec(head);
  const separator = told ?? (named ? namedSeparator(named[1]) : findSeparator(head));
  const all = (async function* () {
    yield head;
    yield* pieces;
  })();
  const rows = parseRows(all, { delimiter: separator, trim });
  if (named) await rows.next();
  return { separator, rows };
}

/** A text whose characters are the bytes of a file; of UTF-16 it makes UTF-8. */
async function* bytesOf(input: AsyncIterable<Buffer>, utf16: string | undefined): AsyncGenerator<string> {
  const decoder = utf16 === undefined ? null : new TextDecoder(utf16);
  for await (const bytes of input) {
    yield (decoder ? Buffer.from(decoder.decode(bytes, { stream: true })) : bytes).toString('latin1');
  }
  // Half a character of UTF-16 at the end.
  if (decoder) yield Buffer.from(decoder.decode()).toString('latin1');
}

async function* parseRows(
  pieces: AsyncIterable<string>,
  options: { readonly delimiter: string; readonly trim: boolean },
): AsyncGenerator<CsvRow> {
  let rows: CsvRow[] = [];
  let [lastLine, emptyLines, extraLines, end] = [0, 0, 0, ''];
  const parser = parse({
    ...options,
    // One character for one byte, so that every cell can be decoded by itself.
    encoding: 'latin1',
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_BYTES,
    on_record(cells: string[], { lines, empty_lines }) {
      // The parser counts a CRLF within quotes as two lines.
      extraLines += cells.reduce((count, cell) => count + cell.split('\r\n').length - 1, 0);
      const inside = cells.reduce((count, cell) => count + cell.split(/\r\n?|\n/).length - 1, 0);
      [lastLine, emptyLines] = [lines - extraLines, empty_lines];
      const isFilled = cells.some((cell) => cell.trim() !== '');
      if (isFilled) rows.push({ line: lastLine - inside, lastLine, cells, isEnded: true });
      return null;
    },
  });
  // The failure is that of the write or the end.
  parser.on('error', () => {});
  const run = (step: (done: (error?: Error | null) => void) => void) =>
    new Promise<Error | null>((resolve) => step((error) => resolve(error ?? null)));
  let failure: Error | null = null;
  for await (const piece of pieces) {
    if (piece === '') continue;
    end = piece.slice(-1);
    failure = await run((done) => parser.write(Buffer.from(piece, 'latin1'), done));
    const [ready, last] = [rows.slice(0, -1), rows.at(-1)];
    yield* ready;
    rows = last ? [last] : [];
    if (failure) break;
  }
  failure ??= await run((done) => {
    parser.once('error', done);
    parser.once('finish', () => done());
    parser.end();
  });
  for (const row of rows) yield { ...row, isEnded: failure !== null || row !== rows.at(-1) || /[\r\n]/.test(end) };
  if (failure) throw brokenCsv(failure, lastLine, emptyLines);
}

/** The error for a record that is no CSV, which begins after the last line that was read. */
function brokenCsv(error: Error, lastLine: number, emptyLines: number): Error {
  if (!(error instanceof CsvError)) return error;
  const { code, empty_lines } = error as CsvError & Info;
  const line = lastLine + 1 + (empty_lines - emptyLines);
  if (code === 'CSV_MAX_RECORD_SIZE') return new SpreadsheetError(texts.tooLarge(MAX_RECORD_BYTES), line);
  return new SpreadsheetError(code === 'CSV_QUOTE_NOT_CLOSED' ? texts.openQuote : texts.strayQuote, line);
}

/** The lines in which the separator is searched: titles without one may precede the header. */
const MAX_TITLE_LINES = 20;

/** Returns the lines without what is in quotes, in which a heading may have several lines; the last one is not whole. */
const unquotedLines = (head: string) =>
  head
    .trimStart()
    .replaceAll(/"[^"]*("|$)/g, '')
    .split(/[\r\n]+/);

function hasSeparatedLine(head: string): boolean {
  const lines = unquotedLines(head).slice(0, -1);
  return lines.length >= MAX_TITLE_LINES || lines.some(isSeparated);
}

const isSeparated = (line: string) => /[;\t,]/.test(line);

function findSeparator(head: string): Separator {
  const line = unquotedLines(head).find(isSeparated);
  return ([';', '\t'] as const).find((mark) => line?.includes(mark)) ?? ',';
}

function namedSeparator(mark = ''): Separator {
  const found = Object.values(SEPARATORS).find((separator) => separator === mark);
  if (!found) throw new SpreadsheetError(texts.unknownSeparator(mark || '""'));
  return found;
}
