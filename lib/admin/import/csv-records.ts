import { InputError } from './input-error.ts';
import { type Line, MAX_RECORD_BYTES } from './read-lines.ts';

/** A record of a CSV: its first and its last line, and its bytes without the last line feed. */
export interface CsvRecord {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly bytes: Buffer;
}

const LINE_FEED = Buffer.from('\n');
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;

/**
 * Joins lines into records, since a line feed within quotes is text, and skips empty lines; throws an InputError for a
 * quote that is never closed.
 */
export async function* csvRecords(lines: AsyncIterable<Line>): AsyncGenerator<CsvRecord> {
  let parts: Buffer[] = [];
  let firstLine = 0;
  let size = 0;
  let isQuoted = false;
  for await (const { line, bytes, isTooLong } of lines) {
    if (parts.length === 0) {
      if (bytes.length === 0 || (bytes.length === 1 && bytes[0] === CARRIAGE_RETURN)) continue;
      [firstLine, size] = [line, 0];
    } else parts.push(LINE_FEED);
    parts.push(bytes);
    size += bytes.length;
    if (isTooLong || size > MAX_RECORD_BYTES) {
      const reason = `the record has over ${MAX_RECORD_BYTES} bytes, or a quote in it is never closed`;
      throw new InputError(firstLine, `Line ${firstLine}: ${reason}.`);
    }
    for (const byte of bytes) if (byte === QUOTE) isQuoted = !isQuoted;
    if (isQuoted) continue;
    yield { firstLine, lastLine: line, bytes: parts.length === 1 ? bytes : Buffer.concat(parts) };
    parts = [];
  }
  if (isQuoted) throw new InputError(firstLine, `Line ${firstLine}: a quote is opened and never closed.`);
}
