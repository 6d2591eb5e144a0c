import type { InvoiceChange } from '../../../lib/domain/invoice-change.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { type Backoff, pauseWithBackoff } from '../../../lib/runtime/attempts.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { packTransactions, type TransactionCost } from '../../../lib/invoices/transactions.ts';
import { computeChangeCost, TRANSACTION_LIMITS } from '../../../lib/tables/invoice-transaction.ts';
import { type Commit, PARALLEL_TRANSACTIONS } from './command-transaction.ts';
import { translate } from '../texts/language.ts';
import { rejectionTexts } from '../texts/ops-texts.ts';

export type Rejection = { readonly error: string };

/** The planned change of an invoice (null: nothing changes), and the outcome of its row after the write. */
export interface RowPlan<Outcome> {
  readonly change: InvoiceChange | null;
  readonly outcome: Outcome | Rejection;
}

interface RowWork<Row, Outcome> {
  readonly getInvoiceId: (row: Row) => string;
  /** Reads the invoices of rows of different invoices, and returns a plan for each row, in the order of the rows. */
  readonly plan: (rows: readonly Row[]) => Promise<readonly RowPlan<Outcome>[]>;
  readonly report: (row: Row, outcome: Outcome | Rejection) => void;
}

// After so many halvings, each transaction contains only one row.
const MAX_FAILED_ROUNDS = 10;
// Long enough for a throttled table to recover.
const BACKOFF: Backoff = { firstMs: 10, longestMs: 2000 };

/** Writes rows of one supplier in transactions. Several rows of one invoice are written in their order. */
export async function writeRows<Row, Outcome>(
  commit: Commit,
  scope: SupplierScope,
  rows: readonly Row[],
  { getInvoiceId, plan, report }: RowWork<Row, Outcome>,
): Promise<void> {
  const waiting = new Set(rows);
  const finish = (row: Row, outcome: Outcome | Rejection) => {
    waiting.delete(row);
    report(row, outcome);
  };

  /** Writes rows of different invoices. A row is finished if it needs no write, is written, or is rejected alone. */
  async function writeOnce(nextRows: readonly Row[], limits: TransactionCost): Promise<void> {
    const plans = await plan(nextRows);
    const planned = nextRows.flatMap((row, index) => {
      const { change, outcome } = plans[index] as RowPlan<Outcome>;
      if (change) return [{ row, change, outcome }];
      finish(row, outcome);
      return [];
    });
    const transactions = packTransactions(planned, ({ change }) => computeChangeCost(scope, change), limits);
    await forEachConcurrent(transactions, PARALLEL_TRANSACTIONS, async (transaction) => {
      const outcome = await commit(
        scope,
        transaction.map(({ change }) => change),
      );
      if (outcome.kind === 'committed') {
        for (const { row, outcome: rowOutcome } of transaction) finish(row, rowOutcome);
      }
      const [first] = transaction;
      if (outcome.kind === 'reject' && first && transaction.length === 1) {
        finish(first.row, { error: `record: ${translate(rejectionTexts.writeRejected(outcome.cause.message))}` });
      }
    });
  }

  let { writes } = TRANSACTION_LIMITS;
  let failedRounds = 0;
  while (waiting.size > 0 && failedRounds < MAX_FAILED_ROUNDS) {
    if (failedRounds > 0) await pauseWithBackoff(failedRounds, BACKOFF);
    const sizeBefore = waiting.size;
    const rowsByInvoice = Map.groupBy(waiting, getInvoiceId);
    const firstRows = Array.from(rowsByInvoice.values(), ([firstRow]) => firstRow as Row);
    await writeOnce(firstRows, { ...TRANSACTION_LIMITS, writes });
    const finishedCount = sizeBefore - waiting.size;
    // Rows that were not written are retried in transactions of half the size, so that one row cannot block others.
    writes = finishedCount < firstRows.length ? writes / 2 : TRANSACTION_LIMITS.writes;
    failedRounds = finishedCount > 0 ? 0 : failedRounds + 1;
  }
  const error = `record: ${translate(rejectionTexts.keptChanging)}`;
  for (const row of waiting) report(row, { error });
}
