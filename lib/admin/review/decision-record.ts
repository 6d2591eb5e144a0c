import { DECISIONS, STATE_CODES, type StateCode } from '../../domain/invoice-states.ts';
import { changeTextFault } from '../../domain/invoice-state-change.ts';
import type { Decimal } from '../../domain/money.ts';
import { toDecimal } from '../../domain/decimal-text.ts';
import type { FieldSpec } from '../../spreadsheets/find-columns.ts';
import { compileSchema } from '../find-faults.ts';
import type { RecordForm } from '../import/read-records.ts';
import type { SourceRecord } from '../import/source-record.ts';
import { SHEET_COLUMNS, type SheetColumn } from './sheet.ts';

/** A row of a reviewed sheet, as it is written there. */
export type SheetRow = Readonly<Partial<Record<SheetColumn, string | null>>>;

/** What the company decides on an invoice, and the declaration and amounts that it has seen (null: not said). */
export interface Decision {
  readonly line: number;
  readonly row: SheetRow;
  readonly supplierId: string;
  readonly invoiceId: string;
  readonly declarationId: string | null;
  /** 0: nobody has declared. */
  readonly revision: number;
  readonly declaredAmount: Decimal | null;
  readonly systemAmount: Decimal | null;
  readonly seenState: StateCode | null;
  readonly state: StateCode;
  readonly reason: string;
}

/** The columns of amounts that a decision is held against. */
export const AMOUNT_COLUMNS: readonly SheetColumn[] = ['system_amount', 'declared_amount'];

const REQUIRED: readonly SheetColumn[] = ['supplier_id', 'invoice_id', 'revision', 'decision'];

/** The columns of texts that a decision depends on. The others are for the people who read the sheet. */
const TEXT_COLUMNS: readonly SheetColumn[] = [...REQUIRED, 'declaration_id', 'state_code', 'reason'];

/** The rows of a reviewed sheet. */
export const DECISION_FORM: RecordForm = {
  fields: Object.fromEntries(SHEET_COLUMNS.map((column) => [column, { kind: kindOf(column) }])),
  required: REQUIRED,
  wanted: `Every sheet must have ${REQUIRED.join(', ')}, as list-invoices --csv or --out FILE.xlsx writes them.`,
  leavesOutOthers: true,
};

function kindOf(column: SheetColumn): FieldSpec['kind'] {
  if (AMOUNT_COLUMNS.includes(column)) return 'amount';
  return TEXT_COLUMNS.includes(column) ? 'text' : 'display';
}

const id = { type: 'string', pattern: '^[0-9]{1,20}$', description: 'must be a string of 1 to 20 digits' } as const;
const amount = {
  type: ['string', 'null'],
  format: 'amount',
  description: 'must be a number from 0 to 999999999999.99',
} as const;

const textOrNull = { type: ['string', 'null'], format: 'text', description: 'must be a text' } as const;

const findFaults = compileSchema({
  type: 'object',
  required: ['supplier_id', 'invoice_id'],
  properties: {
    supplier_id: id,
    invoice_id: id,
    declaration_id: textOrNull,
    revision: { type: ['string', 'null'], pattern: '^[0-9]{1,10}$', description: 'must be a whole number' },
    declared_amount: amount,
    system_amount: amount,
    state_code: { type: ['string', 'null'], enum: [...STATE_CODES, null], description: 'must be a state' },
    decision: { type: ['string', 'null'], enum: [...DECISIONS, null], description: `must be ${DECISIONS.join(', ')}` },
    reason: textOrNull,
  },
  description: 'must be an object',
});

/**
 * What a row decides, null when it decides nothing, or all that is wrong with it; a row without a reason has `reason`,
 * if there is one.
 */
export function readDecision(
  source: SourceRecord,
  reason: string | null,
): Decision | null | { readonly row: SheetRow; readonly faults: readonly string[] } {
  if ('fault' in source) return { row: {}, faults: [source.fault] };
  const { line, value, faults: unread = [] } = source;
  if (typeof value !== 'object' || value === null) return { row: {}, faults: findFaults(value, '') };
  const row = toSheetRow(value);
  if (!row.decision) return null;
  const why = (typeof row.reason === 'string' && row.reason.trim()) || reason;
  const reasonFault = why ? changeTextFault(why) : 'must be said, in the row or by --reason';
  const faults = [...unread, ...findFaults(row, ''), ...(reasonFault ? [`reason: ${reasonFault}`] : [])];
  if (faults.length > 0) return { row, faults };
  const amountOf = (written: string | null | undefined) => (written ? toDecimal(written) : null);
  return {
    line,
    row,
    supplierId: row.supplier_id ?? '',
    invoiceId: row.invoice_id ?? '',
    declarationId: row.declaration_id || null,
    revision: Number(row.revision ?? 0),
    declaredAmount: amountOf(row.declared_amount),
    systemAmount: amountOf(row.system_amount),
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
