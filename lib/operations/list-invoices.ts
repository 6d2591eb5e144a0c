import type { ListInvoicesInput } from '../contracts/list-invoices.ts';
import { toInvoiceRow, toTolerance } from '../contracts/wire.ts';
import { parseDateRange } from '../domain/date-range.ts';
import { type InvoiceLists, listInvoices } from '../usecases/list-invoices.ts';
import type { Operation } from './operation.ts';

/** Lists the caller's invoices. */
export function listInvoicesOperation(lists: InvoiceLists): Operation<ListInvoicesInput> {
  return async ({ caller, input }) => {
    const { startdate, enddate, status = null, search = '', limit = 25, offset = 0 } = input;
    const range = parseDateRange(startdate, enddate);
    const page = await listInvoices(lists, caller.scope, { range, state: status, search, limit, offset });
    return {
      data: { rows: page.rows.map(toInvoiceRow), tolerance: toTolerance(caller.tolerance) },
      meta: { total: page.total, limit, offset },
    };
  };
}
