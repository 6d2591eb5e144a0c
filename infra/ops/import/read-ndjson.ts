import { isUtf8 } from 'node:buffer';
import { findUtf16Label } from '../../../lib/client/spreadsheets/read-csv.ts';
import { isNumberField } from './record-schema.ts';
import { InputError, type SourceRecord } from './source-record.ts';

/** The maximum bytes of a line: far more than an item of DynamoDB can contain. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;

type SourceReviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;

/**
 * Reads the records of NDJSON, or of the document that `list-invoices --json` prints, one by one with their line
 * numbers. Skips empty lines. Throws an InputError for a file in UTF-16, and at a line that is too long.
 */
export async function* readNdjson(input: AsyncIterable<Buffer | string>): AsyncGenerator<SourceRecord> {
  let document: ListDocument | null = null;
  let line = 0;
  for await (const bytes of readLines(input)) {
    line += 1;
    if (line === 1 && findUtf16Label(bytes)) throw new InputError(1, 'The file is in UTF-16: save it in UTF-8.');
    const text = bytes.toString().replace(/^\ufeff/, '');
    if (!isUtf8(bytes)) yield { line, source: JSON.stringify(text.trim()), errors: ['record: is not UTF-8'] };
    else if (line === 1 && text.trim() === '{') document = new ListDocument();
    else {
      const json = document ? document.add(text.trimEnd()) : text.trim();
      if (json) yield readJson(line, json);
    }
  }
  const error = document?.findError();
  if (error) yield { line, source: '""', errors: [`record: ${error}`] };
}

/**
 * A parser of the document that `list-invoices --json` prints: `{"tenant": …, "invoices": [ … ], "totals": …}`,
 * indented, with the opening and the closing brace of each record on separate lines.
 */
class ListDocument {
  #hasList = false;
  #isInList = false;
  #isComplete = false;
  /** The lines of the record that has begun. */
  #record: string[] = [];

  /** Adds the next line. Returns the record or other list entry that ends with this line, as JSON; otherwise null. */
  add(line: string): string | null {
    const text = line.trim();
    const [first] = this.#record;
    if (first !== undefined || (this.#isInList && text === '{')) {
      this.#record.push(line);
      // The closing brace of a record has the indentation of its opening brace.
      if (first === undefined || line.replace(/,$/, '') !== first.replace('{', '}')) return null;
      const record = this.#record.join('\n').trim().replace(/,$/, '');
      this.#record = [];
      return record;
    }
    if (this.#isInList && !/^\],?$/.test(text)) return text;
    this.#isInList = text === '"invoices": [';
    this.#hasList ||= text.startsWith('"invoices": [');
    this.#isComplete ||= line === '}';
    return null;
  }

  /** Returns the error of a document that ends before it is complete, or null. */
  findError(): string | null {
    if (!this.#hasList) return 'the JSON document has no list "invoices"; NDJSON has one record per line';
    return this.#isComplete ? null : 'the document is truncated here';
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
    return { line, source: JSON.stringify(json), errors: ['record: is not valid JSON'] };
  }
}

/** Splits a stream at line feeds; throws an InputError at a line that is too long. */
async function* readLines(input: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
  let line = 1;
  // The characters of the text are bytes, because a piece can end within a character.
  let rest = '';
  for await (const piece of input) {
    const lines = (rest + Buffer.from(piece as Buffer).toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    line += lines.length;
    for (const bytes of lines) yield Buffer.from(bytes, 'latin1');
    if (rest.length > MAX_LINE_BYTES) {
      throw new InputError(line, `Line ${line} has more than ${MAX_LINE_BYTES} bytes.`);
    }
  }
  if (rest !== '') yield Buffer.from(rest, 'latin1');
}
