import { addAbortSignal, type Readable } from 'node:stream';
import type { Findings } from '../../spreadsheets/findings.ts';
import { SpreadsheetError } from '../../spreadsheets/spreadsheet-error.ts';
import { readNdjson } from './read-ndjson.ts';
import { readTableRecords, type WrittenOptions } from './read-table-records.ts';
import { recordSchema, REQUIRED_OF_NEW } from './record-schema.ts';
import { InputError, type SourceRecord } from './source-record.ts';

/** The forms in which invoices can be imported. */
export const FORMATS = ['ndjson', 'csv', 'xlsx'] as const;
export type Format = (typeof FORMATS)[number];

/** Where to begin (the first line is 1), what ends the reading early, and what is told of a CSV or a workbook. */
export interface ReadOptions extends WrittenOptions {
  readonly fromLine?: number;
  readonly signal?: AbortSignal;
  /** Hears how a CSV or a workbook was understood. */
  readonly onFindings?: (findings: Findings<string>) => void;
}

const WANTED =
  `Every file must have ${recordSchema.required.join(', ')}; ` +
  `new invoices need ${REQUIRED_OF_NEW.join(', ')}, too.`;

/** Reads the records of a stream one by one; throws an InputError where it cannot be read any further. */
export async function* readRecords(
  input: Readable,
  format: Format,
  { fromLine = 1, signal, onFindings = () => {}, ...written }: ReadOptions = {},
): AsyncGenerator<SourceRecord> {
  const stream = signal ? addAbortSignal(signal, input) : input;
  try {
    const records = format === 'ndjson' ? readNdjson(stream) : readTableRecords(stream, written, onFindings);
    for await (const record of records) if (record.line >= fromLine) yield record;
  } catch (error) {
    if (signal?.aborted) return;
    if (!(error instanceof SpreadsheetError)) throw error;
    const { line, text } = error;
    throw new InputError(line, line === 1 ? `${text.en} ${WANTED}` : `Line ${line} ${text.en}.`);
  }
}
