import { WriteRejectedError } from '../../../lib/domain/errors.ts';
import type { SupplierScope, InvoiceRow } from '../../../lib/domain/invoice.ts';
import { type Backoff, jitteredPause } from '../../../lib/runtime/attempts.ts';
import { forEachConcurrent } from '../../../lib/runtime/for-each-concurrent.ts';
import { type InvoiceChange, packTransactions } from '../../../lib/invoices/transactions.ts';
import type { InvoiceWriter, AdminPorts } from '../tables/admin-ports.ts';
import type { DeclarationRevision } from '../../../lib/domain/declaration.ts';

export interface Rejection {
  readonly error: string;
}

/** The planned change of an invoice, and the outcome of its row after the write, or at once if nothing changes. */
export interface RowPlan<Outcome> {
  readonly change: InvoiceChange | null;
  readonly outcome: Outcome | Rejection;
}

/** The functions that convert rows of a file to changes of invoices. */
export interface RowWork<Row, Outcome> {
  readonly getInvoiceId: (row: Row) => string;
  /** Returns a plan for each row, in the order of the rows; the rows are of different, current invoices. */
  readonly plan: (rows: readonly Row[]) => Promise<readonly RowPlan<Outcome>[]>;
  /** Is called once for each row. */
  readonly report: (row: Row, outcome: Outcome | Rejection) => void;
}

// More than enough halvings until each transaction contains one row.
const MAX_FAILURES = 10;
// Long enough for a throttled table to recover.
const BACKOFF: Backoff = { firstMs: 10, longestMs: 2000 };

/** Writes rows of one supplier in transactions. Several rows of one invoice are written in their order. */
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
    const ofInvoices = [...Map.groupBy(waiting, work.getInvoiceId).values()];
    const first = ofInvoices.flatMap((rowsOfInvoice) => rowsOfInvoice.slice(0, 1));
    const report = (row: Row, outcome: Outcome | Rejection) => {
      done.add(row);
      work.report(row, outcome);
    };
    await writeOnce(writer, scope, first, maxWrites, { ...work, report });
    // Rows that were not written are retried in transactions of half the size, so that one row cannot block others.
    maxWrites = done.size < first.length ? maxWrites / 2 : writer.limits.writes;
    waiting = waiting.filter((row) => !done.has(row));
    failures = done.size > 0 ? 0 : failures + 1;
  }
  const error =
    'record: not written, because others kept changing the invoice or the table was overloaded; import it again';
  for (const row of waiting) work.report(row, { error });
}

/** Writes rows of different invoices once. Reports the rows that need no write, are written, or are rejected alone. */
async function writeOnce<Row, Outcome>(
  writer: InvoiceWriter,
  scope: SupplierScope,
  rows: readonly Row[],
  maxWrites: number,
  { plan, report }: RowWork<Row, Outcome>,
): Promise<void> {
  const plans = await plan(rows);
  const planned = rows.flatMap((row, index) => {
    const { change, outcome } = plans[index] as RowPlan<Outcome>;
    if (change) return [{ row, change, outcome, cost: writer.costOf(scope, change) }];
    report(row, outcome);
    return [];
  });
  const transactions = packTransactions(planned, ({ cost }) => cost, { ...writer.limits, writes: maxWrites });
  await forEachConcurrent(transactions, writer.parallelTransactions, async (together, shard) => {
    const changes = together.map(({ change }) => change);
    try {
      const { kind } = await writer.commit(scope, changes, shard);
      if (kind === 'committed') for (const { row, outcome } of together) report(row, outcome);
    } catch (error) {
      if (!(error instanceof WriteRejectedError)) throw error;
      const [only, ...others] = together;
      if (only && others.length === 0) report(only.row, { error: `record: was rejected (${error.message})` });
    }
  });
}

/** Reads the current declarations of invoices, by invoice id. */
export async function readCurrentRevisions(
  declarations: Pick<AdminPorts['declarations'], 'revisions'>,
  scope: SupplierScope,
  invoices: readonly Pick<InvoiceRow, 'invoiceId' | 'declaration'>[],
): Promise<ReadonlyMap<string, DeclarationRevision>> {
  const keys = invoices.flatMap(({ invoiceId, declaration }) =>
    declaration ? [{ invoiceId, revision: declaration.revision }] : [],
  );
  const revisions = await declarations.revisions(scope, keys);
  return new Map(revisions.map((revision) => [revision.invoiceId, revision]));
}
