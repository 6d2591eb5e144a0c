import { NothingWritten } from '../../domain/errors.ts';
import type { Invoice, SupplierScope } from '../../domain/invoice.ts';
import { type Backoff, jitteredPause } from '../../runtime/attempts.ts';
import { type InvoiceChange, intoBatches, type TransactionCost } from '../../services/transactions.ts';
import { inPool } from '../../runtime/pool.ts';
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

interface Planned<Row> {
  readonly row: Row;
  readonly change: InvoiceChange;
  readonly keptState: KeptState | null;
  readonly cost: TransactionCost;
}

// More than it takes until every record stands alone.
const MAX_FAILURES = 10;
// Long enough for a table that is throttled to take writes again.
const BACKOFF: Backoff = { firstMs: 10, longestMs: 2000 };

/** Imports records of one supplier; of several of the same invoice, each after the one before it. */
export async function importSupplier<Row extends { readonly record: InvoiceRecord }>(
  store: InvoiceStore,
  scope: SupplierScope,
  rows: readonly Row[],
  context: MergeContext,
  report: Report<Row>,
): Promise<void> {
  let waiting = rows;
  let maxWrites = store.limits.writes;
  let failures = 0;
  while (waiting.length > 0 && failures < MAX_FAILURES) {
    if (failures > 0) await jitteredPause(failures, BACKOFF);
    const done = new Set<Row>();
    const first = firstOfEachInvoice(waiting);
    await importOnce(store, scope, first, context, maxWrites, (row, ...outcome) => {
      done.add(row);
      report(row, ...outcome);
    });
    // What was not written is read again, and tried in halves, so that no record suffers for long from another.
    maxWrites = done.size < first.length ? maxWrites / 2 : store.limits.writes;
    waiting = waiting.filter((row) => !done.has(row));
    failures = done.size > 0 ? 0 : failures + 1;
  }
  for (const row of waiting)
    report(row, { fault: 'record: others kept changing the invoice, or the table was overloaded' });
}

async function importOnce<Row extends { readonly record: InvoiceRecord }>(
  store: InvoiceStore,
  scope: SupplierScope,
  rows: readonly Row[],
  context: MergeContext,
  maxWrites: number,
  report: Report<Row>,
): Promise<void> {
  const invoiceIds = rows.map(({ record }) => record.invoice_id);
  const stored = await store.read(scope, invoiceIds);
  const planned = rows.flatMap((row, index): Planned<Row>[] => {
    const found = stored[index] ?? { invoice: null, declaredHere: false };
    const change = mergeRecord(found, row.record, context);
    const keptState = keptStateOf(found, row.record);
    if (!change || 'fault' in change) {
      report(row, change ?? 'unchanged', keptState);
      return [];
    }
    const cost = store.costOf(scope, change);
    const fault = sizeFault(store, scope, change.after, cost);
    if (!fault) return [{ row, change, keptState, cost }];
    report(row, { fault });
    return [];
  });
  const limits = { ...store.limits, writes: maxWrites };
  const transactions = intoBatches(planned, ({ cost }) => cost, limits);
  await inPool(transactions, store.parallelTransactions, (part, worker) => write(store, scope, part, worker, report));
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

/** Writes them, and reports what was written; of what was refused, only a record that stood alone. */
async function write<Row>(
  store: InvoiceStore,
  scope: SupplierScope,
  planned: readonly Planned<Row>[],
  shard: number,
  report: Report<Row>,
): Promise<void> {
  const changes = planned.map(({ change }) => change);
  try {
    const { kind } = await store.commit(scope, changes, shard);
    if (kind !== 'committed') return;
    for (const { row, change, keptState } of planned) report(row, change.before ? 'changed' : 'created', keptState);
  } catch (error) {
    if (!(error instanceof NothingWritten)) throw error;
    const [only, ...others] = planned;
    if (only && others.length === 0) report(only.row, { fault: `record: is refused (${error.message})` });
  }
}

function firstOfEachInvoice<Row extends { readonly record: InvoiceRecord }>(rows: readonly Row[]): Row[] {
  const first = new Map<string, Row>();
  for (const row of rows) if (!first.has(row.record.invoice_id)) first.set(row.record.invoice_id, row);
  return [...first.values()];
}
