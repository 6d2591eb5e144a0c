import type { InvoiceChange } from '../../../lib/domain/invoice-change.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { packTransactions, type TransactionCost } from '../../../lib/invoices/transactions.ts';
import { type Backoff, computeBackoffMs, pause } from '../../../lib/runtime/attempts.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { splitIntoChunks } from '../../../lib/runtime/pages.ts';
import { computeChangeCost, TRANSACTION_LIMITS } from '../../../lib/tables/invoice-transaction.ts';
import { translate } from '../texts/language.ts';
import { rejectionTexts } from '../texts/ops-texts.ts';
import type { AdminPorts } from './admin-ports.ts';
import { PARALLEL_TRANSACTIONS } from './command-transaction.ts';

export interface ChangePorts extends Pick<AdminPorts, 'commit'> {
  readonly invoices: Pick<AdminPorts['invoices'], 'getMany' | 'findZeroVariants'>;
}

/** The reason for which a row is not written. */
export type Rejection = { readonly error: string };

/** The planned change of an invoice (null if nothing is written), and the outcome of its row after the write. */
export interface RowPlan<Outcome> {
  readonly change: InvoiceChange | null;
  readonly outcome: Outcome | Rejection;
}

/** The stored invoice of a row; null if it does not exist. */
export interface CurrentInvoice {
  readonly scope: SupplierScope;
  readonly invoice: Invoice | null;
  /** The stored id that differs from the id of a missing invoice only in leading zeros. */
  readonly zeroVariant: string | undefined;
}

type PlannedRow<Row, Outcome> = RowPlan<Outcome> & { readonly row: Row; readonly change: InvoiceChange };

/** The functions that a command defines for its rows. A row is a record of an import, a decision or an undo. */
interface RowWork<Row, Outcome> {
  readonly tenant: string;
  readonly getKey: (row: Row) => { readonly supplierId: string; readonly invoiceId: string };
  /** Plans the change of a row. After a conflict, the row is planned again with the invoice that is then stored. */
  readonly plan: (row: Row, current: CurrentInvoice) => RowPlan<Outcome> | Promise<RowPlan<Outcome>>;
  readonly report: (row: Row, outcome: Outcome | Rejection) => void;
  /** Stops between two chunks. The rows of later chunks are not reported. */
  readonly stop?: AbortSignal;
}

interface SupplierWork<Row, Outcome> extends RowWork<Row, Outcome> {
  readonly ports: ChangePorts;
  readonly scope: SupplierScope;
}

const PARALLEL_SUPPLIERS = 8;
const PARALLEL_PLANS = 16;
// `stop` is checked after so many rows of a supplier.
const ROWS_PER_CHUNK = 500;
// After so many halvings, each transaction contains only one row.
const MAX_FAILED_ROUNDS = 10;
// Long enough for a throttled table to recover.
const BACKOFF: Backoff = { firstMs: 10, longestMs: 2000 };

/** Reads the invoices of rows, plans their changes, and writes them. Rows of one invoice are written in their order. */
export async function changeInvoices<Row, Outcome>(
  ports: ChangePorts,
  rows: readonly Row[],
  work: RowWork<Row, Outcome>,
): Promise<void> {
  const rowsBySupplier = Map.groupBy(rows, (row) => work.getKey(row).supplierId);
  await forEachConcurrent([...rowsBySupplier], PARALLEL_SUPPLIERS, async ([supplierId, supplierRows]) => {
    const scope = { tenant: work.tenant, supplierId };
    for (const chunk of splitIntoChunks(supplierRows, ROWS_PER_CHUNK)) {
      if (work.stop?.aborted) return;
      await writeRows(chunk, { ...work, ports, scope });
    }
  });
}

/**
 * Writes rows of one supplier in rounds, until each row is reported. Each round writes the first waiting row of each
 * invoice. After too many rounds that finish no row, the waiting rows are rejected.
 */
async function writeRows<Row, Outcome>(rows: readonly Row[], work: SupplierWork<Row, Outcome>): Promise<void> {
  const waiting = new Set(rows);
  const report = (row: Row, outcome: Outcome | Rejection) => {
    waiting.delete(row);
    work.report(row, outcome);
  };
  let maxWrites = TRANSACTION_LIMITS.writes;
  let failedRounds = 0;
  while (waiting.size > 0 && failedRounds < MAX_FAILED_ROUNDS) {
    if (failedRounds > 0) await pause(computeBackoffMs(failedRounds, BACKOFF));
    const waitingBefore = waiting.size;
    const rowsByInvoice = Map.groupBy(waiting, (row) => work.getKey(row).invoiceId);
    const firstRows = Array.from(rowsByInvoice.values(), ([firstRow]) => firstRow as Row);
    await writeRound(firstRows, { ...work, report }, { ...TRANSACTION_LIMITS, writes: maxWrites });
    const finishedCount = waitingBefore - waiting.size;
    // Rows that were not written are retried in transactions of half the size, so that one row cannot block others.
    maxWrites = finishedCount < firstRows.length ? maxWrites / 2 : TRANSACTION_LIMITS.writes;
    failedRounds = finishedCount > 0 ? 0 : failedRounds + 1;
  }
  const error = `record: ${translate(rejectionTexts.keptChanging)}`;
  for (const row of waiting) work.report(row, { error });
}

/** Writes rows of different invoices. Reports each row that needs no write, is written, or is rejected alone. */
async function writeRound<Row, Outcome>(
  rows: readonly Row[],
  work: SupplierWork<Row, Outcome>,
  limits: TransactionCost,
): Promise<void> {
  const { ports, scope } = work;
  const plannedRows = await planRows(rows, work);
  const transactions = packTransactions(plannedRows, ({ change }) => computeChangeCost(scope, change), limits);
  await forEachConcurrent(transactions, PARALLEL_TRANSACTIONS, async (transaction) => {
    const changes = transaction.map(({ change }) => change);
    const outcome = await ports.commit(scope, changes);
    if (outcome.kind === 'committed') {
      for (const planned of transaction) work.report(planned.row, planned.outcome);
    }
    const [first] = transaction;
    // In a larger transaction, any row can be the cause. The next rounds write its rows in smaller transactions.
    if (outcome.kind === 'reject' && first && transaction.length === 1) {
      work.report(first.row, { error: `record: ${translate(rejectionTexts.writeRejected(outcome.cause.message))}` });
    }
  });
}

/** Plans the changes of rows with the stored invoices. Reports the rows that change nothing, and returns the others. */
async function planRows<Row, Outcome>(
  rows: readonly Row[],
  { ports: { invoices }, scope, getKey, plan, report }: SupplierWork<Row, Outcome>,
): Promise<PlannedRow<Row, Outcome>[]> {
  const invoiceIds = rows.map((row) => getKey(row).invoiceId);
  const storedInvoices = await invoices.getMany(scope, invoiceIds);
  const missingIds = invoiceIds.filter((id) => !storedInvoices.has(id));
  const zeroVariants = await invoices.findZeroVariants(scope, missingIds);
  const plannedRows: PlannedRow<Row, Outcome>[] = [];
  await forEachConcurrent(rows, PARALLEL_PLANS, async (row) => {
    const { invoiceId } = getKey(row);
    const invoice = storedInvoices.get(invoiceId) ?? null;
    const { change, outcome } = await plan(row, { scope, invoice, zeroVariant: zeroVariants.get(invoiceId) });
    if (change) plannedRows.push({ row, change, outcome });
    else report(row, outcome);
  });
  return plannedRows;
}
