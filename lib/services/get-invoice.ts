import { invoiceNotFound } from '../domain/errors.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';

/** Reads one invoice of a supplier; null when the supplier has none with this id. */
export interface InvoiceReader {
  get(scope: SupplierScope, invoiceId: string): Promise<Invoice | null>;
}

/** Opens one of the supplier's invoices; throws NOT_FOUND. */
export async function getInvoice(invoices: InvoiceReader, scope: SupplierScope, invoiceId: string): Promise<Invoice> {
  const invoice = await invoices.get(scope, invoiceId);
  if (!invoice) throw invoiceNotFound();
  return invoice;
}
