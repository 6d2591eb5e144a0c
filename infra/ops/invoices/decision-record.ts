import { DECISIONS, type StateCode } from '../../../lib/domain/invoice-states.ts';
import { changeTextFault } from '../../../lib/domain/invoice-state-change.ts';
import type { Decimal } from '../../../lib/domain/money.ts';
import { toDecimal } from '../../../lib/domain/decimal-text.ts';
import { compileSchema } from '../../../lib/admin/find-errors.ts';
import type { RecordForm } from '../../../lib/admin/import/read-records.ts';
import { recordSchema } from '../../../lib/admin/import/record-schema.ts';
import type { SourceRecord } from '../../../lib/admin/import/source-record.ts';
import { SHEET, SHEET_COLUMNS, type SheetColumn } from './review-sheet.ts';

/** A row of a review sheet with its original values. */
export type SheetRow = Readonly<Partial<Record<SheetColumn, string | null>>>;

/** A decision on an invoice, and the declaration and amounts that the reviewer saw (null: not in the sheet). */
export interface Decision {
  readonly line: number;
  readonly row: SheetRow;
  readonly supplierId: string;
  readonly invoiceId: string;
  readonly declarationId: string | null;
  /** 0: the invoice has no declaration. */
  readonly revision: number;
  readonly declaredAmount: Decimal | null;
  readonly systemAmount: Decimal | null;
  readonly seenState: StateCode | null;
  readonly state: StateCode;
  readonly reason: string;
}

const REQUIRED: readonly SheetColumn[] = ['supplier_id', 'invoice_id', 'revision', 'decision'];

/** The form of the rows of a review sheet. */
export const DECISION_FORM: RecordForm = {
  fields: Object.fromEntries(SHEET_COLUMNS.map((column) => [column, { kind: SHEET[column].kind }])),
  required: REQUIRED,
  wanted: `Every sheet must have ${REQUIRED.join(', ')}; list-invoices --csv or --out FILE.xlsx writes them.`,
  leavesOutOthers: true,
};

const { supplier_id, invoice_id, declared_amount, state_code } = recordSchema.properties;
const textOrNull = { type: ['string', 'null'], format: 'text', description: 'must be a string' } as const;

const findErrors = compileSchema({
  type: 'object',
  required: ['supplier_id', 'invoice_id'],
  properties: {
    ...{ supplier_id, invoice_id, declared_amount, system_amount: declared_amount, state_code },
    declaration_id: textOrNull,
    revision: { type: ['string', 'null'], pattern: '^[0-9]{1,10}$', description: 'must be a whole number' },
    decision: { ...state_code, enum: [...DECISIONS, null], description: `must be one of ${DECISIONS.join(', ')}` },
    reason: textOrNull,
  },
  description: 'must be an object',
});

/**
 * Returns the decision of a row, null if its decision is empty, or the errors of the row. `reason` is the default of a
 * row without a reason.
 */
export function readDecision(
  source: SourceRecord,
  reason: string | null,
): Decision | null | { readonly row: SheetRow; readonly errors: readonly string[] } {
  if ('error' in source) return { row: {}, errors: [source.error] };
  const { line, value, errors: unread = [] } = source;
  if (typeof value !== 'object' || value === null) return { row: {}, errors: findErrors(value, '') };
  const row = toSheetRow(value);
  if (!row.decision) return null;
  const why = (typeof row.reason === 'string' && row.reason.trim()) || reason;
  const reasonError = why ? changeTextFault(why) : 'is required, in the row or with --reason';
  const errors = [...unread, ...findErrors(row, ''), ...(reasonError ? [`reason: ${reasonError}`] : [])];
  if (errors.length > 0) return { row, errors };
  const parseAmount = (written: string | null | undefined) => (written ? toDecimal(written) : null);
  return {
    line,
    row,
    supplierId: row.supplier_id ?? '',
    invoiceId: row.invoice_id ?? '',
    declarationId: row.declaration_id || null,
    revision: Number(row.revision ?? 0),
    declaredAmount: parseAmount(row.declared_amount),
    systemAmount: parseAmount(row.system_amount),
    seenState: (row.state_code || null) as StateCode | null,
    state: row.decision as StateCode,
    reason: why ?? '',
  };
}

/** Converts the values of a row to texts, and its decision to capital letters. */
function toSheetRow(value: object): SheetRow {
  const cells = Object.entries(value).flatMap(([name, cell]: [string, unknown]) => {
    if (typeof cell === 'number') return [[name, String(cell)]];
    if (typeof cell !== 'string') return [[name, cell]];
    return [[name, name === 'decision' ? cell.trim().toUpperCase() : cell]];
  });
  return Object.fromEntries(cells) as SheetRow;
}
