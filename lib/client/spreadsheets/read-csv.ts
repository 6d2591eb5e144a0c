import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse';
import type { SourceRow } from './read-cell.ts';
import { SpreadsheetError, type UnreadableCell } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

export const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type Separator = (typeof SEPARATORS)[keyof typeof SEPARATORS];
export type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252';

/** The options of reading a CSV; its separator and its encoding are detected by default. */
export interface CsvOptions {
  readonly separator?: Separator | undefined;
  readonly encoding?: Encoding | undefined;
  /** True if white space around unquoted cells is removed. */
  readonly trim?: boolean | undefined;
  /** The number of rows from which the format is detected; by default all rows. */
  readonly sample?: number | undefined;
}

/** A row whose cells are still bytes: each character is one. */
interface ByteRow extends SourceRow {
  readonly cells: readonly string[];
}

/** The maximum size of a record, which is kept in memory; an invoice that can be stored is much smaller. */
export const MAX_RECORD_BYTES = 8 * 1024 * 1024;

const UTF8_BOM = /^\u00ef\u00bb\u00bf/;
// A first line with which Excel names the separator.
const SEPARATOR_LINE = /^"?sep=([,;\t])"?(?=[\r\n]|$)/i;
// Characters that people do not write in Windows-1252. A file in another encoding shows them: `Pe¤a`, `Garc¡a`.
const NOT_WRITTEN = /[^\0-\u007f\u00a0¡§¨©ª«®°±²³´·º»¼½¾¿À-ÿ€‘’“”•–—…™]|\p{L}[¡¿]\p{L}/u;

/**
 * Opens a CSV: reads the rows from which its format is detected, and returns them and an iterator of the other rows. The
 * iterator throws a SpreadsheetError at the first malformed row. The first piece must contain the header.
 */
export async function openCsv(first: Buffer, others: AsyncIterable<Buffer>, options: CsvOptions) {
  const utf16 = findUtf16Label(first);
  const decoder = utf16 && new TextDecoder(utf16);
  // Cells are decoded one by one, so the characters of these texts are bytes.
  const toByteText = (piece: Buffer) =>
    (decoder ? Buffer.from(decoder.decode(piece, { stream: true })) : piece).toString('latin1');
  const text = toByteText(first);
  const head = text.replace(UTF8_BOM, '');
  const named = SEPARATOR_LINE.exec(head);
  const separator = options.separator ?? findSeparator(named?.[1] ?? head);
  async function* pieces() {
    yield head;
    for await (const piece of others) yield toByteText(piece);
    // Half a character at the end of a file in UTF-16.
    if (decoder) yield Buffer.from(decoder.decode()).toString('latin1');
  }
  const rows = parseRows(pieces(), separator, options.trim ?? false);
  const sample: ByteRow[] = [];
  let failure: unknown;
  try {
    if (named) await rows.next();
    const size = options.sample ?? Infinity;
    for (let next = await rows.next(); !next.done; next = await rows.next()) if (sample.push(next.value) > size) break;
  } catch (error) {
    // Thrown by `rest`, after the rows that precede the error.
    failure = error;
  }
  const encoding = utf16 ? 'UTF-16' : (options.encoding ?? findEncoding(sample));
  const toRow = (row: ByteRow) => ({ ...row, cells: row.cells.map((cell) => decodeCell(cell, encoding)) });
  async function* rest() {
    if (failure) throw failure;
    for await (const row of rows) yield toRow(row);
  }
  return { origin: { encoding, separator, hasBom: head !== text }, sample: sample.map(toRow), rest: rest() };
}

async function* parseRows(pieces: AsyncIterable<string>, delimiter: Separator, trim: boolean): AsyncGenerator<ByteRow> {
  const rows: ByteRow[] = [];
  // Excel omits empty cells at the end of a row. Between commas, a row may instead lack the quotes around a decimal
  // comma, and the last record of a truncated file usually has no line end.
  const mayBeShort = delimiter !== ',';
  let [lastLine, end] = [0, ''];
  const parser = parse({
    delimiter,
    trim,
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

/** Finds the label for TextDecoder of a file in UTF-16; undefined without a BOM of UTF-16. */
export function findUtf16Label(bytes: Buffer): string | undefined {
  const bom = bytes.toString('latin1', 0, 2);
  if (bom === '\xff\xfe') return 'utf-16le';
  return bom === '\xfe\xff' ? 'utf-16be' : undefined;
}

const toBytes = (cell: string) => Buffer.from(cell, 'latin1');
const isAscii = (cell: string) => /^\p{ASCII}*$/u.test(cell);
const windows1252 = new TextDecoder('windows-1252');

/** Finds the encoding of cells whose characters are bytes; throws a SpreadsheetError for an unknown encoding. */
function findEncoding(rows: readonly ByteRow[]): Encoding {
  const nonAscii = rows.flatMap(({ line, cells }) =>
    cells.flatMap((cell) => (isAscii(cell) ? [] : [{ line, bytes: toBytes(cell) }])),
  );
  // If some characters are valid UTF-8, the file is UTF-8. Invalid bytes mean that it is damaged or joined from two.
  if (nonAscii.some(({ bytes }) => /[^\0-\u007f\ufffd]/.test(bytes.toString()))) return 'UTF-8';
  const invalid = nonAscii.filter(({ bytes }) => !isUtf8(bytes));
  const unknown = invalid.find(({ bytes }) => NOT_WRITTEN.test(windows1252.decode(bytes)));
  if (unknown) throw new SpreadsheetError(texts.unknownEncoding(unknown.line));
  return invalid.length > 0 ? 'Windows-1252' : 'UTF-8';
}

/** Decodes a cell whose characters are bytes; for a file in UTF-16, the bytes have been converted to UTF-8. */
function decodeCell(cell: string, encoding: Encoding): string | UnreadableCell {
  if (isAscii(cell) && !cell.includes('\0')) return cell;
  const bytes = toBytes(cell);
  // Contains U+FFFD in place of invalid bytes.
  const value = bytes.toString();
  if (cell.includes('\0')) return { fault: texts.nulCharacter, value };
  if (isUtf8(bytes) === (encoding === 'Windows-1252')) {
    return { fault: texts.otherBytes(encoding), hint: 'encoding', value };
  }
  if (encoding === 'UTF-16' && value.includes('\ufffd')) return { fault: texts.otherBytes(encoding), value };
  return encoding === 'Windows-1252' ? windows1252.decode(bytes) : value;
}
