import type { InvoiceRow, PortalClient } from '../client/index.ts';
import { DAY_MS, listRanges } from '../client/list-ranges.ts';
import { readWallTime } from '../domain/iso-date.ts';

const YEAR_MS = 365 * DAY_MS;

/** The states of open invoices, with the time before now that is searched. Each year needs at least four reads. */
const SEARCHES = [
  { status: 'PEN', searchedMs: 2 * YEAR_MS },
  { status: 'REC', searchedMs: YEAR_MS },
  { status: 'AJU', searchedMs: YEAR_MS },
] as const;

/** Lists the pending invoices of two years, and the rejected and adjusted ones of one year, newest first. */
export async function listOpenInvoices(client: Pick<PortalClient, 'eachInvoice'>): Promise<InvoiceRow[]> {
  // The state of an invoice can change between two lists, so that both contain it.
  const invoiceById = new Map<string, InvoiceRow>();
  for (const { status, searchedMs } of SEARCHES) {
    for (const range of listRanges(Date.now() - searchedMs)) {
      for await (const row of client.eachInvoice({ ...range, status })) invoiceById.set(row.invoice_id, row);
    }
  }
  return [...invoiceById.values()].toSorted((a, b) => getDay(b).localeCompare(getDay(a)));
}

/** Returns the day of an invoice by which lists are sorted, such as 2026-08-31, or '' if it has no date. */
export function getDay({ invoice_date: date, service_call_date: callDate }: InvoiceRow): string {
  return readWallTime(date ?? callDate ?? '').day;
}
