import type { GetInvoiceInput } from '../contracts/get-invoice.ts';
import { toInvoiceDetail } from '../contracts/to-response.ts';
import { createInvoiceNotFoundError } from '../domain/errors.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import type { PrefetchingEndpoint } from './endpoint.ts';

/** The port that reads an invoice of a supplier; null if the supplier has no invoice with this id. */
export interface InvoiceReader {
  get(scope: SupplierScope, invoiceId: string): Promise<Invoice | null>;
}

/** Creates the endpoint that returns one of the caller's invoices, or throws NOT_FOUND. */
export function createGetInvoiceEndpoint(
  invoices: InvoiceReader,
): PrefetchingEndpoint<GetInvoiceInput, Invoice | null> {
  return {
    read: (scope, { id }) => invoices.get(scope, id),
    respond({ caller, found }) {
      if (!found) throw createInvoiceNotFoundError();
      return { data: toInvoiceDetail(found, caller.tolerance) };
    },
  };
}
