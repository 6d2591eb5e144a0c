import { parse } from 'csv-parse';
import { countLines, detectEncoding, type Encoding, findUtf16Label } from './csv-encoding.ts';
import { type ColumnOptions, findFields, MAX_HEADER_ROWS } from './find-columns.ts';
import type { SourceRow } from './read-cell.ts';
import type { UnreadableCell } from './spreadsheet-error.ts';
import { texts } from './spreadsheet-texts.ts';

const SEPARATORS = [',', ';', '\t'] as const;
type Separator = (typeof SEPARATORS)[number];

/** The options of reading a CSV. */
export interface CsvOptions<Field extends string> extends ColumnOptions<Field> {
  /** The number of rows from which the format is detected; by default all rows. */
  readonly sample?: number | undefined;
}

/** The maximum size of a row, which is kept in memory. An invoice that can be stored is much smaller. */
export const MAX_RECORD_BYTES = 8 * 1024 * 1024;

/** The minimum size of the pieces of a file, except the last one. The encoding is detected from the first piece. */
export const PIECE_BYTES = 1024 * 1024;

// A text that a program has protected as a formula, such as ="0080101" or ="a ""b""".
const TEXT_FORMULA = /^="(?<text>[^"]*(?:""[^"]*)*)"$/;

/** Opens a CSV. Returns a sample for the detection of its format, and the other rows until the first malformed row. */
export async function openCsv(
  firstPiece: Uint8Array,
  otherPieces: AsyncIterable<Uint8Array>,
  options: CsvOptions<string>,
) {
  const isWholeFile = firstPiece.length < PIECE_BYTES;
  const encoding = detectEncoding(firstPiece, isWholeFile);
  const decoder = new TextDecoder(findUtf16Label(firstPiece) ?? encoding);
  const head = decoder.decode(firstPiece, { stream: true });
  const separator = findSeparator(head, options);
  // A CSV has no hidden lines or columns.
  const hidden: readonly number[] = [];
  const origin = { encoding, separator, hiddenLines: hidden, hiddenColumns: hidden } as const;

  async function* decodePieces() {
    yield head;
    for await (const piece of otherPieces) yield decoder.decode(piece, { stream: true });
    yield decoder.decode();
  }
  const rows = parseRows(decodePieces(), origin);
  return { origin, sample: await takeSample(rows, options.sample ?? Infinity), rest: rows };
}

/** Takes the header and up to `sampleSize` rows. The other rows stay in the generator. */
async function takeSample(rows: AsyncGenerator<SourceRow, void>, sampleSize: number): Promise<SourceRow[]> {
  const sample: SourceRow[] = [];
  while (sample.length < sampleSize + 1) {
    const { value: row, done } = await rows.next();
    if (done) break;
    sample.push(row);
  }
  return sample;
}

/** Finds the separator with which one of the first lines has the most known headings: that line is the header. */
function findSeparator(head: string, options: CsvOptions<string>): Separator {
  const lines = head.split(/\r\n|[\r\n]/, MAX_HEADER_ROWS);
  const rateSeparator = (separator: Separator) => {
    const rows = lines.map((line) => line.replaceAll('"', '').split(separator));
    // The share of cells is less than 1. It decides only between rows with the same number of known headings.
    const ratings = rows.map((cells) => findFields(cells, options).size + cells.length / (head.length + 2));
    return Math.max(...ratings);
  };
  const [best = ','] = SEPARATORS.toSorted((one, other) => rateSeparator(other) - rateSeparator(one));
  return best;
}

/** Parses pieces of text to rows without the empty ones. A malformed row is the last one, with an error. */
async function* parseRows(
  pieces: AsyncIterable<string>,
  { separator, encoding }: { readonly separator: Separator; readonly encoding: Encoding },
): AsyncGenerator<SourceRow, void> {
  // Excel omits empty cells at the end. Between commas, a short row can instead lack the quotes around a decimal comma.
  const canBeShort = separator !== ',';
  const parsedRows: SourceRow[] = [];
  let line = 1;
  const parser = createParser(separator, (cells) => {
    const isFilled = cells.some((cell) => cell.trim() !== '');
    if (isFilled) parsedRows.push({ line, cells: cells.map((cell) => readText(cell, encoding)), canBeShort });
    line += cells.reduce((lineCount, cell) => lineCount + countLines(cell) - 1, 1);
  });
  let lastPiece = '';
  let error: Error | null | undefined;
  for await (const piece of pieces) {
    if (piece === '') continue;
    lastPiece = piece;
    // `write` and `end` add rows to `parsedRows`, and pass the error of a malformed row to their callback.
    error = await new Promise((resolve) => parser.write(piece, resolve));
    if (error) break;
    // The last row is yielded later, because it may be the last one of the file.
    yield* parsedRows.splice(0, parsedRows.length - 1);
  }
  error ??= await new Promise((resolve) => parser.end(resolve));
  // The last row of a truncated file usually has no line end. Therefore a short row without a line end is an error.
  const hasLineEnd = /[\r\n]$/.test(lastPiece);
  const unendedRow = error || hasLineEnd ? undefined : parsedRows.pop();
  yield* parsedRows;
  if (unendedRow) yield { ...unendedRow, canBeShort: false };
  if (error) yield { line, cells: [], canBeShort, error: texts.strayQuote };
}

function createParser(separator: Separator, onRecord: (cells: readonly string[]) => void) {
  const parser = parse({
    delimiter: separator,
    trim: true,
    // A quote within an unquoted cell is a character, as in `15" disk`. With `trim`, `"a"b` is still an error.
    relax_quotes: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: MAX_RECORD_BYTES,
    on_record(cells: string[]) {
      onRecord(cells);
      return null;
    },
  });
  // The callbacks of `write` and `end` receive the error. The program would end at an error event without a listener.
  parser.on('error', () => {});
  return parser;
}

/** Returns the text of a cell (`0080101` for `="0080101"`), or its error if it contains bytes of another encoding. */
function readText(cell: string, encoding: Encoding): string | UnreadableCell {
  if (cell.includes('\0')) return { error: texts.nulCharacter, value: cell };
  if (cell.includes('\ufffd')) return { error: texts.otherBytes(encoding), value: cell };
  const text = TEXT_FORMULA.exec(cell)?.groups?.['text'];
  if (text !== undefined) return text.replaceAll('""', '"');
  return cell.startsWith('="') ? { error: texts.strayQuote, value: cell } : cell;
}
