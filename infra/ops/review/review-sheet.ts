import { describeFormat } from '../../../lib/client/spreadsheets/describe-format.ts';
import type { DetectedFormat } from '../../../lib/client/spreadsheets/read-table.ts';
import { findChangeTextError } from '../../../lib/domain/invoice-change.ts';
import type { Input } from '../import/import-files.ts';
import type { ReadOptions, RecordForm, SourceRecord } from '../import/read-records.ts';
import { joinErrors, readRecords } from '../import/read-records.ts';
import { NOTICE_PROPERTIES, recordSchema } from '../import/record-schema.ts';
import { compileSchema } from '../input/compile-schema.ts';
import { InputError, OperatorError } from '../operator-errors.ts';
import { getLanguage, translate } from '../texts/language.ts';
import { opsTexts, rejectionTexts } from '../texts/ops-texts.ts';
import { type Decision, SHEET_DECISIONS } from './decision.ts';
import { INVOICE_LIST, type SheetColumn } from './invoice-list.ts';

type SheetRow = Readonly<Partial<Record<SheetColumn, string | null>>>;

/** A row with a decision, or a line that cannot be read as a row, which has an empty `row`. */
export interface ReviewRow {
  readonly line: number;
  readonly row: SheetRow;
  readonly reason: string;
  readonly errors: string[];
}

/** A row without errors. Its decision is about the declaration and the amounts that the row contains. */
export interface DecidedRow extends ReviewRow {
  readonly row: SheetRow & { readonly supplier_id: string; readonly invoice_id: string; readonly decision: Decision };
}

const { supplier_id, invoice_id, declared_amount, state_code } = recordSchema.properties;
const textOrNull = { type: ['string', 'null'], format: 'text', errorText: rejectionTexts.anyText };
const wholeNumberOrNull = { type: ['string', 'null'], pattern: '^[0-9]{1,10}$', errorText: rejectionTexts.wholeNumber };

/** The schemas of the columns on which a decision depends. */
const properties = {
  supplier_id,
  invoice_id,
  declared_amount,
  system_amount: declared_amount,
  state_code,
  declaration_id: textOrNull,
  ...NOTICE_PROPERTIES,
  revision: wholeNumberOrNull,
  version: wholeNumberOrNull,
  decision: {
    type: ['string', 'null'],
    enum: [...SHEET_DECISIONS, null],
    errorText: rejectionTexts.oneOf(SHEET_DECISIONS.join(', ')),
  },
  reason: textOrNull,
};

const findErrors = compileSchema({
  type: 'object',
  required: ['supplier_id', 'invoice_id'],
  properties,
  errorText: rejectionTexts.object,
});

const SHEET_FORM: RecordForm = {
  fields: Object.fromEntries(
    Object.entries(INVOICE_LIST.columns).map(([heading, { kind = 'text' }]) => {
      // The cells of other columns are not read as amounts or dates, so they never cause an error.
      return [heading, { kind: heading in properties ? kind : 'display' }];
    }),
  ),
  required: ['supplier_id', 'invoice_id', 'revision', 'decision'],
  ignoresOtherColumns: true,
};

const REVIEWER_COLUMNS = ['decision', 'reason', ...Object.keys(NOTICE_PROPERTIES)];

/** Reads the rows with a decision, and counts the rows without one. Throws an OperatorError if a part cannot be read. */
export async function readReviewSheet(
  { openStream, format }: Pick<Input, 'openStream' | 'format'>,
  // `reason` is the reason of the rows that contain none.
  { reason, ...options }: ReadOptions & { readonly reason?: string | undefined },
) {
  const rows: ReviewRow[] = [];
  let undecided = 0;
  let readAs: string | undefined;
  const onDetectedFormat = (detected: DetectedFormat<string>) => {
    requireVisibleColumns(detected);
    // The first line describes the format, the second one the columns.
    [readAs] = describeFormat(detected, getLanguage());
  };
  try {
    const records = readRecords(openStream(), format, { form: SHEET_FORM, ...options, onDetectedFormat });
    for await (const record of records) {
      const row = readRow(record, reason);
      if (row) rows.push(row);
      else undecided += 1;
    }
  } catch (error) {
    if (error instanceof InputError) throw new OperatorError(translate(opsTexts.nothingDecided(error.message)));
    throw error;
  }
  rejectRepeatedInvoices(rows);
  return { rows, undecided, readAs };
}

/** Throws an InputError if a column of the reviewer is hidden, because it can contain forgotten decisions. */
function requireVisibleColumns({ origin, fields }: DetectedFormat<string>): void {
  const hiddenColumn = REVIEWER_COLUMNS.find((field) => origin.hiddenColumns.includes(fields.indexOf(field)));
  if (hiddenColumn) throw new InputError(translate(opsTexts.hiddenColumn(hiddenColumn)));
}

/** Reads a row with its errors. Returns null if the row has no decision, because its other cells then do not matter. */
function readRow({ line, value, errors = [] }: SourceRecord, defaultReason = ''): ReviewRow | null {
  if (typeof value !== 'object' || value === null) {
    const lineErrors = errors.length > 0 ? [...errors] : findErrors(value, '');
    return { line, row: {}, reason: '', errors: lineErrors };
  }
  const row = toSheetRow(value);
  if (!row.decision) return null;
  const ownReason = typeof row.reason === 'string' ? row.reason.trim() : '';
  const reason = ownReason === '' ? defaultReason : ownReason;
  const reasonError = reason === '' ? rejectionTexts.requiredReason : findChangeTextError(reason);
  const reasonErrors = reasonError ? [`reason: ${translate(reasonError)}`] : [];
  return { line, row, reason, errors: [...joinErrors(errors, findErrors(row, '')), ...reasonErrors] };
}

/** Converts the numbers of an NDJSON row to strings, and its decision to capital letters. */
function toSheetRow(value: object): SheetRow {
  const cells = Object.entries(value).map(([heading, cell]: [string, unknown]) => {
    if (typeof cell === 'number') return [heading, String(cell)];
    if (heading === 'decision' && typeof cell === 'string') return [heading, cell.trim().toUpperCase()];
    return [heading, cell];
  });
  return Object.fromEntries(cells) as SheetRow;
}

/** Adds an error to each valid row whose invoice has several rows. */
function rejectRepeatedInvoices(rows: readonly ReviewRow[]): void {
  const rowsByInvoice = Map.groupBy(rows, ({ row }) => `${row.supplier_id} ${row.invoice_id}`);
  for (const invoiceRows of rowsByInvoice.values()) {
    if (invoiceRows.length === 1) continue;
    const lines = invoiceRows.map(({ line }) => line).join(', ');
    for (const { errors } of invoiceRows.filter(isDecided)) {
      errors.push(`invoice_id: ${translate(rejectionTexts.severalRows(lines))}`);
    }
  }
}

/** True if a row has no errors. The schema has then validated its ids and its decision. */
export function isDecided(row: ReviewRow): row is DecidedRow {
  return row.errors.length === 0;
}
