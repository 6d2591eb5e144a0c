import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, type Info, parse } from 'csv-parse';
import { parseExactJson } from '../decimal-text.ts';
import { UsageError } from '../usage-error.ts';
import { decimalProperties } from './record-schema.ts';

/** The forms in which invoices can be imported. */
export const FORMATS = ['ndjson', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** What was read where: a value still to be checked, or why there is none; `source` is JSON that says what was written. */
export type SourceRecord = { readonly line: number; readonly source: string } & (
  { readonly value: unknown } | { readonly fault: string }
);

/** Where to begin (the first line is 1), and what ends the reading early. */
export interface ReadOptions {
  readonly fromLine?: number;
  readonly signal?: AbortSignal;
}

/** Reads the records of a stream one by one; empty lines are skipped. */
export function readRecords(input: Readable, format: Format, options: ReadOptions = {}): AsyncIterable<SourceRecord> {
  return format === 'csv' ? readCsv(input, options) : readNdjson(input, options);
}

async function* readNdjson(input: Readable, { fromLine = 1, signal }: ReadOptions): AsyncGenerator<SourceRecord> {
  let line = 0;
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY, ...(signal && { signal }) })) {
    line += 1;
    const json = text.replace(/^\uFEFF/, '').trim();
    if (json === '' || line < fromLine) continue;
    try {
      yield { line, source: json, value: parseExactJson(json, decimalProperties) };
    } catch {
      yield { line, source: JSON.stringify(json), fault: 'record: is not valid JSON' };
    }
  }
}

async function* readCsv(input: Readable, { fromLine = 1, signal }: ReadOptions): AsyncGenerator<SourceRecord> {
  const parser = parse({ bom: true, info: true, relax_column_count: true, skip_empty_lines: true });
  // A failure of the input, or its end, reaches the loop through the parser, which it destroys.
  pipeline(input, parser, { ...(signal && { signal }) }).catch(() => {});
  let header: readonly string[] | undefined;
  let countedTwice = 0;
  try {
    for await (const row of parser) {
      const { record: cells, info } = row as { record: string[]; info: Info };
      // csv-parse counts a CRLF within quotes as two lines.
      countedTwice += cells.join().split('\r\n').length - 1;
      const line = info.lines - countedTwice;
      if (!header) header = checkedHeader(cells);
      else if (line >= fromLine) yield readRow(header, cells, line);
    }
  } catch (error) {
    if (signal?.aborted) return;
    if (!(error instanceof CsvError)) throw error;
    throw new Error(`The CSV cannot be read any further: ${error.message}`, { cause: error });
  }
}

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

function checkedHeader(names: readonly string[]): readonly string[] {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`The header of the CSV names ${twice} twice.`);
  return names;
}
