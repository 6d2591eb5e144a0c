import type { SupplierScope } from '../../domain/invoice.ts';
import type { Fingerprint } from '../../runtime/fingerprints.ts';
import type { RowAudit } from '../../storage/audit/row-audit.ts';
import type { RowFault } from '../../storage/audit/row-repair.ts';
import { monthOfDay } from './sum-rows.ts';

/**
 * The rows that seem wrong, by the id of the invoice to which they seem to belong; those that are missing have no key.
 */
export type Suspects = ReadonlyMap<string, readonly RowFault['key'][]>;

/** An invoice while its days are gone through: the rows that were not met yet, and those that it must not have so. */
interface Unsettled {
  readonly awaited: Set<Fingerprint>;
  readonly others: RowFault['key'][];
}

/** Finds the invoices whose rows on some days do not seem to be as they must; others may be writing meanwhile. */
export async function suspectInvoices(
  audit: Pick<RowAudit, 'due' | 'stored'>,
  scope: SupplierScope,
  days: ReadonlySet<string>,
): Promise<Suspects> {
  const unsettled = new Map<string, Unsettled>();
  const find = (invoiceId: string) => {
    const found = unsettled.get(invoiceId) ?? { awaited: new Set(), others: [] };
    unsettled.set(invoiceId, found);
    return found;
  };
  for await (const rows of audit.due(scope)) {
    for (const { invoiceId, day, fingerprint } of rows) {
      if (days.has(day)) find(invoiceId).awaited.add(fingerprint);
    }
  }
  for (const month of new Set([...days].map(monthOfDay))) {
    for await (const rows of audit.stored(scope, month)) {
      for (const { key, invoiceId, day, fingerprint } of rows) {
        if (!days.has(day)) continue;
        const { awaited, others } = find(invoiceId);
        if (!awaited.delete(fingerprint)) others.push(key);
        if (awaited.size === 0 && others.length === 0) unsettled.delete(invoiceId);
      }
    }
  }
  return new Map([...unsettled].map(([invoiceId, { others }]) => [invoiceId, others]));
}
