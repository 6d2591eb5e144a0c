import type { Invoice } from '../../../lib/domain/invoice.ts';
import type { ListQuery } from '../../../lib/invoices/invoice-pages.ts';

/**
 * What a list answers, found by reading everything, filtering and sorting: all matching invoice ids in order, and the
 * page's.
 */
export function buildReferenceList(invoices: readonly Invoice[], query: ListQuery): { ids: string[]; total: number } {
  const text = fold(query.search.trim());
  const matching = invoices
    .filter(({ sortDate }) => Date.parse(sortDate) >= query.range.startMs && Date.parse(sortDate) <= query.range.endMs)
    .filter(({ state }) => query.state === null || state === query.state)
    .filter((invoice) => searchedFields(invoice).some((field) => fold(field).includes(text)))
    .toSorted(
      (a, b) => Date.parse(b.sortDate) - Date.parse(a.sortDate) || (BigInt(a.invoiceId) < BigInt(b.invoiceId) ? 1 : -1),
    );
  const page = matching.slice(query.offset, query.offset + query.limit);
  return { ids: page.map(({ invoiceId }) => invoiceId), total: matching.length };
}

function searchedFields({ serviceNumber, accountName, providerInvoice, invoiceId }: Invoice): string[] {
  return [serviceNumber ?? '', accountName ?? '', providerInvoice.number ?? '', invoiceId];
}

function fold(text: string): string {
  return Array.from(text.normalize('NFD'))
    .filter((character) => !/\p{Mark}/u.test(character))
    .join('')
    .toLowerCase();
}
