import type { Invoice } from '../../../lib/domain/invoice.ts';
import { type InvoiceChange, MAX_TRANSACTION_WRITES } from '../../../lib/storage/invoice-transaction.ts';

// Of the 4 MB that a transaction may hold; the rest is for keys, histories and counters.
const MAX_BYTES = 3_500_000;
const MAX_BYTES_WITHOUT_CONCEPTS = 30_000;
const CONCEPT_BYTES = 300;
const MAX_BYTES_PER_CHARACTER = 3;

/** Groups changes so that each group, with its histories and the counters of its months, fits one transaction. */
export function intoTransactions<Planned extends { readonly change: InvoiceChange }>(
  planned: readonly Planned[],
): Planned[][] {
  const groups: Planned[][] = [];
  let writes = Number.POSITIVE_INFINITY;
  let bytes = 0;
  let months = new Set<string>();
  for (const item of planned) {
    const { before, after, revisions, stateChange } = item.change;
    const own = [before ?? after, after].map(({ sortDate }) => sortDate.slice(0, 7));
    const together = new Set([...months, ...own]);
    const added = 1 + revisions.length + (stateChange ? 1 : 0);
    const size = sizeOf(after);
    if (writes + added + together.size > MAX_TRANSACTION_WRITES || bytes + size > MAX_BYTES) {
      groups.push([]);
      [writes, bytes] = [0, 0];
      months = new Set(own);
    } else months = together;
    writes += added;
    bytes += size;
    groups.at(-1)?.push(item);
  }
  return groups;
}

/** At least the bytes of an invoice: what it may hold at most beside its concepts, and these. */
function sizeOf({ concepts }: Invoice): number {
  const texts = concepts.reduce((sum, { conceptId, description }) => sum + conceptId.length + description.length, 0);
  return MAX_BYTES_WITHOUT_CONCEPTS + concepts.length * CONCEPT_BYTES + texts * MAX_BYTES_PER_CHARACTER;
}
