import { movedTo, type StateChange, stateChangeOf } from '../../domain/invoice-state-change.ts';
import type { StateCode } from '../../domain/invoice-states.ts';
import { type AttemptLimits, limitedAttempts } from '../../runtime/attempts.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { SupplierScope } from '../../domain/invoice.ts';
import type { Commit, InvoiceChange } from '../../services/transactions.ts';
import type { AdminPorts, OwnedInvoice } from '../ports/admin-ports.ts';
import { findInvoice, type InvoiceName } from './find-invoice.ts';

/** Who changes a state, and why. */
export interface Author {
  readonly changedBy: string;
  readonly reason: string;
  readonly clock: Clock;
}

const RETRIES: AttemptLimits = { most: 10, firstMs: 10, longestMs: 200 };

/**
 * Moves an invoice to a state, from whatever state others have left it in by then; null when it is in that state
 * already.
 */
export async function changeState(
  commit: Commit<InvoiceChange>,
  { scope, invoice }: OwnedInvoice,
  state: StateCode,
  { clock, ...author }: Author,
): Promise<StateChange | null> {
  let before = invoice;
  for await (const attempt of limitedAttempts(RETRIES)) {
    const after = movedTo(before, state);
    const stateChange = stateChangeOf(before, after, { ...author, now: clock.now() });
    if (!stateChange) return null;
    const outcome = await commit(scope, [{ before, after, revisions: [], stateChange }], attempt);
    if (outcome.kind === 'committed') return stateChange;
    before = outcome.current[0] ?? before;
  }
  throw new Error(`The invoice ${invoice.invoiceId} kept being changed by others; its state was not.`);
}

/** Finds an invoice and moves it to a state; `change` is null when it is in that state already. */
export async function setState(
  ports: Pick<AdminPorts, 'records' | 'invoices' | 'invoiceWriter'>,
  name: InvoiceName,
  state: StateCode,
  author: Author,
): Promise<{ scope: SupplierScope; change: StateChange | null }> {
  const found = await findInvoice(ports, name);
  return { scope: found.scope, change: await changeState(ports.invoiceWriter.commit, found, state, author) };
}
