import type { SupplierScope } from '../../domain/invoice.ts';
import { inLanes } from '../../runtime/in-lanes.ts';
import type { RowAudit } from '../../storage/audit/row-audit.ts';
import { sumRows } from './sum-rows.ts';
import { suspectInvoices } from './suspect-invoices.ts';
import { type RowsVerdict, verifyInvoiceRows } from './verify-invoice-rows.ts';

/** Whether to set right what differs; `report` hears of every invoice with wrong rows, and of every busy one. */
export interface VerifyRowsOptions {
  readonly repair: boolean;
  readonly report: (invoiceId: string, verdict: RowsVerdict) => void;
}

/** What there is to know of a supplier's rows before its counters are verified. */
export interface VerifiedRows {
  /** The months (yyyy-mm) of its invoices and counters, oldest first. */
  readonly months: readonly string[];
  /** The ids of the invoices whose rows are not, or may not be, right. */
  readonly distrusted: ReadonlySet<string>;
}

// What is in memory at once; more days are gone through in turns.
const MOST_ROWS = 400_000;
const PARALLEL_INVOICES = 8;

/** Compares the rows of a supplier with its invoices: day by day and, where a day differs, invoice by invoice. */
export async function verifyRows(
  audit: RowAudit,
  scope: SupplierScope,
  countedMonths: readonly string[],
  { repair, report }: VerifyRowsOptions,
): Promise<VerifiedRows> {
  const { months, differing } = await sumRows(audit, scope, countedMonths);
  const distrusted = new Set<string>();
  for (const days of inTurns(differing)) {
    const suspects = await suspectInvoices(audit, scope, days);
    await inLanes([...suspects], PARALLEL_INVOICES, async ([invoiceId, others]) => {
      const verdict = await verifyInvoiceRows(audit, scope, invoiceId, others, { repair });
      if (verdict.kind === 'seen' && verdict.faults.length === 0) return;
      if (verdict.kind === 'busy' || !verdict.repaired) distrusted.add(invoiceId);
      report(invoiceId, verdict);
    });
  }
  return { months, distrusted };
}

function* inTurns(rowsOfDays: ReadonlyMap<string, number>): Generator<Set<string>> {
  let days = new Set<string>();
  let held = 0;
  for (const [day, rows] of rowsOfDays) {
    if (days.size > 0 && held + rows > MOST_ROWS) {
      yield days;
      [days, held] = [new Set(), 0];
    }
    days.add(day);
    held += rows;
  }
  if (days.size > 0) yield days;
}
