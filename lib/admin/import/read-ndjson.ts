import { isUtf8 } from 'node:buffer';
import { isNumberField } from './record-schema.ts';
import { InputError, type SourceRecord } from './source-record.ts';

/** The maximum bytes of a line: far more than an item of DynamoDB can contain. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

const SHOWN_CHARACTERS = 1000;
const LINE_FEED = 0x0a;
const UTF_16_BOMS = ['\xff\xfe', '\xfe\xff'];
const BOM = '\ufeff';
const REPLACEMENT_BYTES = Buffer.from('\ufffd');

type SourceReviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;

/**
 * Reads the records of NDJSON, or of the document that `list-invoices --json` prints, one by one with their line
 * numbers. Skips empty lines.
 */
export async function* readNdjson(input: AsyncIterable<Buffer | string>): AsyncGenerator<SourceRecord> {
  let document: ListDocument | null = null;
  let lastLine = 1;
  for await (const { line, text, error } of readLines(input)) {
    lastLine = line;
    const json = text.trim();
    if (error !== null) yield { line, source: JSON.stringify(json), error: `record: ${error}` };
    else if (line === 1 && json === '{') document = new ListDocument();
    else {
      const record = document ? document.add(text.trimEnd()) : json;
      if (record) yield readJson(line, record);
    }
  }
  const error = document?.findError();
  if (error) yield { line: lastLine, source: '""', error: `record: ${error}` };
}

/**
 * A parser of the document that `list-invoices --json` prints: `{"tenant": …, "invoices": [ … ], "totals": …}`,
 * indented, with the opening and the closing brace of each record on separate lines.
 */
class ListDocument {
  #part: 'head' | 'list' | 'tail' | 'end' = 'head';
  /** The lines of the record that has begun. */
  #record: string[] = [];

  /** Adds the next line. Returns the record or other list entry that ends with this line, as JSON; otherwise null. */
  add(line: string): string | null {
    const text = line.trim();
    const [first] = this.#record;
    if (first !== undefined || (this.#part === 'list' && text === '{')) {
      this.#record.push(line);
      // The closing brace of a record has the indentation of its opening brace.
      if (first === undefined || line.replace(/,$/, '') !== first.replace('{', '}')) return null;
      const record = this.#record.join('\n').trim().replace(/,$/, '');
      this.#record = [];
      return record;
    }
    if (this.#part === 'list' && /^\],?$/.test(text)) this.#part = 'tail';
    else if (this.#part === 'list') return text;
    else if (this.#part === 'head' && text === '"invoices": [') this.#part = 'list';
    else if (this.#part === 'head' && /^"invoices": \[\],?$/.test(text)) this.#part = 'tail';
    else if (this.#part === 'tail' && line === '}') this.#part = 'end';
    return null;
  }

  /** Returns the error of a document that ends before it is complete, or null. */
  findError(): string | null {
    if (this.#part === 'end') return null;
    if (this.#part === 'head') return 'the JSON document has no list "invoices"; NDJSON has one record per line';
    return 'the document is truncated here';
  }
}

/** Parses JSON; returns decimals as the original text, so that no digit is lost in a float. */
export function parseExactJson(text: string): unknown {
  const keepDigits: SourceReviver = (name, value, { source }) =>
    typeof value === 'number' && isNumberField(name) ? source : value;
  return JSON.parse(text, keepDigits as (name: string, value: unknown) => unknown);
}

function readJson(line: number, json: string): SourceRecord {
  try {
    return { line, source: json, value: parseExactJson(json) };
  } catch {
    return { line, source: JSON.stringify(json), error: 'record: is not valid JSON' };
  }
}

/** A line of a text; of a line with an error, the text is what can be shown. */
interface Line {
  readonly line: number;
  readonly text: string;
  readonly error: string | null;
}

/** Splits a stream at line feeds. Of a line that is too long, only the beginning is kept. */
async function* readLines(input: AsyncIterable<Buffer | string>): AsyncGenerator<Line> {
  let [line, size] = [1, 0];
  let parts: Buffer[] = [];
  const keep = (part: Buffer) => {
    size += part.length;
    if (size <= MAX_LINE_BYTES) parts.push(part);
  };
  const take = () => {
    const taken = toLine(line, Buffer.concat(parts), size > MAX_LINE_BYTES);
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

function toLine(line: number, bytes: Buffer, isTooLong: boolean): Line {
  if (line === 1 && UTF_16_BOMS.includes(bytes.toString('latin1', 0, 2))) {
    throw new InputError(1, 'The file is in UTF-16: save it in UTF-8.');
  }
  const text = bytes.toString().replace(/^\ufeff/, '');
  if (isTooLong) {
    const error = `has more than ${MAX_LINE_BYTES} bytes; only the first characters are shown`;
    return { line, text: text.trimStart().slice(0, SHOWN_CHARACTERS), error };
  }
  return { line, text, error: isUtf8(bytes) ? null : describeInvalidUtf8(bytes, line) };
}

/** Describes the position of the first byte that is not UTF-8, which `toString` has replaced by U+FFFD. */
function describeInvalidUtf8(bytes: Buffer, line: number): string {
  let [offset, column] = [0, 1];
  for (const character of bytes.toString()) {
    const size = Buffer.byteLength(character);
    if (character === '\ufffd' && !bytes.subarray(offset, offset + size).equals(REPLACEMENT_BYTES)) break;
    offset += size;
    if (character !== BOM) column += 1;
  }
  const byte = bytes[offset]?.toString(16).toUpperCase();
  return `is not UTF-8: byte 0x${byte} at line ${line}, column ${column} (in characters)`;
}
