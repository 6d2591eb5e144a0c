import { isUtf8 } from 'node:buffer';
import { CsvError, parse } from 'csv-parse';
import type { SourceRow } from './read-cell.ts';
import { SpreadsheetError, type UnreadableCell } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

export const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const;
type Separator = (typeof SEPARATORS)[keyof typeof SEPARATORS];
type Encoding = 'UTF-8' | 'UTF-16' | 'Windows-1252';

/** The options of reading a CSV; its separator and its encoding are detected by default. */
export interface CsvOptions {
  readonly separator?: Separator | undefined;
  readonly encoding?: Encoding | undefined;
  /** True if white space around unquoted cells is removed. */
  readonly trim?: boolean | undefined;
  /** The number of rows from which the format is detected; by default all rows. */
  readonly sample?: number | undefined;
}

/** The maximum size of a record, which is kept in memory; an invoice that can be stored is much smaller. */
export const MAX_RECORD_BYTES = 8 * 1024 * 1024;

/** The minimum size of the first piece of a file that is not shorter: it contains the header, and shows the encoding. */
export const PIECE_BYTES = 1024 * 1024;

const UTF8_BOM = Buffer.from('\ufeff');
// A first line with which Excel names the separator.
const SEPARATOR_LINE = /^"?sep=([,;\t])"?(?=[\r\n]|$)/i;
// Characters that people do not write in Windows-1252. A file in another encoding shows them: `Pe¤a`, `Garc¡a`.
const NOT_WRITTEN = /[^\0-\u007f\u00a0¡§¨©ª«®°±²³´·º»¼½¾¿À-ÿ€‘’“”•–—…™]|\p{L}[¡¿]\p{L}/u;

/**
 * Opens a CSV: returns the rows from which its format is detected, and an iterator of the other rows, which throws a
 * SpreadsheetError at the first malformed row. The first piece has PIECE_BYTES unless the file is shorter.
 */
export async function openCsv(first: Buffer, others: AsyncIterable<Buffer>, options: CsvOptions) {
  const utf16 = findUtf16Label(first);
  const encoding = utf16 ? 'UTF-16' : (options.encoding ?? findEncoding(first));
  const decoder = new TextDecoder(utf16 ?? encoding);
  const head = decoder.decode(first, { stream: true });
  const named = SEPARATOR_LINE.exec(head);
  const separator = options.separator ?? findSeparator(named?.[1] ?? head);
  async function* pieces() {
    yield head;
    for await (const piece of others) yield decoder.decode(piece, { stream: true });
    yield decoder.decode();
  }
  const rows = parseRows(pieces(), separator, encoding, options.trim ?? false);
  const { sample: size = Infinity } = options;
  const sample: SourceRow[] = [];
  let failure: unknown;
  try {
    if (named) await rows.next();
    for (let next = await rows.next(); !next.done; next = await rows.next()) if (sample.push(next.value) > size) break;
  } catch (error) {
    failure = error;
  }
  async function* rest() {
    // An error follows the rows that precede it.
    if (failure) throw failure;
    yield* rows;
  }
  const hasBom = first.subarray(0, UTF8_BOM.length).equals(UTF8_BOM);
  return { origin: { encoding, separator, hasBom } as const, sample, rest: rest() };
}

async function* parseRows(
  pieces: AsyncIterable<string>,
  delimiter: Separator,
  encoding: Encoding,
  trim: boolean,
): AsyncGenerator<SourceRow> {
  const rows: SourceRow[] = [];
  // Excel omits empty cells at the end of a row. Between commas, a row may instead lack the quotes around a decimal
  // comma, and the last record of a truncated file usually has no line end.
  const mayBeShort = delimiter !== ',';
  let [lastLine, end] = [0, ''];
  const parser = parse({
    delimiter,
    trim,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: MAX_RECORD_BYTES,
    on_record(cells: string[]) {
      const line = lastLine + 1;
      lastLine = line + cells.reduce((count, cell) => count + cell.split(/\r\n?|\n/).length - 1, 0);
      if (cells.some((cell) => cell.trim() !== '')) {
        rows.push({ line, cells: cells.map((cell) => checkCell(cell, encoding)), mayBeShort });
      }
      return null;
    },
  });
  // The callbacks of `write` and `end` receive the error.
  parser.on('error', () => {});
  let failure: Error | null | undefined;
  for await (const piece of pieces) {
    if (piece === '') continue;
    end = piece.slice(-1);
    failure = await new Promise((resolve) => parser.write(piece, resolve));
    if (failure) break;
    yield* rows.splice(0, rows.length - 1);
  }
  failure ??= await new Promise((resolve) => parser.end(resolve));
  const last = failure || /[\r\n]/.test(end) ? undefined : rows.pop();
  yield* rows;
  if (last) yield { ...last, mayBeShort: false };
  if (failure instanceof CsvError) throw new SpreadsheetError(texts.strayQuote, lastLine + 1);
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

/** Finds the encoding of the first bytes of a file; throws a SpreadsheetError for an unknown encoding. */
function findEncoding(bytes: Buffer): Encoding {
  // A piece can end within a character, a file cannot. If some characters are valid UTF-8, such as a BOM, the file is
  // UTF-8: invalid bytes mean that it is damaged or joined from two.
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: bytes.length >= PIECE_BYTES });
  if (!utf8.includes('\ufffd') || /[^\0-\u007f\ufffd]/.test(utf8)) return 'UTF-8';
  const text = new TextDecoder('windows-1252').decode(bytes);
  const unknown = NOT_WRITTEN.exec(text);
  if (!unknown) return 'Windows-1252';
  throw new SpreadsheetError(texts.unknownEncoding(text.slice(0, unknown.index).split(/\r\n?|\n/).length));
}

const WINDOWS_1252 = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
const BYTES = new Map(Array.from(WINDOWS_1252, (character, byte) => [character, byte]));

/** True if the bytes of a text in Windows-1252 are UTF-8, for example of `LucÃ\u00ada`: the file is joined from two. */
function isUtf8Inside(text: string): boolean {
  return /[^\0-\u007f]/.test(text) && isUtf8(Uint8Array.from(text, (character) => BYTES.get(character) ?? 0));
}

/** Returns a cell, or its error if it contains bytes of another encoding. */
function checkCell(cell: string, encoding: Encoding): string | UnreadableCell {
  if (cell.includes('\0')) return { fault: texts.nulCharacter, value: cell };
  const hasOtherBytes = cell.includes('\ufffd') || (encoding === 'Windows-1252' && isUtf8Inside(cell));
  return hasOtherBytes ? { fault: texts.otherBytes(encoding), hint: 'encoding', value: cell } : cell;
}
