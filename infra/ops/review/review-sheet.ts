import { createReadStream } from 'node:fs';
import { extname } from 'node:path';
import { describeFormat } from '../../../lib/client/spreadsheets/describe-format.ts';
import { FORMAT_BY_EXTENSION, type Input } from '../import/import-files.ts';
import { type Format, InputError, type ReadOptions, readRecords } from '../import/read-records.ts';
import { NOTICE_PROPERTIES } from '../import/record-schema.ts';
import { OperatorError } from '../operator-errors.ts';
import { hasContent } from '../output/out-file.ts';
import { getLanguage, translate } from '../texts/language.ts';
import { opsTexts, rejectionTexts } from '../texts/ops-texts.ts';
import { isDecided, readRow, type ReviewRow, SHEET_FORM } from './review-row.ts';

const REVIEWER_COLUMNS = ['decision', 'reason', ...Object.keys(NOTICE_PROPERTIES)];

interface SheetOptions extends Pick<ReadOptions, 'decimal' | 'isDayFirst'> {
  /** The reason of rows without a reason. */
  readonly reason?: string | undefined;
  readonly signal: AbortSignal;
}

/** Reads the rows with a decision, and counts the others. Throws an OperatorError if a part cannot be read. */
export async function readReviewSheet(
  { openStream, format }: Pick<Input, 'openStream' | 'format'>,
  { reason, ...options }: SheetOptions,
) {
  const rows: ReviewRow[] = [];
  let undecided = 0;
  let readAs: string[] = [];
  const onDetectedFormat = (detected: DetectedFormat) => {
    requireVisibleColumns(detected);
    // The first line describes the format, the second one the columns.
    readAs = describeFormat(detected, getLanguage()).slice(0, 1);
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

type DetectedFormat = Parameters<NonNullable<ReadOptions['onDetectedFormat']>>[0];

/** Throws an InputError if a column of the reviewer is hidden, because it can contain forgotten decisions. */
function requireVisibleColumns({ origin, fields }: DetectedFormat): void {
  const hiddenColumn = REVIEWER_COLUMNS.find((field) => origin.hiddenColumns.includes(fields.indexOf(field)));
  if (hiddenColumn) throw new InputError(translate(opsTexts.hiddenColumn(hiddenColumn)));
}

/** Adds an error to each valid row whose invoice has several rows. */
function rejectRepeatedInvoices(rows: readonly ReviewRow[]): void {
  const rowsByInvoice = Map.groupBy(rows, ({ row }) => `${row.supplier_id} ${row.invoice_id}`);
  for (const sameInvoice of rowsByInvoice.values()) {
    if (sameInvoice.length === 1) continue;
    const lines = sameInvoice.map(({ line }) => line).join(', ');
    for (const { errors } of sameInvoice.filter(isDecided)) {
      errors.push(`invoice_id: ${translate(rejectionTexts.severalRows(lines))}`);
    }
  }
}

/** Throws an OperatorError if a file has decisions or is unreadable. `newFormat` applies to unknown extensions. */
export async function requireNoDecisions(path: string, newFormat: Format | null): Promise<void> {
  const format = FORMAT_BY_EXTENSION[extname(path).toLowerCase()] ?? newFormat;
  if (format === null || !(await hasContent(path))) return;
  const input = { format, openStream: () => createReadStream(path) };
  const sheet = await readReviewSheet(input, { signal: new AbortController().signal }).catch(() => null);
  if (sheet?.rows.length !== 0) throw new OperatorError(translate(opsTexts.containsDecisions(path)));
}
