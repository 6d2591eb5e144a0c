import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import type { ColumnOptions } from '../../../lib/client/spreadsheets/find-columns.ts';
import { MAX_RECORD_BYTES } from '../../../lib/client/spreadsheets/read-csv.ts';
import { type DetectedFormat, readTable, type TableOptions } from '../../../lib/client/spreadsheets/read-table.ts';
import { ColumnsError, SpreadsheetError } from '../../../lib/client/spreadsheets/spreadsheet-error.ts';
import { unescapeCsvText } from '../../../lib/client/spreadsheets/write-csv.ts';
import type { Text } from '../../../lib/domain/language.ts';
import { findRepeatedName } from '../../../lib/domain/repeated-name.ts';
import { addZone } from '../input/zone.ts';
import { translate } from '../texts/language.ts';
import { opsTexts, rejectionTexts } from '../texts/ops-texts.ts';
import { FIELD_HEADINGS } from './field-headings.ts';
import { getColumnKind, IGNORED_FIELDS, IMPORT_FIELDS, isNumberField, recordSchema } from './record-schema.ts';

/** A record of a file. Its value is not yet validated. A record that cannot be read has no value. */
export interface SourceRecord {
  /** The line in the file, from 1. */
  readonly line: number;
  /** The original content as JSON. */
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
  readonly signal?: AbortSignal;
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

const SORT_DATES = ['invoice_date', 'service_call_date'];

/** The options that resolve an ambiguous cell. */
const HINTED_OPTIONS = { decimal: '--decimal', dates: '--day-first' } as const;

/** The columns of every sheet that this service writes. */
const SERVICE_COLUMNS = ['supplier_id', 'invoice_id', 'revision'];

/** The error of a file that cannot be read from a line on. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** Reads the records of a stream one by one. Throws an InputError at the first line that cannot be read. */
export async function* readRecords(
  input: Readable,
  format: Format,
  options: ReadOptions = {},
): AsyncGenerator<SourceRecord> {
  const { form = INVOICE_FORM, zone, signal } = options;
  const records = format === 'ndjson' ? readNdjson(input) : readTableRecords(input, form, options);
  try {
    for await (const record of records) {
      if (signal?.aborted) return;
      if (zone !== undefined) addZoneToDates(record.value, zone);
      yield record;
    }
  } catch (error) {
    throw error instanceof SpreadsheetError ? toInputError(error, form) : error;
  }
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

function toInputError(error: SpreadsheetError, { required }: RecordForm): InputError {
  const { line, text } = error;
  if (line > 1) return new InputError(translate(opsTexts.unreadableLine(line, text)));
  if (!(error instanceof ColumnsError)) return new InputError(translate(text));
  const requiredColumns = opsTexts.requiredColumns(required.join(', '));
  return new InputError(`${translate(text)} ${translate(requiredColumns)}`);
}

async function* readTableRecords(input: Readable, form: RecordForm, options: ReadOptions) {
  const { detected, rows } = await readTable(input, {
    ...form,
    ...options,
    ignoresOtherColumns: form.ignoresOtherColumns || options.map !== undefined,
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
      const fullError = error && hint ? opsTexts.orPass(error, HINTED_OPTIONS[hint]) : error;
      if (fullError) errors.push(`${field}: ${translate(fullError)}`);
    }
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

function createUnreadableRecord(line: number, content: unknown, error: Text): SourceRecord {
  return { line, source: JSON.stringify(content), errors: [`record: ${translate(error)}`] };
}

async function* readNdjson(input: Readable) {
  for await (const { line, bytes } of readLines(input)) {
    // `trim` also removes a BOM.
    const text = bytes.toString().trim();
    // A JSON array, or an object on several lines.
    const isOtherJson = text.startsWith('[') || text === '{';
    if (line === 1 && isOtherJson) throw new InputError(translate(opsTexts.notNdjson));
    if (text === '') continue;
    const { value, error } = isUtf8(bytes) ? parseExactJson(text) : { error: rejectionTexts.notUtf8 };
    yield error ? createUnreadableRecord(line, text, error) : { line, source: text, value };
  }
}

/** Parses JSON, with decimals as strings, because a float can lose digits. A repeated name is an error. */
function parseExactJson(text: string): { readonly value?: unknown; readonly error?: Text } {
  const keepDigits = (name: string, value: unknown, { source }: { readonly source?: string }) =>
    typeof value === 'number' && isNumberField(name) ? source : value;
  try {
    // The types of TypeScript do not yet contain the third argument of this function, the source text of a value.
    const value: unknown = JSON.parse(text, keepDigits as (name: string, value: unknown) => unknown);
    return findRepeatedName(text) === null ? { value } : { error: rejectionTexts.repeatedName };
  } catch {
    return { error: rejectionTexts.notJson };
  }
}

/** Splits a stream at line feeds. Throws an InputError at a line that is too long. */
async function* readLines(input: AsyncIterable<Buffer | string>) {
  let line = 1;
  // A chunk can end within a character. In Latin-1, each byte is one character, so that no byte is lost.
  let rest = '';
  for await (const chunk of input) {
    const lines = (rest + Buffer.from(chunk as Buffer).toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      yield { line, bytes: Buffer.from(text, 'latin1') };
      line += 1;
    }
    if (rest.length > MAX_RECORD_BYTES) throw new InputError(translate(opsTexts.longLine(line, MAX_RECORD_BYTES)));
  }
  if (rest !== '') yield { line, bytes: Buffer.from(rest, 'latin1') };
}

/**
 * Joins the errors of reading a record and the errors of its values. A field that could not be read already has an error,
 * so the error of its value is left out.
 */
export function joinErrors(readErrors: readonly string[], valueErrors: readonly string[]): string[] {
  const unreadFields = new Set(readErrors.map(parseField));
  return [...readErrors, ...valueErrors.filter((error) => !unreadFields.has(parseField(error)))];
}

/** Returns the field of an error, such as `system_amount` of `system_amount: may be 1050 or 1.05`. */
export function parseField(error: string): string | undefined {
  return error.split(': ', 1)[0];
}
