import { addAbortSignal, type Readable } from 'node:stream';
import type { FieldSpec } from '../../spreadsheets/find-columns.ts';
import type { Findings } from '../../spreadsheets/findings.ts';
import { readTable, type TableOptions, type TableRow } from '../../spreadsheets/read-table.ts';
import { ColumnsError, type Hint, SpreadsheetError } from '../../spreadsheets/spreadsheet-error.ts';
import { BATCH_RECORDS } from './batches.ts';
import { parseExactJson, readNdjson } from './read-ndjson.ts';
import { HEADINGS } from './record-headings.ts';
import {
  dateProperties,
  decimalProperties,
  FIELDS,
  IGNORED_FIELDS,
  percentageProperties,
  recordSchema,
  REQUIRED_OF_NEW,
} from './record-schema.ts';
import { unshielded } from '../../spreadsheets/write-csv.ts';
import { InputError, type SourceRecord } from './source-record.ts';

/** The forms in which invoices can be imported. */
export const FORMATS = ['ndjson', 'csv', 'xlsx'] as const;
export type Format = (typeof FORMATS)[number];

/** What is told of a CSV or a workbook; all else is found out. With a map, columns that it does not name are left out. */
export type WrittenOptions = Pick<TableOptions<string>, 'map' | 'separator' | 'encoding' | 'decimal' | 'dayFirst'>;

/**
 * What the records are (invoices), what ends the reading early, and what is told of a CSV or a workbook.
 */
export interface ReadOptions extends WrittenOptions {
  readonly form?: RecordForm;
  readonly signal?: AbortSignal;
  /** Hears how a CSV or a workbook was understood. */
  readonly onFindings?: (findings: Findings<string>) => void;
}

/** What the records of a file are: their fields, and those that every file must have. */
export interface RecordForm {
  readonly fields: Readonly<Record<string, FieldSpec>>;
  readonly required: readonly string[];
  /** What to say where the columns of a file are not clear. */
  readonly wanted: string;
  /** Whether columns that are no fields are left out. */
  readonly leavesOutOthers?: boolean;
}

const HINTS: Readonly<Record<Hint, string>> = {
  encoding: '; --encoding says which it is',
  decimal: '; or say --decimal comma or --decimal point',
  dates: '; or say --day-first',
};

const kindOf = (field: string): FieldSpec['kind'] => {
  if (IGNORED_FIELDS.includes(field)) return 'display';
  if (percentageProperties.has(field)) return 'percentage';
  if (decimalProperties.has(field)) return 'amount';
  return dateProperties.has(field) ? 'date' : 'text';
};

/** The records of an import. */
const INVOICES: RecordForm = {
  fields: Object.fromEntries(
    [...FIELDS, ...IGNORED_FIELDS].map((field) => [field, { kind: kindOf(field), headings: HEADINGS[field] ?? [] }]),
  ),
  required: recordSchema.required,
  wanted:
    `Every file must have ${recordSchema.required.join(', ')}; ` +
    `new invoices need ${REQUIRED_OF_NEW.join(', ')}, too.`,
};

/** Reads the records of a stream one by one; throws an InputError where it cannot be read any further. */
export async function* readRecords(
  input: Readable,
  format: Format,
  { form = INVOICES, signal, onFindings = () => {}, ...written }: ReadOptions = {},
): AsyncGenerator<SourceRecord> {
  const stream = signal ? addAbortSignal(signal, input) : input;
  try {
    const records = format === 'ndjson' ? readNdjson(stream) : readTableRecords(stream, form, written, onFindings);
    yield* records;
  } catch (error) {
    if (signal?.aborted) return;
    if (!(error instanceof SpreadsheetError)) throw error;
    const { line, text } = error;
    if (line > 1) throw new InputError(line, `Line ${line} ${text.en}.`);
    throw new InputError(1, error instanceof ColumnsError ? `${text.en} ${form.wanted}` : text.en);
  }
}

async function* readTableRecords(
  input: AsyncIterable<Buffer | string>,
  { fields, required, leavesOutOthers = false }: RecordForm,
  written: WrittenOptions,
  onFindings: (findings: Findings<string>) => void,
): AsyncGenerator<SourceRecord> {
  const { findings, rows } = await readTable(input, {
    ...written,
    fields,
    required,
    leavesOutOthers: leavesOutOthers || written.map !== undefined,
    sample: BATCH_RECORDS,
    nullWord: 'null',
  });
  onFindings(findings);
  const toText = isOwnCsv(findings) ? unshielded : (text: string) => text;
  for await (const row of rows) yield toRecord(row, toText);
}

/** True for a CSV that a command of this service wrote: its texts can have the apostrophes of `csvLine`. */
function isOwnCsv({ origin, headings }: Findings<string>): boolean {
  return 'encoding' in origin && ['supplier_id', 'invoice_id', 'revision'].every((name) => headings.includes(name));
}

function toRecord(
  { lastLine: line, cells, values, fault }: TableRow<string>,
  toText: (text: string) => string,
): SourceRecord {
  if (fault) return { line, source: JSON.stringify(cells), fault: `record: ${fault.en}` };
  const faults = [...values].flatMap(([field, { fault: ofCell, hint }]) =>
    ofCell ? [`${field}: ${ofCell.en}${hint === undefined ? '' : HINTS[hint]}`] : [],
  );
  const row: Record<string, unknown> = Object.fromEntries(
    [...values].map(([field, { value }]) => [field, typeof value === 'string' ? toText(value) : value]),
  );
  const { concepts } = row;
  if (typeof concepts !== 'string') return { line, source: JSON.stringify(row), value: row, faults };
  try {
    const value = { ...row, concepts: parseExactJson(concepts) };
    return { line, source: JSON.stringify(value), value, faults };
  } catch {
    return { line, source: JSON.stringify(row), fault: 'concepts: is not valid JSON' };
  }
}
