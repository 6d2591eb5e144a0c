import type { GetInvoiceInput } from '../contracts/get-invoice.ts';
import { toInvoiceDetail } from '../contracts/wire.ts';
import { invoiceNotFound } from '../domain/errors.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import type { Endpoint } from './endpoint.ts';

/** Reads one invoice of a supplier; null when the supplier has none with this id. */
export interface InvoiceReader {
  get(scope: SupplierScope, invoiceId: string): Promise<Invoice | null>;
}

/** Opens one of the caller's invoices; throws NOT_FOUND. */
export function getInvoice(invoices: InvoiceReader): Endpoint<GetInvoiceInput> {
  return async ({ caller, input }) => {
    const invoice = await invoices.get(caller.scope, input.id);
    if (!invoice) throw invoiceNotFound();
    return { data: toInvoiceDetail(invoice, caller.tolerance) };
  };
}
