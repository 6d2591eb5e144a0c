import type { Invoice } from '../../../lib/domain/invoice.ts';
import type { ListQuery } from '../../../lib/invoices/invoice-pages.ts';

/**
 * Computes a page of the list with the simplest method: filters and sorts all invoices in memory. Returns the invoice
 * ids of the page, and the number of all matches.
 */
export function buildReferenceList(invoices: readonly Invoice[], query: ListQuery): { ids: string[]; total: number } {
  const text = normalizeText(query.search.trim());
  const matching = invoices
    .filter(({ isWithdrawn }) => !isWithdrawn)
    .filter(({ sortDate }) => Date.parse(sortDate) >= query.range.startMs && Date.parse(sortDate) <= query.range.endMs)
    .filter(({ state }) => query.state === null || state === query.state)
    .filter(({ changedAt }) => query.changedSince === null || Date.parse(changedAt) >= Date.parse(query.changedSince))
    .filter((invoice) => listSearchedFields(invoice).some((field) => normalizeText(field).includes(text)))
    .toSorted(
      (a, b) => Date.parse(b.sortDate) - Date.parse(a.sortDate) || (BigInt(a.invoiceId) < BigInt(b.invoiceId) ? 1 : -1),
    );
  const page = matching.slice(query.offset, query.offset + query.limit);
  return { ids: page.map(({ invoiceId }) => invoiceId), total: matching.length };
}

function listSearchedFields({ serviceNumber, accountName, providerInvoice, invoiceId }: Invoice): string[] {
  return [serviceNumber ?? '', accountName ?? '', providerInvoice.number ?? '', invoiceId];
}

function normalizeText(text: string): string {
  return Array.from(text.normalize('NFD'))
    .filter((character) => !/\p{Mark}/u.test(character))
    .join('')
    .toLowerCase();
}
