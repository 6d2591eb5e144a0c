import type { StateChange } from '../../domain/invoice-state-change.ts';
import type { StateCode } from '../../domain/invoice-states.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Installation } from '../installation.ts';
import { changeState } from './change-state.ts';
import { findInvoice, type InvoiceName } from './find-invoice.ts';

/** Finds an invoice and moves it to a state; `change` is null when it is in that state already. */
export async function setState(
  installation: Pick<Installation, 'records' | 'lists' | 'invoices' | 'invoiceWriter'>,
  name: InvoiceName,
  state: StateCode,
  author: { changedBy: string; reason: string; clock: Clock },
): Promise<{ scope: SupplierScope; change: StateChange | null }> {
  const found = await findInvoice(installation, name);
  return { scope: found.scope, change: await changeState(installation.invoiceWriter.commit, found, state, author) };
}
