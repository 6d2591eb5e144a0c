import { addAbortSignal, type Readable } from 'node:stream';
import { FIELD_HEADINGS } from '../../../lib/domain/invoice-field-texts.ts';
import { dateInZone } from '../../../lib/client/spreadsheets/zone.ts';
import type { FieldSpec } from '../../../lib/client/spreadsheets/find-columns.ts';
import {
  type DetectedFormat,
  readTable,
  type TableOptions,
  type TableRow,
} from '../../../lib/client/spreadsheets/read-table.ts';
import { ColumnsError, type Fault, SpreadsheetError } from '../../../lib/client/spreadsheets/spreadsheet-error.ts';
import { parseExactJson, readNdjson } from './read-ndjson.ts';
import {
  FIELD_KINDS,
  IGNORED_FIELDS,
  IMPORT_FIELDS,
  recordSchema,
  REQUIRED_ON_CREATE,
  SORT_DATES,
} from './record-schema.ts';
import { unescapeCsvText } from '../../../lib/client/spreadsheets/write-csv.ts';
import { InputError, type SourceRecord } from './source-record.ts';

/** The number of records from which the format of a table is detected. */
const SAMPLE_RECORDS = 1000;

export const FORMATS = ['ndjson', 'csv', 'xlsx'] as const;
export type Format = (typeof FORMATS)[number];

/** The format options that the operator passes; the others are detected. Columns that a `map` omits are ignored. */
export type WrittenOptions = Pick<TableOptions<string>, 'map' | 'separator' | 'encoding' | 'decimal' | 'dayFirst'>;

/** Options of reading records: their form (default: invoices), a signal that stops it, and options of the format. */
export interface ReadOptions extends WrittenOptions {
  readonly form?: RecordForm;
  /** The offset that is added to the sort dates that have none. */
  readonly zone?: string | undefined;
  readonly signal?: AbortSignal;
  /** Is called with the detected format of a CSV or a workbook. */
  readonly onDetectedFormat?: (detected: DetectedFormat<string>) => void;
}

/** The form of the records of a file: the known fields, and the fields that every file must contain. */
export interface RecordForm {
  readonly fields: Readonly<Record<string, FieldSpec>>;
  readonly required: readonly string[];
  /** The sentence that is appended to an error about the columns of a file. */
  readonly wanted: string;
  /** True if columns that are not fields are ignored. */
  readonly leavesOutOthers?: boolean;
}

const OWN_COLUMNS = ['supplier_id', 'invoice_id', 'revision'];

const HINTS: Readonly<Record<NonNullable<Fault['hint']>, string>> = {
  encoding: '; pass --encoding',
  decimal: '; or pass --decimal comma or --decimal point',
  dates: '; or pass --day-first',
};

const toColumnKind = (field: string): FieldSpec['kind'] => {
  if (IGNORED_FIELDS.includes(field)) return 'display';
  const kind = FIELD_KINDS.get(field);
  return kind === 'percentage' || kind === 'amount' || kind === 'date' ? kind : 'text';
};

const INVOICES: RecordForm = {
  fields: Object.fromEntries(
    [...IMPORT_FIELDS, ...IGNORED_FIELDS].map((field) => [
      field,
      { kind: toColumnKind(field), headings: FIELD_HEADINGS[field] ?? [] },
    ]),
  ),
  required: recordSchema.required,
  wanted:
    `Every file must have ${recordSchema.required.join(', ')}; ` +
    `new invoices also require ${REQUIRED_ON_CREATE.join(', ')}.`,
};

/** Reads the records of a stream one by one; throws an InputError at the first line that cannot be read. */
export async function* readRecords(
  input: Readable,
  format: Format,
  { form = INVOICES, zone, signal, onDetectedFormat = () => {}, ...written }: ReadOptions = {},
): AsyncGenerator<SourceRecord> {
  // `addAbortSignal` would end the stream with an error before anything listens for errors.
  if (signal?.aborted) return;
  const stream = signal ? addAbortSignal(signal, input) : input;
  try {
    const records =
      format === 'ndjson' ? readNdjson(stream) : readTableRecords(stream, form, written, onDetectedFormat);
    for await (const record of records) yield zone === undefined ? record : applyZone(record, zone);
  } catch (error) {
    if (signal?.aborted) return;
    if (!(error instanceof SpreadsheetError)) throw error;
    const { line, text } = error;
    if (line > 1) throw new InputError(line, `Line ${line} ${text.en}.`);
    throw new InputError(1, error instanceof ColumnsError ? `${text.en} ${form.wanted}` : text.en);
  }
}

/** Adds the offset of a zone to the sort dates of a record that have no offset; a date without a time is midnight. */
function applyZone(record: SourceRecord, zone: string): SourceRecord {
  if (typeof record.value !== 'object' || record.value === null || Array.isArray(record.value)) return record;
  const value: Record<string, unknown> = { ...record.value };
  for (const field of SORT_DATES) {
    const date = value[field];
    if (typeof date === 'string') value[field] = dateInZone(date, zone);
  }
  return { ...record, value };
}

async function* readTableRecords(
  input: AsyncIterable<Buffer | string>,
  { fields, required, leavesOutOthers = false }: RecordForm,
  written: WrittenOptions,
  onDetectedFormat: (detected: DetectedFormat<string>) => void,
): AsyncGenerator<SourceRecord> {
  const { detected, rows } = await readTable(input, {
    ...written,
    fields,
    required,
    leavesOutOthers: leavesOutOthers || written.map !== undefined,
    sample: SAMPLE_RECORDS,
    nullWord: 'null',
  });
  onDetectedFormat(detected);
  const { origin, headings } = detected;
  // A CSV that a command of this service wrote: its texts can have the apostrophes that `csvLine` adds.
  const isOwn = 'encoding' in origin && OWN_COLUMNS.every((column) => headings.includes(column));
  for await (const row of rows) yield toRecord(row, isOwn);
}

function toRecord({ line, cells, values, fault: error }: TableRow<string>, isOwn: boolean): SourceRecord {
  if (error) return { line, source: JSON.stringify(cells), errors: [`record: ${error.en}`] };
  const errors: string[] = [];
  const row: Record<string, unknown> = {};
  for (const [field, { value, fault, hint }] of values) {
    row[field] = isOwn && value !== null ? unescapeCsvText(value) : value;
    if (fault) errors.push(`${field}: ${fault.en}${hint === undefined ? '' : HINTS[hint]}`);
  }
  if (typeof row['concepts'] === 'string') {
    try {
      row['concepts'] = parseExactJson(row['concepts']);
    } catch {
      errors.push('concepts: is not valid JSON');
    }
  }
  return { line, source: JSON.stringify(row), value: row, errors };
}
