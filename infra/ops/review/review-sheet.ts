import { extname } from 'node:path';
import { compileSchema } from '../find-errors.ts';
import { readRecords, type RecordForm } from '../import/read-records.ts';
import { recordSchema } from '../import/record-schema.ts';
import { InputError, type SourceRecord } from '../import/read-records.ts';
import { OperatorError } from '../errors.ts';
import { isAmount, toDecimal } from '../decimal-text.ts';
import { changeTextFault } from '../../../lib/domain/invoice-state-change.ts';
import { DECISIONS, type StateCode } from '../../../lib/domain/invoice-states.ts';
import { printable } from '../../../lib/runtime/printable.ts';
import { describeFormat } from '../../../lib/client/spreadsheets/detected-format.ts';
import type { DecimalSign } from '../../../lib/client/spreadsheets/read-amount.ts';
import { CSV_DIALECTS, type CsvCell, type CsvDialect, csvLine } from '../../../lib/client/spreadsheets/write-csv.ts';
import { writeWorkbook } from './write-workbook.ts';
import type { Input } from '../import/import-files.ts';
import { INVOICE_LIST, type SheetColumn } from './reviewed-invoices.ts';

type SheetRow = Readonly<Partial<Record<SheetColumn, string | null>>>;

/** A valid row with a decision, which is about the declaration and the amounts in the row, as far as it has them. */
export interface Decision {
  readonly line: number;
  readonly row: SheetRow & { readonly supplier_id: string; readonly invoice_id: string; readonly decision: StateCode };
  readonly reason: string;
}

interface RejectedRow {
  readonly line: number;
  readonly row: SheetRow;
  readonly errors: readonly string[];
}

const { supplier_id, invoice_id, declared_amount, state_code } = recordSchema.properties;
const textOrNull = { type: ['string', 'null'], format: 'text', description: 'must be a string' } as const;

/** The columns on which a decision depends. */
const properties = {
  ...{ supplier_id, invoice_id, declared_amount, system_amount: declared_amount, state_code },
  declaration_id: textOrNull,
  revision: { type: ['string', 'null'], pattern: '^[0-9]{1,10}$', description: 'must be a whole number' },
  decision: { ...state_code, enum: [...DECISIONS, null], description: `must be one of ${DECISIONS.join(', ')}` },
  reason: textOrNull,
};

const REQUIRED: readonly SheetColumn[] = ['supplier_id', 'invoice_id', 'revision', 'decision'];

/** The form of the rows. The content of a column on which no decision depends is never an error. */
const FORM: RecordForm = {
  fields: Object.fromEntries(
    INVOICE_LIST.columns.map(({ heading, kind }) => [heading, { kind: heading in properties ? kind : 'display' }]),
  ),
  required: REQUIRED,
  wanted: `Every sheet must have ${REQUIRED.join(', ')}; list-invoices --csv or --out FILE.xlsx writes them.`,
  leavesOutOthers: true,
};

const findErrors = compileSchema({
  type: 'object',
  required: ['supplier_id', 'invoice_id'],
  properties,
  description: 'must be an object',
});

export type ReviewSheet = Awaited<ReturnType<typeof readReviewSheet>>;

/**
 * Reads the decisions of a whole sheet; throws an OperatorError if a part of the sheet cannot be read. `reason` is the
 * reason of rows without one.
 */
export async function readReviewSheet(
  { openStream, format }: Pick<Input, 'openStream' | 'format'>,
  { reason, ...options }: { reason?: string | undefined; decimal?: DecimalSign | undefined; signal: AbortSignal },
) {
  const decisions: Decision[] = [];
  const rejected: RejectedRow[] = [];
  let undecided = 0;
  let understood: readonly string[] = [];
  let dialect: CsvDialect = CSV_DIALECTS.csv;
  const records = readRecords(openStream(), format, {
    form: FORM,
    ...options,
    onDetectedFormat(detected) {
      understood = describeFormat(detected, 'en').slice(0, 1);
      const isOfPrograms = 'separator' in detected.origin && detected.origin.separator === ',';
      dialect = isOfPrograms ? CSV_DIALECTS.csv : CSV_DIALECTS.excel;
    },
  });
  try {
    for await (const record of records) {
      const read = readDecision(record, reason);
      if (read === null) undecided += 1;
      else if ('errors' in read) rejected.push(read);
      else decisions.push(read);
    }
  } catch (error) {
    if (error instanceof InputError) throw new OperatorError(`${error.message} Nothing was decided.`);
    throw error;
  }
  const toKey = ({ row }: RejectedRow | Decision) => `${row.supplier_id} ${row.invoice_id}`;
  const ofInvoice = Map.groupBy([...decisions, ...rejected], toKey);
  const single: Decision[] = [];
  for (const decision of decisions) {
    const lines = (ofInvoice.get(toKey(decision)) ?? []).map(({ line }) => line).toSorted((a, b) => a - b);
    if (lines.length === 1) single.push(decision);
    else rejected.push({ ...decision, errors: [`invoice_id: several lines contain the invoice: ${lines.join(', ')}`] });
  }
  return { decisions: single, rejected, undecided, understood, dialect };
}

/** Reads the decision of a row; returns null if the row has none, or the errors of the row. */
function readDecision(source: SourceRecord, defaultReason: string | undefined): Decision | RejectedRow | null {
  const { line, value, errors: cellErrors = [] } = source;
  if (value === undefined) return { line, row: {}, errors: cellErrors };
  if (typeof value !== 'object' || value === null) return { line, row: {}, errors: findErrors(value, '') };
  const row = toSheetRow(value);
  if (!row.decision) return null;
  const reason = (typeof row.reason === 'string' && row.reason.trim()) || defaultReason;
  const reasonError = reason ? changeTextFault(reason) : 'is required, in the row or with --reason';
  const errors = [...cellErrors, ...findErrors(row, ''), ...(reasonError ? [`reason: ${reasonError}`] : [])];
  // The cast is sound: the schema requires the ids and the values of a decision.
  return errors.length > 0 || !reason ? { line, row, errors } : { line, row: row as Decision['row'], reason };
}

/** Converts the values of a row to texts, and its decision to capital letters. */
function toSheetRow(value: object): SheetRow {
  const cells = Object.entries(value).map(([name, cell]: [string, unknown]) => {
    if (typeof cell === 'number') return [name, String(cell)];
    return [name, name === 'decision' && typeof cell === 'string' ? cell.trim().toUpperCase() : cell];
  });
  return Object.fromEntries(cells) as SheetRow;
}

/**
 * Builds the sheet of rejected rows, with the errors in a column of its own: a workbook if the path ends with .xlsx, and
 * else a CSV. It is empty if there are no rows.
 */
export async function buildRejectedSheet(
  rejected: readonly RejectedRow[],
  path: string,
  dialect: CsvDialect,
): Promise<string | Buffer> {
  if (rejected.length === 0) return '';
  const columns = [...INVOICE_LIST.columns, { heading: 'rejected', kind: 'text', width: 60 } as const];
  const rows = rejected
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, row, errors }) => [
      ...INVOICE_LIST.columns.map(({ heading, kind }) => toCell(row[heading as SheetColumn], kind)),
      printable(`line ${line}: ${errors.join('; ')}`),
    ]);
  if (extname(path).toLowerCase() === '.xlsx') return writeWorkbook('Rejected', columns, rows);
  const lines = [columns.map(({ heading }) => heading), ...rows].map((cells) => csvLine(cells, dialect));
  return dialect.mark + lines.join('');
}

function toCell(cell: string | null | undefined, kind: string): CsvCell {
  if (typeof cell !== 'string') return null;
  return kind === 'amount' && isAmount(cell) ? toDecimal(cell) : printable(cell);
}
