import { isUtf8 } from 'node:buffer';
import { parse } from 'csv-parse';
import type { SourceRow } from './read-cell.ts';
import { SpreadsheetError, type UnreadableCell } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** The characters that can separate columns, by the name on the command line. */
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

/** The minimum size of the first piece of a longer file. The piece contains the header, and shows the encoding. */
export const PIECE_BYTES = 1024 * 1024;

const UTF8_BOM = Buffer.from('\ufeff');
// Characters that people do not write in Windows-1252. A file in another encoding shows them: `Pe¤a`, `Garc¡a`.
const UNUSUAL_CHARACTER = /[^\0-\u007f\u00a0¡§¨©ª«®°±²³´·º»¼½¾¿À-ÿ€‘’“”•–—…™]|\p{L}[¡¿]\p{L}/u;

/**
 * Opens a CSV: returns the rows from which its format is detected, and an iterator of the other rows, which ends after
 * the first malformed row. The first piece has PIECE_BYTES unless the file is shorter.
 */
export async function openCsv(firstPiece: Buffer, otherPieces: AsyncIterable<Buffer>, options: CsvOptions) {
  const utf16 = findUtf16Label(firstPiece);
  const encoding = utf16 ? 'UTF-16' : (options.encoding ?? findEncoding(firstPiece));
  const decoder = new TextDecoder(utf16 ?? encoding);
  const head = decoder.decode(firstPiece, { stream: true });
  const separator = options.separator ?? findSeparator(head);
  const hasBom = firstPiece.subarray(0, UTF8_BOM.length).equals(UTF8_BOM);
  const origin = { encoding, separator, hasBom } as const;

  async function* decodePieces() {
    yield head;
    for await (const piece of otherPieces) yield decoder.decode(piece, { stream: true });
    yield decoder.decode();
  }
  const rows = parseRows(decodePieces(), origin, options.trim ?? false);
  const { sample: sampleSize = Infinity } = options;
  const sample: SourceRow[] = [];
  // The sample has one row more, which is the header.
  while (sample.length <= sampleSize) {
    const { value: row, done } = await rows.next();
    if (done) break;
    sample.push(row);
  }
  return { origin, sample, rest: rows };
}

/** Parses pieces of text to rows without the empty ones. A malformed row is the last one, with an error. */
async function* parseRows(
  pieces: AsyncIterable<string>,
  { separator, encoding }: { readonly separator: Separator; readonly encoding: Encoding },
  trim: boolean,
): AsyncGenerator<SourceRow, void> {
  const rows: SourceRow[] = [];
  // Excel omits empty cells at the end of a row. Between commas, a row may instead lack the quotes around a decimal
  // comma, and the last record of a truncated file usually has no line end.
  const canBeShort = separator !== ',';
  let lastLine = 0;
  let lastCharacter = '';
  const parser = parse({
    delimiter: separator,
    trim,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: MAX_RECORD_BYTES,
    on_record(cells: string[]) {
      const line = lastLine + 1;
      lastLine = line;
      for (const cell of cells) lastLine += countLines(cell) - 1;
      if (cells.some((cell) => cell.trim() !== '')) {
        rows.push({ line, cells: cells.map((cell) => checkCell(cell, encoding)), canBeShort });
      }
      return null;
    },
  });
  // The callbacks of `write` and `end` receive the error.
  parser.on('error', () => {});
  let error: Error | null | undefined;
  for await (const piece of pieces) {
    if (piece === '') continue;
    lastCharacter = piece.slice(-1);
    error = await new Promise((resolve) => parser.write(piece, resolve));
    if (error) break;
    yield* rows.splice(0, rows.length - 1);
  }
  error ??= await new Promise((resolve) => parser.end(resolve));
  const isLastRowUnended = !error && !/[\r\n]/.test(lastCharacter);
  const unendedRow = isLastRowUnended ? rows.pop() : undefined;
  yield* rows;
  if (unendedRow) yield { ...unendedRow, canBeShort: false };
  if (error) yield { line: lastLine + 1, cells: [], canBeShort, error: texts.strayQuote };
}

/**
 * Finds the separator in the first line that has one, which can be the line `sep=;` of Excel. Quoted texts, which can
 * have line ends, do not count.
 */
function findSeparator(head: string): Separator {
  const unquotedLines = head.replaceAll(/"[^"]*("|$)/g, '').split(/[\r\n]+/);
  const line = unquotedLines.find((text) => /[;\t,]/.test(text));
  return ([';', '\t'] as const).find((separator) => line?.includes(separator)) ?? ',';
}

/** Finds the label for TextDecoder of a file in UTF-16; undefined without a BOM of UTF-16. */
export function findUtf16Label(bytes: Buffer): string | undefined {
  const bom = bytes.toString('latin1', 0, 2);
  if (bom === '\xff\xfe') return 'utf-16le';
  return bom === '\xfe\xff' ? 'utf-16be' : undefined;
}

const countLines = (text: string) => text.split(/\r\n?|\n/).length;

/** Finds the encoding of the first bytes of a file; throws a SpreadsheetError for an unknown encoding. */
function findEncoding(bytes: Buffer): Encoding {
  // A piece can end within a character, but a file cannot. If some characters are valid UTF-8, such as a BOM, the file
  // is UTF-8. Invalid bytes then mean that the file is damaged, or was joined from two files.
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: bytes.length >= PIECE_BYTES });
  if (!utf8.includes('\ufffd') || /[^\0-\u007f\ufffd]/.test(utf8)) return 'UTF-8';
  const text = new TextDecoder('windows-1252').decode(bytes);
  const index = text.search(UNUSUAL_CHARACTER);
  if (index === -1) return 'Windows-1252';
  throw new SpreadsheetError(texts.unknownEncoding(countLines(text.slice(0, index))));
}

const WINDOWS_1252 = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
const BYTES_BY_CHARACTER = new Map(Array.from(WINDOWS_1252, (character, byte) => [character, byte]));

/** True if the bytes of a Windows-1252 text are UTF-8. Two joined files can have such a text, such as `LucÃ\u00ada`. */
function isUtf8Inside(text: string): boolean {
  return (
    /[^\0-\u007f]/.test(text) && isUtf8(Uint8Array.from(text, (character) => BYTES_BY_CHARACTER.get(character) ?? 0))
  );
}

/** Returns a cell, or its error if it contains bytes of another encoding. */
function checkCell(cell: string, encoding: Encoding): string | UnreadableCell {
  if (cell.includes('\0')) return { error: texts.nulCharacter, value: cell };
  const hasOtherBytes = cell.includes('\ufffd') || (encoding === 'Windows-1252' && isUtf8Inside(cell));
  return hasOtherBytes ? { error: texts.otherBytes(encoding), hint: 'encoding', value: cell } : cell;
}
