import { movedTo, type StateChange, stateChangeOf } from '../../domain/invoice-state-change.ts';
import type { StateCode } from '../../domain/invoice-states.ts';
import { type Backoff, jitteredPause } from '../../runtime/backoff.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { OwnedInvoice } from '../../storage/invoices/invoice-table.ts';
import type { Commit, InvoiceChange } from '../../services/transactions.ts';

const MAX_ATTEMPTS = 10;
const BACKOFF: Backoff = { firstMs: 10, longestMs: 200 };

/**
 * Moves an invoice to a state, from whatever state others have left it in by then; null when it is in that state
 * already.
 */
export async function changeState(
  commit: Commit<InvoiceChange>,
  { scope, invoice }: OwnedInvoice,
  state: StateCode,
  { clock, ...author }: { changedBy: string; reason: string; clock: Clock },
): Promise<StateChange | null> {
  let before = invoice;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const after = movedTo(before, state);
    const stateChange = stateChangeOf(before, after, { ...author, now: clock.now() });
    if (!stateChange) return null;
    const outcome = await commit(scope, [{ before, after, revisions: [], stateChange }], attempt);
    if (outcome.kind === 'committed') return stateChange;
    before = outcome.current[0] ?? before;
    await jitteredPause(attempt, BACKOFF);
  }
  throw new Error(`The invoice ${invoice.invoiceId} kept being changed by others; its state was not.`);
}
