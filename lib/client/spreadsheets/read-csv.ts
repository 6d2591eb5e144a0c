import { parse } from 'csv-parse';
import { type ColumnOptions, findFields, MAX_HEADER_ROWS } from './find-columns.ts';
import { shorten, type SourceRow } from './read-cell.ts';
import { SpreadsheetError, type UnreadableCell } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

/** The characters that can separate columns, by the name on the command line. */
export const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const;
type Separator = (typeof SEPARATORS)[keyof typeof SEPARATORS];

/** The encodings of a CSV. UTF-16 is only detected, by its BOM. */
export const ENCODINGS = ['UTF-8', 'Windows-1252', 'CP850', 'Macintosh'] as const;
type Encoding = (typeof ENCODINGS)[number] | 'UTF-16';

/** The options of reading a CSV; its separator and its encoding are detected by default. */
export interface CsvOptions<Field extends string> extends ColumnOptions<Field> {
  readonly separator?: Separator | undefined;
  readonly encoding?: Encoding | undefined;
  /** The number of rows from which the format is detected; by default all rows. */
  readonly sample?: number | undefined;
}

/** The maximum size of a record, which is kept in memory; an invoice that can be stored is much smaller. */
export const MAX_RECORD_BYTES = 8 * 1024 * 1024;

/** The minimum size of the first piece of a longer file. The piece contains the header, and shows the encoding. */
export const PIECE_BYTES = 1024 * 1024;

// A file in CP850 or Mac Roman has these texts if it is read as Windows-1252. People hardly write them.
const UNUSUAL_PARTS = [
  /[^\0-\u007f\u00a0¡§¨©ª«®°±²³´·º»¼½¾¿À-ÿ€‘’“”•–—…™]/, // Pe¤a
  /\p{L}[¡¿]\p{L}/u, // Garc¡a
  /\p{Lu}[àçêîòéÖ]\p{Lu}/u, // CàRDOBA, GARCÖA
  /(?<!\p{L})[àçêîò]\p{Lu}{2}/u, // çLVAREZ
  /\p{Lu}{2}[àêîò](?!\p{L})/u, // SARMIENTà
  /\p{L}[\u00a0–—]\p{Ll}|\p{Ll}’\p{Ll}/u, // C—rdoba, Garc’a
];
const UNUSUAL_TEXT = new RegExp(UNUSUAL_PARTS.map(({ source }) => source).join('|'), 'u');

/**
 * Opens a CSV: returns the rows from which its format is detected, and an iterator of the other rows, which ends after
 * the first malformed row. The first piece has PIECE_BYTES unless the file is shorter.
 */
export async function openCsv(
  firstPiece: Uint8Array,
  otherPieces: AsyncIterable<Uint8Array>,
  options: CsvOptions<string>,
) {
  const utf16 = findUtf16Label(firstPiece);
  const encoding = utf16 ? 'UTF-16' : (options.encoding ?? findEncoding(firstPiece, options));
  const decoder = createDecoder(utf16 ?? encoding);
  const head = decoder.decode(firstPiece, { stream: true });
  const separator = options.separator ?? findSeparator(head, options);
  const hidden: readonly number[] = [];
  const origin = { encoding, separator, hiddenLines: hidden, hiddenColumns: hidden } as const;

  async function* decodePieces() {
    yield head;
    for await (const piece of otherPieces) yield decoder.decode(piece, { stream: true });
    yield decoder.decode();
  }
  const rows = parseRows(decodePieces(), origin);
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
): AsyncGenerator<SourceRow, void> {
  const rows: SourceRow[] = [];
  // Excel omits empty cells at the end of a row. Between commas, a row may instead lack the quotes around a decimal
  // comma, and the last record of a truncated file usually has no line end.
  const canBeShort = separator !== ',';
  let lastLine = 0;
  let lastCharacter = '';
  const parser = parse({
    delimiter: separator,
    trim: true,
    // A quote within an unquoted cell is a character, as in `15" disk`. With `trim`, `"a"b` is still an error.
    relax_quotes: true,
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
  for await (const text of pieces) {
    // MS-DOS ends a file with Ctrl-Z.
    const piece = text.replace(/\cZ\s*$/, '');
    if (piece === '') continue;
    lastCharacter = piece.slice(-1);
    error = await new Promise((resolve) => parser.write(piece, resolve));
    if (error) break;
    yield* rows.splice(0, rows.length - 1);
  }
  error ??= await new Promise((resolve) => parser.end(resolve));
  const unendedRow = !error && !/[\r\n]/.test(lastCharacter) ? rows.pop() : undefined;
  yield* rows;
  if (unendedRow) yield { ...unendedRow, canBeShort: false };
  if (error) yield { line: lastLine + 1, cells: [], canBeShort, error: texts.strayQuote };
}

/** Finds the separator with which a line has the most known headings, because titles can have other separators. */
function findSeparator(head: string, options: CsvOptions<string>): Separator {
  const lines = head.split(/\r\n|[\r\n]/, MAX_HEADER_ROWS);
  const rate = (separator: Separator) => {
    const rows = lines.map((line) => line.replaceAll('"', '').split(separator));
    // Without known headings, the row with the most cells decides.
    return Math.max(...rows.map((cells) => findFields(cells, options).size + cells.length / (head.length + 2)));
  };
  return Object.values(SEPARATORS).toSorted((one, other) => rate(other) - rate(one))[0] ?? ',';
}

/** Finds the label for TextDecoder of a file in UTF-16; undefined without a BOM of UTF-16. */
export function findUtf16Label([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

const countLines = (text: string) => text.split(/\r\n?|\n/).length;

/** Finds the encoding of the first bytes of a file; throws a SpreadsheetError for an unknown encoding. */
function findEncoding(bytes: Uint8Array, options: CsvOptions<string>): Encoding {
  // A piece can end within a character, but a file cannot. If some characters are valid UTF-8, such as a BOM, the file
  // is UTF-8. Invalid bytes then mean that the file is damaged, or was joined from two files.
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: bytes.length >= PIECE_BYTES });
  if (!utf8.includes('\ufffd') || /[^\0-\u007f\ufffd]/.test(utf8)) return 'UTF-8';
  const text = new TextDecoder('windows-1252').decode(bytes);
  const index = text.search(UNUSUAL_TEXT);
  if (index === -1) return 'Windows-1252';
  const splitWords = (part: string) => part.split(/[\t\n\r ",;]/);
  const word = shorten(`${splitWords(text.slice(0, index)).at(-1)}${splitWords(text.slice(index))[0]}`);
  // With the key `encoding`, also without a value, the error names the option --encoding.
  const names = 'encoding' in options ? ENCODINGS.slice(1).join(', ').toLowerCase() : '';
  throw new SpreadsheetError(texts.unknownEncoding(countLines(text.slice(0, index)), word, names));
}

const WINDOWS_1252 = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
const BYTES_BY_CHARACTER = new Map(Array.from(WINDOWS_1252, (character, byte) => [character, byte]));

// The characters of the bytes from 128. TextDecoder does not know CP850.
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤' +
  'ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

function createDecoder(encoding: string): Pick<InstanceType<typeof TextDecoder>, 'decode'> {
  if (encoding !== 'CP850') return new TextDecoder(encoding);
  const toCharacter = (byte: number) => (byte < 128 ? String.fromCharCode(byte) : CP850.charAt(byte - 128));
  return { decode: (bytes = new Uint8Array()) => Array.from(bytes as Uint8Array, toCharacter).join('') };
}

/** True if the bytes of a Windows-1252 text are UTF-8. Two joined files can have such a text, such as `LucÃ\u00ada`. */
function isUtf8Inside(text: string): boolean {
  if (!/[^\0-\u007f]/.test(text)) return false;
  const bytes = Uint8Array.from(text, (character) => BYTES_BY_CHARACTER.get(character) ?? 0);
  return !new TextDecoder().decode(bytes).includes('\ufffd');
}

/** Returns the text of a cell (`0080101` for `="0080101"`), or its error if it contains bytes of another encoding. */
function checkCell(cell: string, encoding: Encoding): string | UnreadableCell {
  if (cell.includes('\0')) return { error: texts.nulCharacter, value: cell };
  const hasOtherBytes = cell.includes('\ufffd') || (encoding === 'Windows-1252' && isUtf8Inside(cell));
  if (hasOtherBytes) return { error: texts.otherBytes(encoding), hint: 'encoding', value: cell };
  const [, text] = /^="([^"]*(?:""[^"]*)*)"$/.exec(cell) ?? [];
  if (text !== undefined) return text.replaceAll('""', '"');
  return cell.startsWith('="') ? { error: texts.strayQuote, value: cell } : cell;
}
