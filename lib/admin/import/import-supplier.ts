import type { Invoice, SupplierScope } from '../../domain/invoice.ts';
import type { TransactionCost } from '../../services/transactions.ts';
import { type RowPlan, writeRows } from '../invoices/write-rows.ts';
import type { InvoiceWriter } from '../ports/admin-ports.ts';
import { type KeptState, keptStateOf, type MergeContext, mergeRecord, type StoredInvoice } from './merge-record.ts';
import type { InvoiceRecord } from './record-schema.ts';

/** What became of a record, or why it was rejected. */
export type ImportOutcome = 'created' | 'changed' | 'unchanged' | { readonly fault: string };

/** Where invoices are read and written. */
export interface InvoiceStore extends InvoiceWriter {
  /** The invoices as they are now, in the order of the ids. */
  readonly read: (scope: SupplierScope, invoiceIds: readonly string[]) => Promise<StoredInvoice[]>;
}

/** Hears once of every record; `keptState` is a state of it that was not taken over. */
export type Report<Row> = (row: Row, outcome: ImportOutcome, keptState?: KeptState | null) => void;

interface Outcome {
  readonly outcome: ImportOutcome;
  readonly keptState?: KeptState | null;
}

/** Imports records of one supplier; of several of the same invoice, each after the one before it. */
export async function importSupplier<Row extends { readonly record: InvoiceRecord }>(
  store: InvoiceStore,
  scope: SupplierScope,
  rows: readonly Row[],
  context: MergeContext,
  report: Report<Row>,
): Promise<void> {
  await writeRows<Row, Outcome>(store, scope, rows, {
    invoiceIdOf: ({ record }) => record.invoice_id,
    async plan(wanted) {
      const invoiceIds = wanted.map(({ record }) => record.invoice_id);
      const stored = await store.read(scope, invoiceIds);
      return wanted.map(({ record }, index) => planRecord(stored[index] ?? NOT_STORED, record, context));
    },
    faultOf: ({ after }, cost) => sizeFault(store, scope, after, cost),
    rejected: (fault) => ({ outcome: { fault } }),
    report: (row, { outcome, keptState }) => report(row, outcome, keptState),
  });
}

const NOT_STORED: StoredInvoice = { invoice: null, declaredHere: false };

function planRecord(stored: StoredInvoice, record: InvoiceRecord, context: MergeContext): RowPlan<Outcome> {
  const change = mergeRecord(stored, record, context);
  const keptState = keptStateOf(stored, record);
  if (!change || 'fault' in change) return { change: null, outcome: { outcome: change ?? 'unchanged', keptState } };
  return { change, outcome: { outcome: change.before ? 'changed' : 'created', keptState } };
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
