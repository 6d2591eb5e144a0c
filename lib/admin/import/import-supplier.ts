import type { Invoice, SupplierScope } from '../../domain/invoice.ts';
import type { Decimal } from '../../domain/money.ts';
import type { InvoiceChange, TransactionCost } from '../../services/transactions.ts';
import { type RowPlan, writeRows } from '../invoices/write-rows.ts';
import type { InvoiceWriter } from '../ports/admin-ports.ts';
import { type KeptState, keptStateOf } from './kept-state.ts';
import { type MergeContext, mergeRecord, type StoredInvoice } from './merge-record.ts';
import type { InvoiceRecord } from './record-schema.ts';

/** What became of a record, or why it was rejected. */
export type ImportOutcome = 'created' | 'changed' | 'unchanged' | { readonly fault: string };

/** Where invoices are read and written. */
export interface InvoiceStore extends InvoiceWriter {
  /** The invoices as they are now, in the order of the ids. */
  readonly read: (scope: SupplierScope, invoiceIds: readonly string[]) => Promise<StoredInvoice[]>;
}

/** A system amount that an import has changed. */
export interface AmountChange {
  readonly from: Decimal;
  readonly to: Decimal;
}

/** What became of a record, and what the summary of the import says about it. */
export interface ImportResult {
  readonly outcome: ImportOutcome;
  /** A state of the record that was not taken over. */
  readonly keptState?: KeptState | null;
  readonly amountChange?: AmountChange | null;
}

/** Is called once for every record. */
export type Report<Row> = (row: Row, result: ImportResult) => void;

/** Imports records of one supplier; of several of the same invoice, each after the one before it. */
export async function importSupplier<Row extends { readonly record: InvoiceRecord }>(
  store: InvoiceStore,
  scope: SupplierScope,
  rows: readonly Row[],
  context: MergeContext,
  report: Report<Row>,
): Promise<void> {
  await writeRows<Row, ImportResult>(store, scope, rows, {
    invoiceIdOf: ({ record }) => record.invoice_id,
    async plan(wanted) {
      const invoiceIds = wanted.map(({ record }) => record.invoice_id);
      const stored = await store.read(scope, invoiceIds);
      return wanted.map(({ record }, index) => planRecord(stored[index] ?? NOT_STORED, record, context));
    },
    faultOf: ({ after }, cost) => sizeFault(store, scope, after, cost),
    rejected: (fault) => ({ outcome: { fault } }),
    report,
  });
}

const NOT_STORED: StoredInvoice = { invoice: null, declaredHere: false };

function planRecord(stored: StoredInvoice, record: InvoiceRecord, context: MergeContext): RowPlan<ImportResult> {
  const change = mergeRecord(stored, record, context);
  if (change && 'fault' in change) return { change: null, outcome: { outcome: change } };
  const keptState = keptStateOf(stored, record);
  if (!change) return { change, outcome: { outcome: 'unchanged', keptState } };
  const outcome = change.before ? 'changed' : 'created';
  return { change, outcome: { outcome, keptState, amountChange: findAmountChange(change) } };
}

function findAmountChange({ before, after }: InvoiceChange): AmountChange | null {
  if (!before || before.systemAmount.eq(after.systemAmount)) return null;
  return { from: before.systemAmount, to: after.systemAmount };
}

/** Why an invoice is too large to be taken: it could not be declared, for want of room. */
function sizeFault(
  { declarableBytes, maxBytes }: InvoiceStore,
  scope: SupplierScope,
  invoice: Invoice,
  { bytes: written }: TransactionCost,
): string | null {
  // What is written has its two rows in it, and a declaration is small beside a quarter.
  if (written < maxBytes / 4) return null;
  const bytes = declarableBytes(scope, invoice);
  if (bytes <= maxBytes) return null;
  const largest = 'with the largest declaration that it must have room for';
  return `record: takes ${bytes} bytes ${largest}, and ${maxBytes} are allowed`;
}
