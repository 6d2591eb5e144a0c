import type { GetInvoiceInput } from '../contracts/get-invoice.ts';
import { toInvoiceDetail } from '../contracts/wire.ts';
import { getInvoice, type InvoiceReader } from '../services/get-invoice.ts';
import type { Operation } from './operation.ts';

/** Opens one of the caller's invoices. */
export function getInvoiceOperation(invoices: InvoiceReader): Operation<GetInvoiceInput> {
  return async ({ caller, input }) => {
    const invoice = await getInvoice(invoices, caller.scope, input.id);
    return { data: toInvoiceDetail(invoice, caller.tolerance) };
  };
}
