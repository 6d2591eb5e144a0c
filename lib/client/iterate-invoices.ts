import type { ChangesOptions, InvoicePage, PortalClient } from './client-types.ts';
import { DAY_MS, listRanges } from './list-ranges.ts';
import { type InvoiceQuery, type InvoiceRow, REQUEST_LIMITS } from './portal-data.generated.ts';

const YEAR_MS = 365 * DAY_MS;
// A change becomes visible up to 20 s after its time. The other 40 s are for the clocks of its writer and this machine.
const OVERLAP_MS = 60_000;

/** Lists page by page, and yields every row once, even if other rows enter or leave the list during the iteration. */
export async function* iterateRows(
  listPage: (query: InvoiceQuery) => Promise<InvoicePage>,
  query: Omit<InvoiceQuery, 'offset'>,
  signal: AbortSignal | undefined,
): AsyncGenerator<InvoiceRow, void> {
  // A page begins with the last row of the page before it, so that gaps are found. Therefore it needs two rows.
  const limit = Math.max(2, query.limit ?? REQUEST_LIMITS.pageMax);
  const yieldedIds = new Set<string>();
  let offset = 0;
  for (;;) {
    const { rows, total } = await listPage({ ...query, limit, offset });
    // If rows have left the list, later rows have moved up, and the page begins after a gap: the client goes back.
    const [firstRow] = rows;
    const beginsWithYieldedRow = firstRow && yieldedIds.has(firstRow.invoice_id);
    if (offset > 0 && !beginsWithYieldedRow) {
      offset = Math.max(0, offset - limit);
      continue;
    }
    for (const row of rows) {
      signal?.throwIfAborted();
      if (yieldedIds.has(row.invoice_id)) continue;
      yieldedIds.add(row.invoice_id);
      yield row;
    }
    const isLastPage = rows.length < 2 || offset + rows.length >= total;
    if (isLastPage) return;
    offset += rows.length - 1;
  }
}

/** Lists the invoices that have changed since a time, range by range, and yields each of them once. */
export async function* iterateChanges(
  eachInvoice: PortalClient['eachInvoice'],
  time: Date | string,
  { startdate, ...options }: ChangesOptions = {},
): AsyncGenerator<InvoiceRow, void> {
  const changedSince = new Date(new Date(time).getTime() - OVERLAP_MS).toISOString();
  const firstMs = startdate === undefined ? Date.now() - YEAR_MS : Date.parse(startdate);
  // An invoice whose date changes during the iteration can be in two ranges.
  const yieldedIds = new Set<string>();
  for (const range of listRanges(firstMs)) {
    for await (const row of eachInvoice({ ...range, changed_since: changedSince }, options)) {
      if (yieldedIds.has(row.invoice_id)) continue;
      yieldedIds.add(row.invoice_id);
      yield row;
    }
  }
}
