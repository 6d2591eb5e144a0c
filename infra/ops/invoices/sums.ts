import type { DateRange } from '../../../lib/domain/date-range.ts';
import { STATE_CODES } from '../../../lib/domain/invoice-states.ts';
import { decimal, differenceOf } from '../../../lib/domain/money.ts';
import type { AdminPorts } from '../../../lib/composition/admin-ports.ts';
import type { ListedInvoice } from '../../../lib/storage/invoices/listed-invoices.ts';
import { type ListingOptions, type ReviewedInvoice, readReviewedInvoices } from './reviewed-invoices.ts';

/** The exact sums of some invoices, and the invoices that wait for review. */
export class Sums {
  invoices = 0;
  /** The number of declared invoices. */
  declared = 0;
  systemAmount = decimal(0);
  declaredAmount = decimal(0);
  /** The sum of declared minus system amount, of the declared invoices. */
  difference = decimal(0);
  /** The number of invoices that wait for review. */
  waiting = 0;
  /** The start of the longest wait (ISO 8601 UTC); null: no invoice waits. */
  waitingSince: string | null = null;

  /** Adds the current amounts of an invoice. */
  add(invoice: ReviewedInvoice): void {
    const { systemAmount, declaration } = invoice;
    this.invoices += 1;
    this.systemAmount = this.systemAmount.plus(systemAmount);
    if (declaration) {
      this.declared += 1;
      this.declaredAmount = this.declaredAmount.plus(declaration.amount);
      this.difference = this.difference.plus(differenceOf(declaration.amount, systemAmount));
    }
    if (!isWaiting(invoice)) return;
    this.waiting += 1;
    // An invoice without a declaration waits since its date.
    const since = invoice.declaredAt ?? invoice.sortDate;
    if (this.waitingSince === null || since < this.waitingSince) this.waitingSince = since;
  }
}

/** The sums of some invoices, also by state; the states without an invoice are included. */
export class StateSums {
  readonly all = new Sums();
  readonly states = new Map(STATE_CODES.map((state) => [state, new Sums()]));

  /** Adds the current amounts of an invoice. */
  add(invoice: ReviewedInvoice): void {
    this.all.add(invoice);
    this.states.get(invoice.state)?.add(invoice);
  }
}

/**
 * Adds up a tenant's invoices of a date range, also by supplier; omits suppliers without an invoice. Throws an
 * OperatorError if the tenant does not exist.
 */
export async function summarise(
  ports: Pick<AdminPorts, 'records' | 'counters' | 'listedInvoices' | 'declarations'>,
  { tenant, range }: { readonly tenant: string; readonly range: DateRange },
  progress?: ListingOptions['progress'],
) {
  const total = new StateSums();
  const suppliers = new Map<string, StateSums>();
  for await (const page of readReviewedInvoices(ports, { tenant, range }, { isTimed: isWaiting, progress })) {
    for (const invoice of page) {
      const ofSupplier = suppliers.get(invoice.supplierId) ?? new StateSums();
      suppliers.set(invoice.supplierId, ofSupplier);
      for (const sums of [total, ofSupplier]) sums.add(invoice);
    }
  }
  return { total, suppliers };
}

function isWaiting({ state }: ListedInvoice): boolean {
  return state === 'REV' || state === 'ENV';
}
