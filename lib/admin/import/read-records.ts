import { addAbortSignal, type Readable } from 'node:stream';
import { decodeUtf8 } from './decode-utf8.ts';
import { parseExactJson } from './exact-json.ts';
import { type CsvOptions, readCsv } from './read-csv.ts';
import { type Line, MAX_RECORD_BYTES, readLines } from './read-lines.ts';
import { decimalProperties } from './record-schema.ts';
import type { SourceRecord } from './source-record.ts';

/** The forms in which invoices can be imported. */
export const FORMATS = ['ndjson', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** Where to begin (the first line is 1), what ends the reading early, and how a CSV is written. */
export interface ReadOptions extends CsvOptions {
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
  { fromLine = 1, signal, ...csv }: ReadOptions = {},
): AsyncGenerator<SourceRecord> {
  const lines = readLines(signal ? addAbortSignal(signal, input) : input);
  try {
    yield* format === 'csv' ? readCsv(lines, fromLine, csv) : readNdjson(lines, fromLine);
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
