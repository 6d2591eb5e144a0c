import type { ImportCounts } from '../../../lib/admin/import/import-invoices.ts';
import { counted } from '../counted.ts';

/** What an import did, for people. */
export function countLines(counts: Readonly<ImportCounts>): string[] {
  const { created, changed, unchanged, rejected, statesKept, firstStatesKept } = counts;
  const records = `${created} created, ${changed} changed, ${unchanged} unchanged, ${rejected} rejected`;
  if (statesKept === 0) return [records];
  const first = firstStatesKept.map(({ invoiceId, named, kept }) => `${invoiceId}: ${named}, stays ${kept}`);
  const names = [...first, ...(statesKept > first.length ? ['…'] : [])].join('; ');
  return [records, `${counted(statesKept, 'state')} not taken over: the supplier has declared (${names})`];
}

/** The same for scripts. */
export function countsDocument({ statesKept, firstStatesKept, ...records }: Readonly<ImportCounts>): object {
  const first = firstStatesKept.map(({ supplierId, invoiceId, named, kept }) => {
    return { supplier_id: supplierId, invoice_id: invoiceId, state_code: named, stays: kept };
  });
  return { ...records, states_not_taken_over: { count: statesKept, first } };
}
