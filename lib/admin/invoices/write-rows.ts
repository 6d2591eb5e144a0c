import { NothingWritten } from '../../domain/errors.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import { type Backoff, jitteredPause } from '../../runtime/attempts.ts';
import { inPool } from '../../runtime/pool.ts';
import { type InvoiceChange, intoBatches, type TransactionCost } from '../../services/transactions.ts';
import type { InvoiceWriter } from '../ports/admin-ports.ts';

/** What becomes of a row: the outcome that it has at once (no change), or as soon as the change is written. */
export interface RowPlan<Outcome> {
  readonly change: InvoiceChange | null;
  readonly outcome: Outcome;
}

/** How the rows of a file change invoices. */
export interface RowWork<Row, Outcome> {
  readonly invoiceIdOf: (row: Row) => string;
  /** What to write for rows of different invoices, as these are now; in the same order. */
  readonly plan: (rows: readonly Row[]) => Promise<readonly RowPlan<Outcome>[]>;
  /** Why a change must not be written; null: it may. */
  readonly faultOf?: (change: InvoiceChange, cost: TransactionCost) => string | null;
  /** The outcome of a row that is not written, and why. */
  readonly rejected: (fault: string) => Outcome;
  /** Hears once of every row. */
  readonly report: (row: Row, outcome: Outcome) => void;
}

interface Planned<Row, Outcome> {
  readonly row: Row;
  readonly change: InvoiceChange;
  readonly outcome: Outcome;
  readonly cost: TransactionCost;
}

// More than it takes until every row stands alone.
const MAX_FAILURES = 10;
// Long enough for a table that is throttled to take writes again.
const BACKOFF: Backoff = { firstMs: 10, longestMs: 2000 };

/** Writes rows of one supplier in transactions; of several of the same invoice, each after the one before it. */
export async function writeRows<Row, Outcome>(
  writer: InvoiceWriter,
  scope: SupplierScope,
  rows: readonly Row[],
  work: RowWork<Row, Outcome>,
): Promise<void> {
  let waiting = rows;
  let maxWrites = writer.limits.writes;
  let failures = 0;
  while (waiting.length > 0 && failures < MAX_FAILURES) {
    if (failures > 0) await jitteredPause(failures, BACKOFF);
    const done = new Set<Row>();
    const first = firstOfEachInvoice(waiting, work.invoiceIdOf);
    const report = (row: Row, outcome: Outcome) => {
      done.add(row);
      work.report(row, outcome);
    };
    await writeOnce(writer, scope, first, maxWrites, { ...work, report });
    // What was not written is read again, and tried in halves, so that no row suffers for long from another.
    maxWrites = done.size < first.length ? maxWrites / 2 : writer.limits.writes;
    waiting = waiting.filter((row) => !done.has(row));
    failures = done.size > 0 ? 0 : failures + 1;
  }
  for (const row of waiting) {
    work.report(row, work.rejected('record: others kept changing the invoice, or the table was overloaded'));
  }
}

async function writeOnce<Row, Outcome>(
  writer: InvoiceWriter,
  scope: SupplierScope,
  rows: readonly Row[],
  maxWrites: number,
  work: RowWork<Row, Outcome>,
): Promise<void> {
  const plans = await work.plan(rows);
  const planned = rows.flatMap((row, index): Planned<Row, Outcome>[] => {
    const { change, outcome } = plans[index] as RowPlan<Outcome>;
    if (!change) {
      work.report(row, outcome);
      return [];
    }
    const cost = writer.costOf(scope, change);
    const fault = work.faultOf?.(change, cost);
    if (!fault) return [{ row, change, outcome, cost }];
    work.report(row, work.rejected(fault));
    return [];
  });
  const transactions = intoBatches(planned, ({ cost }) => cost, { ...writer.limits, writes: maxWrites });
  await inPool(transactions, writer.parallelTransactions, (part, shard) => write(writer, scope, part, shard, work));
}

/** Writes them, and reports what was written; of what was refused, only a row that stood alone. */
async function write<Row, Outcome>(
  { commit }: InvoiceWriter,
  scope: SupplierScope,
  planned: readonly Planned<Row, Outcome>[],
  shard: number,
  { report, rejected }: RowWork<Row, Outcome>,
): Promise<void> {
  const changes = planned.map(({ change }) => change);
  try {
    const { kind } = await commit(scope, changes, shard);
    if (kind !== 'committed') return;
    for (const { row, outcome } of planned) report(row, outcome);
  } catch (error) {
    if (!(error instanceof NothingWritten)) throw error;
    const [only, ...others] = planned;
    if (only && others.length === 0) report(only.row, rejected(`record: is refused (${error.message})`));
  }
}

function firstOfEachInvoice<Row>(rows: readonly Row[], invoiceIdOf: (row: Row) => string): Row[] {
  const first = new Map<string, Row>();
  for (const row of rows) if (!first.has(invoiceIdOf(row))) first.set(invoiceIdOf(row), row);
  return [...first.values()];
}
