import type { ChangeKind, RecordedChange } from './invoice-change.ts';
import type { StateCode } from './invoice-states.ts';
import type { Invoice } from './invoice.ts';
import type { Decimal } from './money.ts';

/** The name that suppliers see of each kind of change. */
export const HISTORY_KINDS = {
  declaration: 'DECLARED',
  state: 'STATE_CHANGED',
  amount: 'AMOUNT_CHANGED',
  notice: 'NOTICE_CHANGED',
  fields: 'FIELDS_CHANGED',
  withdrawal: 'WITHDRAWN',
  restore: 'RESTORED',
} as const satisfies Record<ChangeKind, string>;

/** A change of an invoice, with the values of the invoice after the change. */
export interface HistoryEntry {
  readonly change: RecordedChange;
  readonly state: StateCode;
  readonly systemAmount: Decimal;
  readonly declaredAmount: Decimal | null;
}

/** Lists the changes of an invoice, newest first. `changes` are all changes up to its version, oldest first. */
export function listHistoryEntries(invoice: Invoice, changes: readonly RecordedChange[]): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  const amounts = listDeclaredAmounts(changes).toReversed();
  // A change contains the state and the system amount before it, if it changes them.
  let { state, systemAmount } = invoice;
  for (const [index, change] of changes.toReversed().entries()) {
    entries.push({ change, state, systemAmount, declaredAmount: amounts[index] ?? null });
    state = change.stateChange?.from ?? change.previousState ?? state;
    systemAmount = change.stateChange?.fromSystemAmount ?? systemAmount;
  }
  return entries;
}

/** Lists the declared amount after each change; null before the first declaration. */
function listDeclaredAmounts(changes: readonly RecordedChange[]): (Decimal | null)[] {
  let declaredAmount: Decimal | null = null;
  return changes.map(({ revision }) => {
    declaredAmount = revision?.amount ?? declaredAmount;
    return declaredAmount;
  });
}
