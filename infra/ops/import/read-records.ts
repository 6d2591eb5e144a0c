import type { Readable } from 'node:stream';
import type { ColumnOptions } from '../../../lib/client/spreadsheets/find-columns.ts';
import { type DetectedFormat, readTable, type TableOptions } from '../../../lib/client/spreadsheets/read-table.ts';
import { ColumnsError, SpreadsheetError } from '../../../lib/client/spreadsheets/spreadsheet-error.ts';
import { unescapeCsvText } from '../../../lib/client/spreadsheets/write-csv.ts';
import type { Text } from '../../../lib/domain/language.ts';
import { addZone } from '../input/zone.ts';
import { InputError } from '../operator-errors.ts';
import { translate } from '../texts/language.ts';
import { opsTexts } from '../texts/ops-texts.ts';
import { FIELD_HEADINGS } from './field-headings.ts';
import { parseExactJson, readJsonLines } from './read-json-lines.ts';
import { getColumnKind, IGNORED_FIELDS, IMPORT_FIELDS, recordSchema } from './record-schema.ts';

/** A record of a file. Its value is not yet validated. A record that cannot be read has no value. */
export interface SourceRecord {
  /** The line in the file, from 1. */
  readonly line: number;
  /** The content of the record as JSON; the texts of its cells if it cannot be read. */
  readonly source: string;
  readonly value?: unknown;
  /** The errors of reading the record, such as `system_amount: may be 1050 or 1.05`. */
  readonly errors?: readonly string[];
}

export const FORMATS = ['ndjson', 'csv', 'xlsx'] as const;
export type Format = (typeof FORMATS)[number];

/** The options that describe a CSV or a workbook. Omitted options are detected. */
export type FormatOptions = Pick<TableOptions<string>, 'map' | 'decimal' | 'isDayFirst'>;

export interface ReadOptions extends FormatOptions {
  /** The fields of the records. The default is the fields of an invoice. */
  readonly form?: RecordForm;
  /** The offset that is added to the sort dates that have none. */
  readonly zone?: string | undefined;
  /** Ends the reading without an error. */
  readonly stopSignal?: AbortSignal;
  /** Is called with the detected format of a CSV or a workbook, before the first record. */
  readonly onDetectedFormat?: (detected: DetectedFormat<string>) => void;
}

/** The known fields of the records of a file, and the fields that every file must contain. */
export type RecordForm = Pick<ColumnOptions<string>, 'fields' | 'required' | 'ignoresOtherColumns'>;

const INVOICE_FORM: RecordForm = {
  fields: Object.fromEntries([
    ...IMPORT_FIELDS.map((field) => [field, { kind: getColumnKind(field), headings: FIELD_HEADINGS[field] }]),
    ...IGNORED_FIELDS.map((field) => [field, { kind: 'display' }]),
  ]),
  required: recordSchema.required,
};

/** The dates by which lists can be sorted. */
const SORT_DATES = ['invoice_date', 'service_call_date'];

/** The options that resolve an ambiguous cell, such as `1.050` (1050 or 1.05) or `03/04/2026` (two dates). */
const OPTION_BY_HINT = { decimal: '--decimal', dates: '--day-first' } as const;

/** The columns by which a sheet is recognised that this service has written. */
const SERVICE_COLUMNS = ['supplier_id', 'invoice_id', 'revision'];

/** Reads the records of a stream one by one. Throws an InputError at the first line that cannot be read. */
export async function* readRecords(input: Readable, format: Format, options: ReadOptions = {}) {
  const { form = INVOICE_FORM, zone, stopSignal } = options;
  const records = format === 'ndjson' ? readNdjsonRecords(input) : readTableRecords(input, form, options);
  try {
    for await (const record of records) {
      if (stopSignal?.aborted) return;
      if (zone !== undefined) addZoneToDates(record.value, zone);
      yield record;
    }
  } catch (error) {
    throw error instanceof SpreadsheetError ? toInputError(error, form) : error;
  }
}

async function* readNdjsonRecords(input: Readable): AsyncGenerator<SourceRecord> {
  for await (const { line, text, value, error } of readJsonLines(input)) {
    yield error ? createUnreadableRecord(line, text, error) : { line, source: text, value };
  }
}

function createUnreadableRecord(line: number, content: unknown, error: Text): SourceRecord {
  return { line, source: JSON.stringify(content), errors: [`record: ${translate(error)}`] };
}

/** Reads the rows of a CSV or a workbook. */
async function* readTableRecords(
  input: Readable,
  form: RecordForm,
  options: ReadOptions,
): AsyncGenerator<SourceRecord> {
  const { detected, rows } = await readTable(input, {
    ...form,
    ...options,
    // With --map, only the columns of the map are read.
    ignoresOtherColumns: form.ignoresOtherColumns || options.map !== undefined,
    // The number of rows from which the format is detected.
    sample: 1000,
    nullWord: 'null',
  });
  options.onDetectedFormat?.(detected);
  const isCsv = 'encoding' in detected.origin;
  const isServiceSheet = SERVICE_COLUMNS.every((column) => detected.headings.includes(column));
  for await (const { line, cells, values, error: rowError } of rows) {
    if (rowError) {
      yield createUnreadableRecord(line, cells, rowError);
      continue;
    }
    const errors: string[] = [];
    const record: Record<string, unknown> = {};
    for (const [field, { value, error, hint }] of values) {
      record[field] = isServiceSheet && value !== null ? unescapeText(value, isCsv) : value;
      const fullError = error && hint ? opsTexts.orPass(error, OPTION_BY_HINT[hint]) : error;
      if (fullError) errors.push(`${field}: ${translate(fullError)}`);
    }
    // The cell of the line items (concepts) contains JSON.
    if (typeof record['concepts'] === 'string') {
      const concepts = parseExactJson(record['concepts']);
      if (concepts.error) errors.push(`concepts: ${translate(concepts.error)}`);
      else record['concepts'] = concepts.value;
    }
    yield { line, source: JSON.stringify(record), value: record, errors };
  }
}

/** Removes the apostrophes that the service writes before the word `null` and, in a CSV, before formulas. */
function unescapeText(text: string, isCsv: boolean): string {
  const unescapedText = isCsv ? unescapeCsvText(text) : text;
  const isNullWord = /^'+null$/.test(unescapedText);
  return isNullWord ? unescapedText.slice(1) : unescapedText;
}

/** Adds the offset of a zone to the sort dates of a record that have no offset. A date without a time is midnight. */
function addZoneToDates(value: unknown, zone: string): void {
  if (typeof value !== 'object' || value === null) return;
  const fields = value as Record<string, unknown>;
  for (const field of SORT_DATES) {
    const date = fields[field];
    if (typeof date === 'string') fields[field] = addZone(date, zone);
  }
}

/** Adds the line to an error, unless it concerns the whole file. An error of the columns names the required columns. */
function toInputError(error: SpreadsheetError, { required }: RecordForm): InputError {
  const { line, text } = error;
  if (line > 1) return new InputError(translate(opsTexts.unreadableLine(line, text)));
  if (!(error instanceof ColumnsError)) return new InputError(translate(text));
  const requiredColumns = opsTexts.requiredColumns(required.join(', '));
  return new InputError(`${translate(text)} ${translate(requiredColumns)}`);
}

/** Joins the errors of reading a record and of its values. A field that could not be read has only the first error. */
export function joinErrors(readErrors: readonly string[], valueErrors: readonly string[]): string[] {
  const unreadFields = new Set(readErrors.map(parseField));
  return [...readErrors, ...valueErrors.filter((error) => !unreadFields.has(parseField(error)))];
}

/** Returns the field of an error, such as `system_amount` of `system_amount: may be 1050 or 1.05`. */
export function parseField(error: string): string | undefined {
  return error.split(': ', 1)[0];
}
