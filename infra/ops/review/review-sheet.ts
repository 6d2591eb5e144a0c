import { extname } from 'node:path';
import { compileSchema } from '../input/compile-schema.ts';
import { readRecords, type RecordForm } from '../import/read-records.ts';
import { recordSchema } from '../import/record-schema.ts';
import { InputError, type SourceRecord } from '../import/read-records.ts';
import { OperatorError } from '../operator-errors.ts';
import { isAmount, toDecimal } from '../input/decimal-text.ts';
import { findChangeTextFault } from '../../../lib/domain/invoice-state-change.ts';
import { DECISIONS, type StateCode } from '../../../lib/domain/invoice-states.ts';
import { toPrintable } from '../../../lib/runtime/printable.ts';
import { describeFormat } from '../../../lib/client/spreadsheets/read-table.ts';
import type { DecimalSign } from '../../../lib/client/spreadsheets/read-cell.ts';
import { CSV_DIALECTS, type CsvCell, type CsvDialect, csvLine } from '../../../lib/client/spreadsheets/write-csv.ts';
import type { Input } from '../import/import-files.ts';
import { INVOICE_LIST, type SheetColumn } from './reviewed-invoices.ts';
import { writeWorkbook } from './write-sheet.ts';

type SheetRow = Readonly<Partial<Record<SheetColumn, string | null>>>;

/** A row with a decision or with errors. */
interface ReviewRow {
  readonly line: number;
  readonly row: SheetRow;
  readonly reason: string;
  readonly errors: string[];
}

/** A valid row, whose decision is about the declaration and the amounts in the row, as far as it has them. */
export interface Decision extends ReviewRow {
  readonly row: SheetRow & { readonly supplier_id: string; readonly invoice_id: string; readonly decision: StateCode };
}

/** True if a row has no errors. The schema then requires its ids and the values of a decision. */
export const isDecision = (row: ReviewRow): row is Decision => row.errors.length === 0;

const { supplier_id, invoice_id, declared_amount, state_code } = recordSchema.properties;
const textOrNull = { type: ['string', 'null'], format: 'text', description: 'must be a string' } as const;

const properties = {
  ...{ supplier_id, invoice_id, declared_amount, system_amount: declared_amount, state_code },
  declaration_id: textOrNull,
  revision: { type: ['string', 'null'], pattern: '^[0-9]{1,10}$', description: 'must be a whole number' },
  decision: { ...state_code, enum: [...DECISIONS, null], description: `must be one of ${DECISIONS.join(', ')}` },
  reason: textOrNull,
};
const required = ['supplier_id', 'invoice_id', 'revision', 'decision'];

/** The form of the rows. The content of a column on which no decision depends is never an error. */
const FORM: RecordForm = {
  fields: Object.fromEntries(
    INVOICE_LIST.columns.map(({ heading, kind }) => [heading, { kind: heading in properties ? kind : 'display' }]),
  ),
  required,
  wanted: `Every sheet must have ${required.join(', ')}; list-invoices --csv or --out FILE.xlsx writes them.`,
  leavesOutOthers: true,
};

const findErrors = compileSchema({
  type: 'object',
  required: ['supplier_id', 'invoice_id'],
  properties,
  description: 'must be an object',
});

/**
 * Reads the rows of a whole sheet that have a decision or errors; throws an OperatorError if a part of the sheet cannot
 * be read. `reason` is the reason of rows without one.
 */
export async function readReviewSheet(
  { openStream, format }: Pick<Input, 'openStream' | 'format'>,
  { reason, ...options }: { reason?: string | undefined; decimal?: DecimalSign | undefined; signal: AbortSignal },
) {
  const sheet = {
    rows: [] as ReviewRow[],
    undecided: 0,
    understood: [] as string[],
    dialect: CSV_DIALECTS.csv as CsvDialect,
  };
  const records = readRecords(openStream(), format, {
    form: FORM,
    ...options,
    onDetectedFormat(detected) {
      sheet.understood = describeFormat(detected, 'en').slice(0, 1);
      const isOfPrograms = 'separator' in detected.origin && detected.origin.separator === ',';
      if (!isOfPrograms) sheet.dialect = CSV_DIALECTS.excel;
    },
  });
  try {
    for await (const record of records) {
      const row = readRow(record, reason);
      if (row) sheet.rows.push(row);
      else sheet.undecided += 1;
    }
  } catch (error) {
    if (error instanceof InputError) throw new OperatorError(`${error.message} Nothing was decided.`);
    throw error;
  }
  const ofInvoices = Map.groupBy(sheet.rows, ({ row }) => `${row.supplier_id} ${row.invoice_id}`);
  for (const repeated of [...ofInvoices.values()].filter(({ length }) => length > 1)) {
    const error = `invoice_id: several lines contain the invoice: ${repeated.map(({ line }) => line).join(', ')}`;
    for (const { errors } of repeated.filter(isDecision)) errors.push(error);
  }
  return sheet;
}

/** Reads a row with its errors; null if it has no decision. */
function readRow({ line, value, errors = [] }: SourceRecord, defaultReason = ''): ReviewRow | null {
  if (typeof value !== 'object' || value === null) {
    return { line, row: {}, reason: '', errors: errors.length > 0 ? [...errors] : findErrors(value, '') };
  }
  const row = toSheetRow(value);
  if (!row.decision) return null;
  const reason = (typeof row.reason === 'string' && row.reason.trim()) || defaultReason;
  const reasonError = reason ? findChangeTextFault(reason) : 'is required, in the row or with --reason';
  const all = [...errors, ...findErrors(row, ''), ...(reasonError ? [`reason: ${reasonError}`] : [])];
  return { line, row, reason, errors: all };
}

/** Converts the values of a row to texts, and its decision to capital letters. */
function toSheetRow(value: object): SheetRow {
  const cells = Object.entries(value).map(([name, cell]: [string, unknown]) => {
    if (typeof cell === 'number') return [name, String(cell)];
    return [name, name === 'decision' && typeof cell === 'string' ? cell.trim().toUpperCase() : cell];
  });
  return Object.fromEntries(cells) as SheetRow;
}

/** Builds the sheet of rejected rows, which has a column of errors: a workbook if the path ends with .xlsx, else a CSV. */
export async function buildRejectedSheet(
  rejected: readonly ReviewRow[],
  path: string,
  dialect: CsvDialect,
): Promise<string | Buffer> {
  if (rejected.length === 0) return '';
  const columns = [...INVOICE_LIST.columns, { heading: 'rejected', kind: 'text', width: 60 } as const];
  const rows = rejected.map(({ line, row, errors }) => [
    ...INVOICE_LIST.columns.map(({ heading, kind }) => toCell(row[heading as SheetColumn], kind)),
    toPrintable(`line ${line}: ${errors.join('; ')}`),
  ]);
  if (extname(path).toLowerCase() === '.xlsx') return writeWorkbook('Rejected', columns, rows);
  const lines = [columns.map(({ heading }) => heading), ...rows].map((cells) => csvLine(cells, dialect));
  return dialect.bom + lines.join('');
}

function toCell(cell: string | null | undefined, kind: string): CsvCell {
  if (typeof cell !== 'string') return null;
  return kind === 'amount' && isAmount(cell) ? toDecimal(cell) : toPrintable(cell);
}
