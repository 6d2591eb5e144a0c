import type { SupplierScope } from '../../domain/invoice.ts';
import { type Backoff, jitteredPause } from '../../runtime/backoff.ts';
import type { RowAudit } from '../../storage/audit/row-audit.ts';
import type { RowFault } from '../../storage/audit/row-repair.ts';

/** What the rows of an invoice were found to be; busy: it kept being changed while they were looked at. */
export type RowsVerdict =
  | { readonly kind: 'busy' }
  | { readonly kind: 'seen'; readonly faults: readonly RowFault[]; readonly repaired: boolean };

const MAX_ATTEMPTS = 12;
const BACKOFF: Backoff = { firstMs: 10, longestMs: 1000 };

/**
 * Compares the rows of an invoice, and others that seem to be its, with the invoice, exactly, whatever the service
 * writes meanwhile; sets them right if it shall.
 */
export async function verifyInvoiceRows(
  audit: Pick<RowAudit, 'look' | 'repair'>,
  scope: SupplierScope,
  invoiceId: string,
  others: readonly RowFault['key'][],
  { repair }: { repair: boolean },
): Promise<RowsVerdict> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (attempt > 0) await jitteredPause(attempt, BACKOFF);
    const seen = await audit.look(scope, invoiceId, others);
    if (!seen) continue;
    const { faults } = seen;
    if (!repair || faults.length === 0) return { kind: 'seen', faults, repaired: false };
    if (await audit.repair(scope, invoiceId, seen)) return { kind: 'seen', faults, repaired: true };
  }
  return { kind: 'busy' };
}
