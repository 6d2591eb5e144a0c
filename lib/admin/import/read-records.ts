import { addAbortSignal, type Readable } from 'node:stream';
import { csvRecords } from './csv-records.ts';
import { decodeUtf8 } from './decode-utf8.ts';
import { parseExactJson } from './exact-json.ts';
import { InputError } from './input-error.ts';
import { type Line, MAX_RECORD_BYTES, readLines } from './read-lines.ts';
import { decimalProperties, recordSchema } from './record-schema.ts';
import { splitCells } from './split-cells.ts';

/** The forms in which invoices can be imported. */
export const FORMATS = ['ndjson', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/**
 * What was read where: a value still to be checked, or why there is none; `source` is JSON that says what was written.
 */
export type SourceRecord = { readonly line: number; readonly source: string } & (
  { readonly value: unknown } | { readonly fault: string }
);

/** Where to begin (the first line is 1), and what ends the reading early. */
export interface ReadOptions {
  readonly fromLine?: number;
  readonly signal?: AbortSignal;
}

/**
 * Reads the records of a stream one by one, each with its last line; empty lines are skipped. Throws an InputError
 * where it cannot be read any further.
 */
export async function* readRecords(
  input: Readable,
  format: Format,
  { fromLine = 1, signal }: ReadOptions = {},
): AsyncGenerator<SourceRecord> {
  const lines = readLines(signal ? addAbortSignal(signal, input) : input);
  try {
    yield* format === 'csv' ? readCsv(lines, fromLine) : readNdjson(lines, fromLine);
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}

const SHOWN_CHARACTERS = 1000;

async function* readNdjson(lines: AsyncIterable<Line>, fromLine: number): AsyncGenerator<SourceRecord> {
  for await (const { line, bytes, isTooLong } of lines) {
    if (line < fromLine) continue;
    const { text, fault } = decodeUtf8(bytes, line);
    const json = text.trim();
    if (isTooLong) {
      const source = JSON.stringify(json.slice(0, SHOWN_CHARACTERS));
      yield { line, source, fault: `record: has over ${MAX_RECORD_BYTES} bytes, of which this is the beginning` };
    } else if (fault) yield { line, source: JSON.stringify(json), fault };
    else if (json !== '') yield readJson(line, json);
  }
}

function readJson(line: number, json: string): SourceRecord {
  try {
    return { line, source: json, value: parseExactJson(json, decimalProperties) };
  } catch {
    return { line, source: JSON.stringify(json), fault: 'record: is not valid JSON' };
  }
}

async function* readCsv(lines: AsyncIterable<Line>, fromLine: number): AsyncGenerator<SourceRecord> {
  let header: readonly string[] | undefined;
  for await (const { firstLine, lastLine: line, bytes } of csvRecords(lines)) {
    if (header && line < fromLine) continue;
    const { text, fault } = decodeUtf8(bytes, firstLine);
    const record = text.replace(/\r$/, '');
    const cells = splitCells(record);
    if (!cells) throw new InputError(firstLine, `Line ${firstLine}: a quote is out of place. ${QUOTES}`);
    if (!header) {
      const headerFault = fault ?? faultOfHeader(cells);
      if (headerFault) throw new InputError(firstLine, `The first line of the CSV is no header: ${headerFault}.`);
      header = cells;
    } else if (fault) yield { line, source: JSON.stringify(record), fault };
    else yield readRow(header, cells, line);
  }
}

const QUOTES = 'A cell that holds quotes stands within quotes, and each of its own is written twice.';

function readRow(header: readonly string[], cells: readonly string[], line: number): SourceRecord {
  if (cells.length !== header.length) {
    const fault = `record: has ${cells.length} columns, and the header ${header.length}`;
    return { line, source: JSON.stringify(cells), fault };
  }
  const row = Object.fromEntries(header.map((name, column): [string, unknown] => [name, cells[column] || null]));
  if (typeof row['concepts'] !== 'string') return { line, source: JSON.stringify(row), value: row };
  try {
    const value = { ...row, concepts: parseExactJson(row['concepts'], decimalProperties) };
    return { line, source: JSON.stringify(value), value };
  } catch {
    return { line, source: JSON.stringify(row), fault: 'concepts: is not valid JSON' };
  }
}

function faultOfHeader(names: readonly string[]): string | null {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `it names ${twice} twice`;
  if (names.some((name) => name in recordSchema.properties)) return null;
  return `it names none of the columns ${recordSchema.required.join(', ')}, ..., separated by commas`;
}
