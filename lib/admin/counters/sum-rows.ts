import type { SupplierScope } from '../../domain/invoice.ts';
import { addFingerprints, type Fingerprint, NO_FINGERPRINT, subtractFingerprints } from '../../runtime/fingerprints.ts';
import type { RowAudit } from '../../storage/audit/row-audit.ts';

/** What a supplier's rows come to. */
export interface RowSums {
  /** The months (yyyy-mm) of its invoices and counters, oldest first. */
  readonly months: readonly string[];
  /** The days (yyyy-mm-dd) whose rows are not those of their invoices, with how many rows there are and must be. */
  readonly differing: ReadonlyMap<string, number>;
}

/** The rows of a day: how many were met, and what those that must be there have more than those that are. */
interface DaySum {
  met: number;
  count: number;
  fingerprint: Fingerprint;
}

/** Compares the rows of each day with the invoices by count and fingerprint, and keeps nothing else in memory. */
export async function sumRows(
  audit: Pick<RowAudit, 'due' | 'stored'>,
  scope: SupplierScope,
  countedMonths: readonly string[],
): Promise<RowSums> {
  const days = new Map<string, DaySum>();
  const sumOf = (day: string) => {
    const sum = days.get(day) ?? { met: 0, count: 0, fingerprint: NO_FINGERPRINT };
    days.set(day, sum);
    sum.met += 1;
    return sum;
  };
  for await (const rows of audit.due(scope)) {
    for (const { day, fingerprint } of rows) {
      const sum = sumOf(day);
      sum.count += 1;
      sum.fingerprint = addFingerprints(sum.fingerprint, fingerprint);
    }
  }
  const months = [...new Set([...countedMonths, ...[...days.keys()].map(monthOfDay)])].toSorted();
  for (const month of months) {
    for await (const rows of audit.stored(scope, month)) {
      for (const { day, fingerprint } of rows) {
        const sum = sumOf(day);
        sum.count -= 1;
        sum.fingerprint = subtractFingerprints(sum.fingerprint, fingerprint);
      }
    }
  }
  const differing = [...days].filter(([, { count, fingerprint }]) => count !== 0 || fingerprint !== NO_FINGERPRINT);
  return { months, differing: new Map(differing.map(([day, { met }]) => [day, met])) };
}

/** The month (yyyy-mm) of a day. */
export function monthOfDay(day: string): string {
  return day.slice(0, 7);
}
