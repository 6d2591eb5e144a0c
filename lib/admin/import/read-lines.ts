import type { Readable } from 'node:stream';
import { InputError } from './input-error.ts';

/**
 * A line of a file without its line feed; the first is 1. Of one that is too long to be kept, `bytes` is the beginning.
 */
export interface Line {
  readonly line: number;
  readonly bytes: Buffer;
  readonly isTooLong: boolean;
}

/** The most bytes of a record that are kept in memory: many times what can be stored. */
export const MAX_RECORD_BYTES = 8 * 1024 * 1024;

const LINE_FEED = 0x0a;
const UTF_16_MARKS = ['\xff\xfe', '\xfe\xff'];

/**
 * Splits a stream into lines at line feeds, whatever other characters they hold; throws an InputError when it is in
 * UTF-16.
 */
export async function* readLines(input: Readable): AsyncGenerator<Line> {
  let line = 1;
  let parts: Buffer[] = [];
  let size = 0;
  const keep = (part: Buffer) => {
    size += part.length;
    if (size <= MAX_RECORD_BYTES) parts.push(part);
  };
  const take = (): Line => {
    const taken = {
      line,
      bytes: parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts),
      isTooLong: size > MAX_RECORD_BYTES,
    };
    [line, parts, size] = [line + 1, [], 0];
    return checked(taken);
  };
  for await (const piece of input) {
    const chunk = Buffer.from(piece as Buffer | string);
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      keep(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    keep(chunk.subarray(start));
  }
  if (size > 0) yield take();
}

function checked(line: Line): Line {
  if (line.line === 1 && UTF_16_MARKS.includes(line.bytes.toString('latin1', 0, 2))) {
    throw new InputError(1, 'The file is in UTF-16: save it in UTF-8.');
  }
  return line;
}
