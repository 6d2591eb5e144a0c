import { isUtf8 } from 'node:buffer';
import { ListDocument } from './list-document.ts';
import { decimalProperties } from './record-schema.ts';
import { InputError, type SourceRecord } from './source-record.ts';

/** The most bytes of a line that are kept in memory: many times what can be stored. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

const SHOWN_CHARACTERS = 1000;
const LINE_FEED = 0x0a;
const UTF_16_MARKS = ['\xff\xfe', '\xfe\xff'];
const BYTE_ORDER_MARK = '\ufeff';
const REPLACEMENT_BYTES = Buffer.from('\ufffd');

type SourceReviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;

/**
 * Reads the records of NDJSON one by one, each with its line, or those of the document that `list-invoices --json`
 * prints. Empty lines are skipped.
 */
export async function* readNdjson(input: AsyncIterable<Buffer | string>): AsyncGenerator<SourceRecord> {
  let document: ListDocument | null = null;
  let lastLine = 1;
  for await (const { line, bytes, isTooLong } of readLines(input)) {
    lastLine = line;
    const text = bytes.toString().replace(BYTE_ORDER_MARK, (mark, at: number) => (at === 0 ? '' : mark));
    const json = text.trim();
    if (isTooLong) {
      const source = JSON.stringify(json.slice(0, SHOWN_CHARACTERS));
      yield { line, source, fault: `record: has over ${MAX_LINE_BYTES} bytes, of which this is the beginning` };
    } else if (!isUtf8(bytes)) yield { line, source: JSON.stringify(json), fault: utf8Fault(bytes, text, line) };
    else if (document) {
      const record = document.add(text.trimEnd());
      if (record !== null) yield readJson(line, record);
    } else if (line === 1 && ListDocument.isStart(json)) document = new ListDocument();
    else if (json !== '') yield readJson(line, json);
  }
  const error = document?.findError();
  if (error) yield { line: lastLine, source: '""', fault: `record: ${error}` };
}

/** Parses JSON; decimals come back as the text that was written, so that no digit is lost in a float. */
export function parseExactJson(text: string): unknown {
  const keepDigits: SourceReviver = (name, value, { source }) =>
    typeof value === 'number' && decimalProperties.has(name) ? source : value;
  return JSON.parse(text, keepDigits as (name: string, value: unknown) => unknown);
}

function readJson(line: number, json: string): SourceRecord {
  try {
    return { line, source: json, value: parseExactJson(json) };
  } catch {
    return { line, source: JSON.stringify(json), fault: 'record: is not valid JSON' };
  }
}

/** Splits a stream at line feeds, whatever other characters stand there; of an overlong line it gives the beginning. */
async function* readLines(input: AsyncIterable<Buffer | string>) {
  let [line, size] = [1, 0];
  let parts: Buffer[] = [];
  const keep = (part: Buffer) => {
    size += part.length;
    if (size <= MAX_LINE_BYTES) parts.push(part);
  };
  const take = () => {
    const taken = { line, bytes: Buffer.concat(parts), isTooLong: size > MAX_LINE_BYTES };
    if (line === 1 && UTF_16_MARKS.includes(taken.bytes.toString('latin1', 0, 2))) {
      throw new InputError(1, 'The file is in UTF-16: save it in UTF-8.');
    }
    [line, parts, size] = [line + 1, [], 0];
    return taken;
  };
  for await (const piece of input) {
    const chunk = Buffer.from(piece as Buffer);
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

/** Says where the first byte stands that is no UTF-8; the text has U+FFFD there. */
function utf8Fault(bytes: Buffer, text: string, line: number): string {
  let offset = bytes.toString().startsWith(BYTE_ORDER_MARK) ? Buffer.byteLength(BYTE_ORDER_MARK) : 0;
  let column = 1;
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (character === '\ufffd' && !bytes.subarray(offset, offset + size).equals(REPLACEMENT_BYTES)) break;
    offset += size;
    column += 1;
  }
  const byte = bytes[offset]?.toString(16).toUpperCase();
  return `record: is not UTF-8: byte 0x${byte} at line ${line}, column ${column} (in characters)`;
}
