import type { ListInvoicesInput } from '../contracts/list-invoices.ts';
import { toInvoiceRow, toTolerance } from '../contracts/to-response.ts';
import { parseDateRange } from '../domain/date-range.ts';
import { toStartInstant } from '../domain/iso-date.ts';
import { LIMITS } from '../domain/limits.ts';
import { type InvoiceLists, type InvoicePage, readInvoicePage } from '../invoices/invoice-pages.ts';
import type { PrefetchingEndpoint } from './endpoint.ts';

/** Creates the endpoint that returns a page of the caller's invoices in a date range. */
export function createListInvoicesEndpoint(lists: InvoiceLists): PrefetchingEndpoint<ListInvoicesInput, InvoicePage> {
  return {
    async read(scope, input) {
      const { startdate, enddate, status, changed_since: changedSince } = input;
      return readInvoicePage(lists, scope, {
        ...applyPageDefaults(input),
        range: parseDateRange(startdate, enddate),
        state: status ?? null,
        changedSince: changedSince ? toStartInstant(changedSince) : null,
      });
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
