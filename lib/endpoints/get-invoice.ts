import type { GetInvoiceInput } from '../contracts/get-invoice.ts';
import { toInvoiceDetail } from '../contracts/wire.ts';
import { invoiceNotFound } from '../domain/errors.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import type { ReadingEndpoint } from './endpoint.ts';

/** Reads one invoice of a supplier; null when the supplier has none with this id. */
export interface InvoiceReader {
  get(scope: SupplierScope, invoiceId: string): Promise<Invoice | null>;
}

/** Opens one of the caller's invoices; throws NOT_FOUND. */
export function getInvoice(invoices: InvoiceReader): ReadingEndpoint<GetInvoiceInput, Invoice | null> {
  return {
    isReadAhead: () => true,
    read: (scope, { id }) => invoices.get(scope, id),
    answer({ caller, found }) {
      if (!found) throw invoiceNotFound();
      return { data: toInvoiceDetail(found, caller.tolerance) };
    },
  };
}
