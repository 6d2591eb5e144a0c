import type { InvoiceRow, PortalClient } from '../client/index.ts';
import { listSearchRanges } from './check-amounts.ts';

/** Lists all invoices that wait for a declaration, of about two years, newest first. */
export async function listPendingInvoices(client: Pick<PortalClient, 'eachInvoice'>): Promise<InvoiceRow[]> {
  const pending: InvoiceRow[] = [];
  for (const range of listSearchRanges()) {
    for await (const row of client.eachInvoice({ ...range, status: 'PEN' })) pending.push(row);
  }
  return pending;
}
