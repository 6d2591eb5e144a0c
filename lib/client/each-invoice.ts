import type { InvoicePage, InvoiceQuery, InvoiceRow } from './portal-data.generated.ts';

const PAGE_SIZE = 100;

/** Lists page by page until there is no more, and gives every row once, however the list grows meanwhile. */
export async function* eachInvoice(
  list: (query: InvoiceQuery) => Promise<InvoicePage>,
  query: Omit<InvoiceQuery, 'offset'>,
  signal: AbortSignal | undefined,
): AsyncGenerator<InvoiceRow, void> {
  // An invoice that is imported meanwhile moves those behind it, so that a page can begin with rows of the one before.
  const given = new Set<string>();
  let offset = 0;
  let end: number;
  do {
    const { rows, total } = await list({ limit: PAGE_SIZE, ...query, offset });
    for (const row of rows) {
      signal?.throwIfAborted();
      if (given.has(row.invoice_id)) continue;
      given.add(row.invoice_id);
      yield row;
    }
    offset += rows.length;
    end = rows.length > 0 ? total : 0;
  } while (offset < end);
}
