import type { ListInvoicesInput } from '../contracts/list-invoices.ts';
import { toInvoiceRow, toTolerance } from '../contracts/wire.ts';
import { parseDateRange } from '../domain/date-range.ts';
import type { InvoiceLists, InvoicePage } from '../services/invoice-lists.ts';
import { readInvoicePage } from '../services/invoice-pages.ts';
import type { ReadingEndpoint } from './endpoint.ts';

/** Lists the caller's invoices. */
export function listInvoices(lists: InvoiceLists): ReadingEndpoint<ListInvoicesInput, InvoicePage> {
  return {
    // Searches and later pages may read much.
    isReadAhead(input) {
      const { search, offset } = pageOf(input);
      return offset === 0 && search.trim() === '';
    },
    async read(scope, input) {
      const { startdate, enddate, status } = input;
      const range = parseDateRange(startdate, enddate);
      return readInvoicePage(lists, scope, { ...pageOf(input), range, state: status ?? null });
    },
    answer({ caller, input, found }) {
      const { limit, offset } = pageOf(input);
      return {
        data: { rows: found.rows.map(toInvoiceRow), tolerance: toTolerance(caller.tolerance) },
        meta: { total: found.total, limit, offset },
      };
    },
  };
}

function pageOf({ search, limit, offset }: ListInvoicesInput) {
  return { search: search ?? '', limit: limit ?? 25, offset: offset ?? 0 };
}
