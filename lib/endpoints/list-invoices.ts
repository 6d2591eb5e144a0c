import type { ListInvoicesInput } from '../contracts/list-invoices.ts';
import { toInvoiceRow, toTolerance } from '../contracts/to-response.ts';
import { parseDateRange } from '../domain/date-range.ts';
import { LIMITS } from '../domain/limits.ts';
import { type InvoiceLists, type InvoicePage, readInvoicePage } from '../invoices/invoice-pages.ts';
import type { PrefetchingEndpoint } from './endpoint.ts';

/** Creates the endpoint that returns a page of the caller's invoices in a date range. */
export function createListInvoicesEndpoint(lists: InvoiceLists): PrefetchingEndpoint<ListInvoicesInput, InvoicePage> {
  return {
    async read(scope, input) {
      const { startdate, enddate, status } = input;
      const range = parseDateRange(startdate, enddate);
      return readInvoicePage(lists, scope, { ...applyPageDefaults(input), range, state: status ?? null });
    },
    respond({ caller, input, found }) {
      const { limit, offset } = applyPageDefaults(input);
      return {
        data: { rows: found.rows.map(toInvoiceRow), tolerance: toTolerance(caller.tolerance) },
        meta: { total: found.total, limit, offset },
      };
    },
  };
}

function applyPageDefaults({ search, limit, offset }: ListInvoicesInput) {
  return { search: search ?? '', limit: limit ?? LIMITS.pageDefault, offset: offset ?? 0 };
}
