import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { compileSchema } from '../input/compile-schema.ts';
import { getLanguage, translate } from '../texts/language.ts';
import { opsTexts, rejectionTexts } from '../texts/ops-texts.ts';
import {
  type Format,
  InputError,
  type ReadOptions,
  readRecords,
  type RecordForm,
  type SourceRecord,
} from '../import/read-records.ts';
import { NOTICE_PROPERTIES, recordSchema } from '../import/record-schema.ts';
import { OperatorError } from '../operator-errors.ts';
import { hasContent } from '../output/out-file.ts';
import { isAmount, toDecimal } from '../input/decimal-text.ts';
import { findChangeTextError } from '../../../lib/domain/invoice-change.ts';
import { toPrintable } from '../../../lib/runtime/printable.ts';
import { describeFormat } from '../../../lib/client/spreadsheets/read-table.ts';
import { CSV_DIALECTS, type CsvDialect, formatCsvLine } from '../../../lib/client/spreadsheets/write-csv.ts';
import { FORMAT_BY_EXTENSION, type Input } from '../import/import-files.ts';
import { type Decision, SHEET_DECISIONS } from './decision.ts';
import { INVOICE_LIST, type SheetColumn } from './reviewed-invoices.ts';
import { writeWorkbook } from '../../../lib/client/spreadsheets/write-workbook.ts';

type SheetRow = Readonly<Partial<Record<SheetColumn, string | null>>>;

/** A row with a decision, or a line that cannot be read as a row. */
interface ReviewRow {
  readonly line: number;
  readonly row: SheetRow;
  readonly reason: string;
  readonly errors: string[];
}

/** A valid row. Its decision is about the declaration and the amounts that the row contains. */
export interface DecidedRow extends ReviewRow {
  readonly row: SheetRow & {
    readonly supplier_id: string;
    readonly invoice_id: string;
    readonly decision: Decision;
  };
}

/** True if a row has no errors. The schema then requires its ids and the values of a decision. */
export const isDecided = (row: ReviewRow): row is DecidedRow => row.errors.length === 0;

const { supplier_id, invoice_id, declared_amount, state_code } = recordSchema.properties;
const textOrNull = { type: ['string', 'null'], format: 'text', errorText: rejectionTexts.anyText };
const wholeNumberOrNull = {
  type: ['string', 'null'],
  pattern: '^[0-9]{1,10}$',
  errorText: rejectionTexts.wholeNumber,
};

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
    ...state_code,
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

const FORM: RecordForm = {
  fields: Object.fromEntries(
    Object.entries(INVOICE_LIST.columns).map(([heading, { kind = 'text' }]) => {
      // The cells of other columns are not read as amounts or dates, so they never cause an error.
      return [heading, { kind: heading in properties ? kind : 'display' }];
    }),
  ),
  required: ['supplier_id', 'invoice_id', 'revision', 'decision'],
  ignoresOtherColumns: true,
};

interface SheetOptions extends Pick<ReadOptions, 'decimal' | 'dates'> {
  /** The reason of rows without a reason. */
  readonly reason?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Reads the rows with a decision and the unreadable lines of a whole sheet, and counts the other rows. Throws an
 * OperatorError if a part of the sheet cannot be read.
 */
export async function readReviewSheet(
  { openStream, format }: Pick<Input, 'openStream' | 'format'>,
  { reason, ...options }: SheetOptions,
) {
  const rows: ReviewRow[] = [];
  let undecided = 0;
  let readAs: string[] = [];
  let dialect: CsvDialect = CSV_DIALECTS.csv;
  const records = readRecords(openStream(), format, {
    form: FORM,
    ...options,
    onDetectedFormat(detected) {
      // The first line describes the format, the second one the columns.
      readAs = describeFormat(detected, getLanguage()).slice(0, 1);
      const { hiddenColumns } = detected.origin;
      const hiddenInput = ['decision', 'reason', ...Object.keys(NOTICE_PROPERTIES)].find((field) =>
        hiddenColumns.includes(detected.fields.indexOf(field)),
      );
      if (hiddenInput) throw new InputError(translate(opsTexts.hiddenColumn(hiddenInput)));
      const hasCommas = 'separator' in detected.origin && detected.origin.separator === ',';
      dialect = hasCommas ? CSV_DIALECTS.csv : CSV_DIALECTS.excel;
    },
  });
  try {
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
  return { rows, undecided, readAs, dialect };
}

/**
 * Throws an OperatorError if a file is a sheet with decisions, or a sheet that cannot be read. `newFormat` is the format
 * of the sheet that replaces a file whose ending names no format.
 */
export async function requireNoDecisions(path: string, newFormat: Format | null): Promise<void> {
  const format = FORMAT_BY_EXTENSION[extname(path).toLowerCase()] ?? newFormat;
  if (format === null || !(await hasContent(path))) return;
  const input = { format, openStream: () => createReadStream(path) };
  const sheet = await readReviewSheet(input, { signal: new AbortController().signal }).catch(() => null);
  if (sheet?.rows.length !== 0) throw new OperatorError(translate(opsTexts.containsDecisions(path)));
}

/** Reads a row with its errors. Returns null if the row has no decision: the errors of its cells then do not matter. */
function readRow({ line, value, errors = [] }: SourceRecord, defaultReason = ''): ReviewRow | null {
  if (typeof value !== 'object' || value === null) {
    return { line, row: {}, reason: '', errors: errors.length > 0 ? [...errors] : findErrors(value, '') };
  }
  const row = toSheetRow(value);
  if (!row.decision) return null;
  const reason = (typeof row.reason === 'string' && row.reason.trim()) || defaultReason;
  const reasonError = reason ? findChangeTextError(reason) : rejectionTexts.requiredReason;
  const reasonErrors = reasonError ? [`reason: ${translate(reasonError)}`] : [];
  return { line, row, reason, errors: [...errors, ...findErrors(row, ''), ...reasonErrors] };
}

/** Converts the values of a row to texts, and its decision to capital letters. */
function toSheetRow(value: object): SheetRow {
  const cells = Object.entries(value).map(([name, cell]: [string, unknown]) => {
    if (typeof cell === 'number') return [name, String(cell)];
    return [name, name === 'decision' && typeof cell === 'string' ? cell.trim().toUpperCase() : cell];
  });
  return Object.fromEntries(cells) as SheetRow;
}

/** Adds an error to each valid row whose invoice has several rows. */
function rejectRepeatedInvoices(rows: readonly ReviewRow[]): void {
  for (const repeated of Map.groupBy(rows, ({ row }) => `${row.supplier_id} ${row.invoice_id}`).values()) {
    if (repeated.length === 1) continue;
    const lines = repeated.map(({ line }) => line).join(', ');
    for (const { errors } of repeated.filter(isDecided)) {
      errors.push(`invoice_id: ${translate(rejectionTexts.severalRows(lines))}`);
    }
  }
}

/** Builds the sheet of rejected rows with a column of errors: a workbook if the path ends with .xlsx, else a CSV. */
export async function buildRejectedSheet(rejected: readonly ReviewRow[], path: string, dialect: CsvDialect) {
  if (rejected.length === 0) return '';
  const columns = { ...INVOICE_LIST.columns, rejected: { width: 60 } };
  const rows = rejected.map(({ line, row, errors }) => {
    const cells = Object.entries(INVOICE_LIST.columns).map(([heading, { kind }]) =>
      toCell(row[heading as SheetColumn], kind),
    );
    return [...cells, toPrintable(translate(opsTexts.rejectedLine(line, errors.join('; '))))];
  });
  if (extname(path).toLowerCase() === '.xlsx') return writeWorkbook('Rejected', columns, rows);
  const lines = [Object.keys(columns), ...rows].map((cells) => formatCsvLine(cells, dialect));
  return dialect.bom + lines.join('');
}

function toCell(cell: string | null | undefined, kind: string | undefined) {
  if (typeof cell !== 'string') return null;
  return kind === 'amount' && isAmount(cell) ? toDecimal(cell) : toPrintable(cell);
}
