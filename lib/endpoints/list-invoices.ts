import type { ListInvoicesInput } from '../contracts/list-invoices.ts';
import { toInvoiceRow, toTolerance } from '../contracts/wire.ts';
import { parseDateRange } from '../domain/date-range.ts';
import type { InvoiceLists } from '../services/invoice-lists.ts';
import { readInvoicePage } from '../services/invoice-pages.ts';
import type { Endpoint } from './endpoint.ts';

/** Lists the caller's invoices. */
export function listInvoices(lists: InvoiceLists): Endpoint<ListInvoicesInput> {
  return async ({ caller, input }) => {
    const { startdate, enddate, status, search } = input;
    const limit = input.limit ?? 25;
    const offset = input.offset ?? 0;
    const range = parseDateRange(startdate, enddate);
    const selection = { range, state: status ?? null, search: search ?? '', limit, offset };
    const page = await readInvoicePage(lists, caller.scope, selection);
    return {
      data: { rows: page.rows.map(toInvoiceRow), tolerance: toTolerance(caller.tolerance) },
      meta: { total: page.total, limit, offset },
    };
  };
}
