import type { ListInvoicesInput } from '../contracts/list-invoices.ts';
import { toInvoiceRow, toTolerance } from '../contracts/wire.ts';
import { parseDateRange } from '../domain/date-range.ts';
import { type InvoiceLists, listInvoices } from '../services/list-invoices.ts';
import type { Operation } from './operation.ts';

/** Lists the caller's invoices. */
export function listInvoicesOperation(lists: InvoiceLists): Operation<ListInvoicesInput> {
  return async ({ caller, input }) => {
    const { startdate, enddate, status, search } = input;
    const limit = input.limit ?? 25;
    const offset = input.offset ?? 0;
    const range = parseDateRange(startdate, enddate);
    const selection = { range, state: status ?? null, search: search ?? '', limit, offset };
    const page = await listInvoices(lists, caller.scope, selection);
    return {
      data: { rows: page.rows.map(toInvoiceRow), tolerance: toTolerance(caller.tolerance) },
      meta: { total: page.total, limit, offset },
    };
  };
}
