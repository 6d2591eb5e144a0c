import { type InvoiceChange, MAX_TRANSACTION_WRITES } from '../../../lib/storage/invoice-transaction.ts';

/** Groups changes so that each group, with its histories and the counters of its months, fits one transaction. */
export function intoTransactions<Planned extends { readonly change: InvoiceChange }>(
  planned: readonly Planned[],
): Planned[][] {
  const groups: Planned[][] = [];
  let writes = Number.POSITIVE_INFINITY;
  let months = new Set<string>();
  for (const item of planned) {
    const { before, after, revisions, stateChange } = item.change;
    const own = [before ?? after, after].map(({ sortDate }) => sortDate.slice(0, 7));
    const together = new Set([...months, ...own]);
    const added = 1 + revisions.length + (stateChange ? 1 : 0);
    if (writes + added + together.size > MAX_TRANSACTION_WRITES) {
      groups.push([]);
      writes = 0;
      months = new Set(own);
    } else months = together;
    writes += added;
    groups.at(-1)?.push(item);
  }
  return groups;
}
