import type { Invoice } from './invoice.ts';

/** Returns the time of a change: `now`, but later than the previous change of the invoice, whose clock can be ahead. */
export function getChangeTime(before: Pick<Invoice, 'changedAt'> | null, now: Date): string {
  const earliestMs = before ? Date.parse(before.changedAt) + 1 : 0;
  return new Date(Math.max(now.getTime(), earliestMs)).toISOString();
}

/** Returns the next version of an invoice with the changed properties. */
export function buildNextVersion(invoice: Invoice, changes: Partial<Invoice>, now: Date): Invoice {
  return { ...invoice, ...changes, version: invoice.version + 1, changedAt: getChangeTime(invoice, now) };
}
