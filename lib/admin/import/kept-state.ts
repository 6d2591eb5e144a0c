import type { StateCode } from '../../domain/invoice-states.ts';
import type { StoredInvoice } from './merge-record.ts';
import type { InvoiceRecord } from './record-schema.ts';

/** A state of a record that was not taken over, and the one that the invoice keeps. */
export interface KeptState {
  readonly supplierId: string;
  readonly invoiceId: string;
  readonly named: StateCode;
  readonly kept: StateCode;
}

/** Returns the state of a record that is not taken over because the supplier has declared here; null if there is none. */
export function keptStateOf({ invoice, declaredHere }: StoredInvoice, record: InvoiceRecord): KeptState | null {
  const { supplier_id: supplierId, invoice_id: invoiceId, state_code: named } = record;
  if (!invoice || !declaredHere || !named || named === invoice.state) return null;
  return { supplierId, invoiceId, named, kept: invoice.state };
}
