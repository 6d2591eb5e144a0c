import { monthOf } from '../../domain/list-entry.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import { addFingerprints, type Fingerprint, NO_FINGERPRINT, subtractFingerprints } from '../../runtime/fingerprints.ts';
import { limitedAttempts } from '../../runtime/attempts.ts';
import { inPool } from '../../runtime/pool.ts';
import { type Finding, RETRIES, type VerifyOptions } from './findings.ts';
import type { AuditedRow, RowAudit } from '../ports/audits.ts';

const PARALLEL_INVOICES = 8;

/**
 * Compares the rows of a supplier with its invoices: by a sum for each day and, where a day differs, row by row. Gives
 * the months (yyyy-mm) of its invoices and counters, oldest first, and the ids of the invoices whose rows are not, or
 * may not be, right.
 */
export async function verifyRows(
  audit: RowAudit,
  scope: SupplierScope,
  countedMonths: readonly string[],
  { repair, report }: VerifyOptions,
) {
  const { months, differing } = await sumDays(audit, scope, countedMonths);
  const distrusted = new Set<string>();
  for await (const suspects of suspectRows(audit, scope, differing)) {
    // One invoice is repaired by one worker: repairs of the same invoice would hold each other up.
    const ofInvoices = [...Map.groupBy(suspects, ({ invoiceId }) => invoiceId)];
    await inPool(ofInvoices, PARALLEL_INVOICES, async ([invoiceId, rows]) => {
      for (const row of rows) {
        const finding = await verifyRow(audit, scope, row, repair);
        if (!finding) continue;
        if (finding.kind === 'busy' || !finding.repaired) distrusted.add(invoiceId);
        report(finding);
      }
    });
  }
  return { months, distrusted };
}

/** The days whose rows do not add up to those of their invoices, and all months; it holds a sum for each day only. */
async function sumDays(audit: RowAudit, scope: SupplierScope, countedMonths: readonly string[]) {
  const sums = new Map<string, Fingerprint>();
  const sumUp = (rows: readonly AuditedRow[], change: typeof addFingerprints) => {
    for (const { day, fingerprint } of rows) sums.set(day, change(sums.get(day) ?? NO_FINGERPRINT, fingerprint));
  };
  for await (const rows of audit.due(scope)) sumUp(rows, addFingerprints);
  const months = [...new Set([...countedMonths, ...[...sums.keys()].map(monthOf)])].toSorted();
  for (const month of months) {
    for await (const rows of audit.stored(scope, month)) sumUp(rows, subtractFingerprints);
  }
  const differing = [...sums].filter(([, sum]) => sum !== NO_FINGERPRINT).map(([day]) => day);
  return { months, differing: new Set(differing) };
}

/** The rows of some days that seem wrong, page by page: first those that must be there, then those that must not. */
async function* suspectRows(audit: RowAudit, scope: SupplierScope, days: ReadonlySet<string>) {
  if (days.size === 0) return;
  const compare = (rows: readonly AuditedRow[]) =>
    audit.compare(
      scope,
      rows.filter(({ day }) => days.has(day)),
    );
  for await (const rows of audit.due(scope)) yield await compare(rows);
  for (const month of new Set([...days].map(monthOf))) {
    for await (const rows of audit.stored(scope, month)) {
      yield (await compare(rows)).filter(({ fault }) => fault === 'stray');
    }
  }
}

/** Compares one row exactly, whatever the service writes meanwhile, and rewrites it if it shall; null: it is right. */
async function verifyRow(
  audit: RowAudit,
  scope: SupplierScope,
  row: AuditedRow,
  repair: boolean,
): Promise<Finding | null> {
  for await (const _ of limitedAttempts(RETRIES)) {
    const wrong = await audit.compareExactly(scope, row);
    if (wrong === null) return null;
    if (wrong === 'busy' || (repair && !(await audit.repair(scope, wrong)))) continue;
    const { invoiceId, fault, list, date } = wrong;
    return { kind: 'row', invoiceId, fault, list, date, repaired: repair };
  }
  return { kind: 'busy', invoiceId: row.invoiceId };
}
