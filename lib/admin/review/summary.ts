import type { DateRange } from '../../domain/date-range.ts';
import { STATE_CODES, type StateCode } from '../../domain/invoice-states.ts';
import type { AdminPorts } from '../ports/admin-ports.ts';
import { type ReadingOptions, type ReviewedInvoice, reviewedInvoices } from './reviewed-invoices.ts';
import { Sums } from './sums.ts';

/** The invoices of a state or a supplier, and since when the oldest of them waits for review. */
export class Part extends Sums {
  /** How many of them wait. */
  waiting = 0;
  /** ISO 8601 UTC; null: none waits. */
  waitingSince: string | null = null;

  override add(invoice: ReviewedInvoice): void {
    super.add(invoice);
    if (!isWaiting(invoice)) return;
    this.waiting += 1;
    // What nobody has declared here waits since its date.
    const since = invoice.declaredAt ?? invoice.sortDate;
    if (this.waitingSince === null || since < this.waitingSince) this.waitingSince = since;
  }
}

/** A range of a tenant's invoices in numbers; parts without an invoice are left out. */
export interface Summary {
  readonly states: ReadonlyMap<StateCode, Part>;
  readonly suppliers: ReadonlyMap<string, { readonly all: Part; readonly states: ReadonlyMap<StateCode, Part> }>;
  readonly all: Part;
}

/** Adds up a tenant's invoices of a range of dates; throws an OperatorError when there is no such tenant. */
export async function summarise(
  ports: Pick<AdminPorts, 'records' | 'counters' | 'listedInvoices' | 'declarations'>,
  { tenant, range }: { readonly tenant: string; readonly range: DateRange },
  progress?: ReadingOptions['progress'],
): Promise<Summary> {
  const all = new Part();
  const states = noStates();
  const suppliers = new Map<string, { all: Part; states: Map<StateCode, Part> }>();
  const wanted = { tenant, supplierIds: [], range, state: null, declaredSince: null };
  for await (const page of reviewedInvoices(ports, wanted, { isTimed: isWaiting, progress })) {
    for (const invoice of page) {
      const { supplierId, state } = invoice;
      const ofSupplier = suppliers.get(supplierId) ?? { all: new Part(), states: noStates() };
      suppliers.set(supplierId, ofSupplier);
      const parts = [all, states.get(state), ofSupplier.all, ofSupplier.states.get(state)];
      for (const part of parts) part?.add(invoice);
    }
  }
  for (const some of [states, ...[...suppliers.values()].map((supplier) => supplier.states)]) leaveOutEmpty(some);
  return { states, suppliers, all };
}

function isWaiting({ state }: { readonly state: StateCode }): boolean {
  return state === 'REV' || state === 'ENV';
}

// All from the beginning, so that they stand in their order.
function noStates(): Map<StateCode, Part> {
  return new Map(STATE_CODES.map((state) => [state, new Part()]));
}

function leaveOutEmpty(states: Map<StateCode, Part>): void {
  for (const [state, { invoices }] of states) if (invoices === 0) states.delete(state);
}
