import { isUtf8 } from 'node:buffer';
import { addAbortSignal, type Readable } from 'node:stream';
import { FIELD_HEADINGS } from '../../../lib/domain/invoice-field-texts.ts';
import { dateInZone } from '../input/zone.ts';
import { findUtf16Label, MAX_RECORD_BYTES } from '../../../lib/client/spreadsheets/read-csv.ts';
import type { FieldSpec } from '../../../lib/client/spreadsheets/find-columns.ts';
import { type DetectedFormat, readTable, type TableOptions } from '../../../lib/client/spreadsheets/read-table.ts';
import { ColumnsError, SpreadsheetError, type CellError } from '../../../lib/client/spreadsheets/spreadsheet-error.ts';
import {
  FIELD_KINDS,
  IGNORED_FIELDS,
  IMPORT_FIELDS,
  isNumberField,
  recordSchema,
  REQUIRED_ON_CREATE,
} from './record-schema.ts';
import { unescapeCsvText } from '../../../lib/client/spreadsheets/write-csv.ts';

/**
 * A record that was read, with its line (from 1), its original content as JSON, and the errors of reading it. The value
 * is not yet validated; a record that could not be read has none.
 */
export interface SourceRecord {
  readonly line: number;
  readonly source: string;
  readonly value?: unknown;
  readonly errors?: readonly string[];
}

/** The error of a file that cannot be read from a line on. The records before that line can be imported. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

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
  readonly onDetectedFormat?: (detected: DetectedFormat<string>) => void;
}

/** The form of the records of a file: the known fields, and the fields that every file must contain. */
export interface RecordForm {
  readonly fields: Readonly<Record<string, FieldSpec>>;
  readonly required: readonly string[];
  /** The sentence that is appended to an error about the columns of a file. */
  readonly wanted: string;
  readonly leavesOutOthers?: boolean;
}

const OWN_COLUMNS = ['supplier_id', 'invoice_id', 'revision'];

const HINTS: Readonly<Record<NonNullable<CellError['hint']>, string>> = {
  encoding: '; pass --encoding',
  decimal: '; or pass --decimal comma or --decimal point',
  dates: '; or pass --day-first',
};

const INVOICES: RecordForm = {
  fields: Object.fromEntries([
    ...IMPORT_FIELDS.map((field) => {
      const kind = FIELD_KINDS.get(field);
      const isText = kind !== 'percentage' && kind !== 'amount' && kind !== 'date';
      return [field, { kind: isText ? 'text' : kind, headings: FIELD_HEADINGS[field] ?? [] }];
    }),
    ...IGNORED_FIELDS.map((field) => [field, { kind: 'display', headings: FIELD_HEADINGS[field] ?? [] }]),
  ]),
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
    for await (const record of records) {
      if (zone !== undefined) addZone(record.value, zone);
      yield record;
    }
  } catch (error) {
    if (signal?.aborted) return;
    if (!(error instanceof SpreadsheetError)) throw error;
    const { line, text } = error;
    if (line > 1) throw new InputError(line, `Line ${line} ${text.en}.`);
    throw new InputError(1, error instanceof ColumnsError ? `${text.en} ${form.wanted}` : text.en);
  }
}

const SORT_DATES = ['invoice_date', 'service_call_date'];

/** Adds the offset of a zone to the sort dates of a record that have no offset; a date without a time is midnight. */
function addZone(value: unknown, zone: string): void {
  if (typeof value !== 'object' || value === null) return;
  const fields = value as Record<string, unknown>;
  for (const field of SORT_DATES) {
    const date = fields[field];
    if (typeof date === 'string') fields[field] = dateInZone(date, zone);
  }
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
    sample: 1000,
    nullWord: 'null',
  });
  onDetectedFormat(detected);
  const { origin, headings } = detected;
  // A CSV that a command of this service wrote: its texts can have the apostrophes that `csvLine` adds.
  const isOwn = 'encoding' in origin && OWN_COLUMNS.every((column) => headings.includes(column));
  for await (const { line, cells, values, error: rowError } of rows) {
    if (rowError) {
      yield { line, source: JSON.stringify(cells), errors: [`record: ${rowError.en}`] };
      continue;
    }
    const errors: string[] = [];
    const row: Record<string, unknown> = {};
    for (const [field, { value, error, hint }] of values) {
      row[field] = isOwn && value !== null ? unescapeCsvText(value) : value;
      if (error) errors.push(`${field}: ${error.en}${hint === undefined ? '' : HINTS[hint]}`);
    }
    if (typeof row['concepts'] === 'string') {
      const concepts = parseExactJson(row['concepts']);
      if (concepts === undefined) errors.push('concepts: is not valid JSON');
      else row['concepts'] = concepts;
    }
    yield { line, source: JSON.stringify(row), value: row, errors };
  }
}

/** Reads the records of NDJSON, or of the document that `list-invoices --json` prints. Skips empty lines. */
async function* readNdjson(input: AsyncIterable<Buffer | string>): AsyncGenerator<SourceRecord> {
  let document: string | null = null;
  let line = 0;
  for await (const bytes of readLines(input)) {
    line += 1;
    if (line === 1 && findUtf16Label(bytes)) throw new InputError(1, 'The file is in UTF-16: save it in UTF-8.');
    const text = bytes
      .toString()
      .replace(/^\ufeff/, '')
      .trim();
    if (!isUtf8(bytes)) yield { line, source: JSON.stringify(text), errors: ['record: is not UTF-8'] };
    else if (document !== null) document += text;
    else if (line === 1 && text === '{') document = text;
    else if (text) yield readJson(line, text);
  }
  if (document !== null) yield* readListDocument(document);
}

function readJson(line: number, json: string): SourceRecord {
  const value = parseExactJson(json);
  if (value !== undefined) return { line, source: json, value };
  return { line, source: JSON.stringify(json), errors: ['record: is not valid JSON'] };
}

/** Reads the list of the invoices in a document. The line of a record is its position in the list. */
function* readListDocument(json: string): Generator<SourceRecord> {
  const document = parseExactJson(json) as { readonly invoices?: unknown } | undefined;
  if (Array.isArray(document?.invoices)) {
    const records = document.invoices.entries();
    for (const [index, value] of records) yield { line: index + 1, source: JSON.stringify(value), value };
    return;
  }
  const noList = 'the JSON document has no list "invoices"; NDJSON has one record per line';
  yield {
    line: 1,
    source: '""',
    errors: [`record: ${document ? noList : 'the JSON document is truncated or not valid'}`],
  };
}

type SourceReviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;

/** Parses JSON, with decimals as the original text, so that no digit is lost in a float; undefined: it is not valid. */
function parseExactJson(text: string): unknown {
  const keepDigits: SourceReviver = (name, value, { source }) =>
    typeof value === 'number' && isNumberField(name) ? source : value;
  try {
    return JSON.parse(text, keepDigits as (name: string, value: unknown) => unknown);
  } catch {
    return undefined;
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
    if (rest.length > MAX_RECORD_BYTES) {
      throw new InputError(line, `Line ${line} has more than ${MAX_RECORD_BYTES} bytes.`);
    }
  }
  if (rest !== '') yield Buffer.from(rest, 'latin1');
}
