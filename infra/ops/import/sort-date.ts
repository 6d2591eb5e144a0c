import type { Invoice } from '../../../lib/domain/invoice.ts';
import { parseIsoDate } from '../../../lib/domain/iso-date.ts';

/** The dates of an invoice, as they were received. */
export type InvoiceDates = Pick<Invoice, 'invoiceDate' | 'serviceCallDate'>;

/** Returns the date that orders an invoice in lists: the invoice date, the date of the service call, or `recordedAt`. */
export function sortDateOf({ invoiceDate, serviceCallDate }: InvoiceDates, recordedAt: string): string {
  const date = parseIsoDate(invoiceDate ?? serviceCallDate ?? '');
  return date ? new Date(date.epochMs).toISOString() : recordedAt;
}

/**
 * The time that stands in for the dates of an invoice without any: the time that it has kept so far; else (it is new,
 * or it had dates) now.
 */
export function recordedAtOf(before: Invoice | null, now: Date): string {
  const isKept = before && before.invoiceDate === null && before.serviceCallDate === null;
  return isKept ? before.sortDate : now.toISOString();
}
