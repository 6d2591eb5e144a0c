import { isUtf8 } from 'node:buffer';
import { ListDocument } from './list-document.ts';
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
  for await (const { line, bytes, isTooLong } of readLines(input)) {
    lastLine = line;
    const text = bytes.toString().replace(BOM, (bom, index: number) => (index === 0 ? '' : bom));
    const json = text.trim();
    if (isTooLong) {
      const source = JSON.stringify(json.slice(0, SHOWN_CHARACTERS));
      yield {
        line,
        source,
        error: `record: has more than ${MAX_LINE_BYTES} bytes; only the first characters are shown`,
      };
    } else if (!isUtf8(bytes))
      yield { line, source: JSON.stringify(json), error: describeInvalidUtf8(bytes, text, line) };
    else if (document) {
      const record = document.add(text.trimEnd());
      if (record !== null) yield readJson(line, record);
    } else if (line === 1 && ListDocument.isStart(json)) document = new ListDocument();
    else if (json !== '') yield readJson(line, json);
  }
  const error = document?.findError();
  if (error) yield { line: lastLine, source: '""', error: `record: ${error}` };
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

/** Splits a stream at line feeds. Of a line that is too long, only the beginning is returned. */
async function* readLines(input: AsyncIterable<Buffer | string>) {
  let [line, size] = [1, 0];
  let parts: Buffer[] = [];
  const keep = (part: Buffer) => {
    size += part.length;
    if (size <= MAX_LINE_BYTES) parts.push(part);
  };
  const take = () => {
    const taken = { line, bytes: Buffer.concat(parts), isTooLong: size > MAX_LINE_BYTES };
    if (line === 1 && UTF_16_BOMS.includes(taken.bytes.toString('latin1', 0, 2))) {
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

/** Describes the position of the first byte that is not UTF-8; the decoded text contains U+FFFD there. */
function describeInvalidUtf8(bytes: Buffer, text: string, line: number): string {
  let offset = bytes.toString().startsWith(BOM) ? Buffer.byteLength(BOM) : 0;
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
