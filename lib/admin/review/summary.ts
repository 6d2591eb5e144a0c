import type { DateRange } from '../../domain/date-range.ts';
import { STATE_CODES, type StateCode } from '../../domain/invoice-states.ts';
import type { InvoiceRow } from '../../domain/invoice.ts';
import { type Decimal, decimal, differenceOf } from '../../domain/money.ts';
import type { AdminPorts } from '../../composition/admin-ports.ts';
import { type ListingOptions, type ReviewedInvoice, readReviewedInvoices } from './reviewed-invoices.ts';

/** The exact sums of some invoices. */
export class Sums {
  invoices = 0;
  /** The number of declared invoices. */
  declared = 0;
  systemAmount: Decimal = decimal(0);
  declaredAmount: Decimal = decimal(0);
  /** The sum of declared minus system amount, of the declared invoices. */
  difference: Decimal = decimal(0);

  /** Adds the current amounts of an invoice. */
  add({ systemAmount, declaration }: Pick<InvoiceRow, 'systemAmount' | 'declaration'>): void {
    this.invoices += 1;
    this.systemAmount = this.systemAmount.plus(systemAmount);
    if (!declaration) return;
    this.declared += 1;
    this.declaredAmount = this.declaredAmount.plus(declaration.amount);
    this.difference = this.difference.plus(differenceOf(declaration.amount, systemAmount));
  }
}

/** The sums of a state or a supplier, with the invoices that wait for review. */
export class Part extends Sums {
  /** The number of invoices that wait for review. */
  waiting = 0;
  /** The start of the longest wait (ISO 8601 UTC); null: no invoice waits. */
  waitingSince: string | null = null;

  override add(invoice: ReviewedInvoice): void {
    super.add(invoice);
    if (!isWaiting(invoice)) return;
    this.waiting += 1;
    // An invoice without a declaration waits since its date.
    const since = invoice.declaredAt ?? invoice.sortDate;
    if (this.waitingSince === null || since < this.waitingSince) this.waitingSince = since;
  }
}

/**
 * Adds up a tenant's invoices of a date range, by state and by supplier; omits parts without an invoice. Throws an
 * OperatorError if the tenant does not exist.
 */
export async function summarise(
  ports: Pick<AdminPorts, 'records' | 'counters' | 'listedInvoices' | 'declarations'>,
  { tenant, range }: { readonly tenant: string; readonly range: DateRange },
  progress?: ListingOptions['progress'],
) {
  const all = new Part();
  const states = createStates();
  const suppliers = new Map<string, { all: Part; states: Map<StateCode, Part> }>();
  const filter = { tenant, supplierIds: [], range, state: null, declaredSince: null };
  for await (const page of readReviewedInvoices(ports, filter, { isTimed: isWaiting, progress })) {
    for (const invoice of page) {
      const { supplierId, state } = invoice;
      const ofSupplier = suppliers.get(supplierId) ?? { all: new Part(), states: createStates() };
      suppliers.set(supplierId, ofSupplier);
      const parts = [all, states.get(state), ofSupplier.all, ofSupplier.states.get(state)];
      for (const part of parts) part?.add(invoice);
    }
  }
  for (const some of [states, ...[...suppliers.values()].map((supplier) => supplier.states)]) removeEmpty(some);
  return { states, suppliers, all };
}

function isWaiting({ state }: { readonly state: StateCode }): boolean {
  return state === 'REV' || state === 'ENV';
}

// Contains all states from the beginning, so that they keep their order.
function createStates(): Map<StateCode, Part> {
  return new Map(STATE_CODES.map((state) => [state, new Part()]));
}

function removeEmpty(states: Map<StateCode, Part>): void {
  for (const [state, { invoices }] of states) if (invoices === 0) states.delete(state);
}
