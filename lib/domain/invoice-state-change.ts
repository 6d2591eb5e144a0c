import type { Invoice } from './invoice.ts';
import type { StateCode } from './invoice-states.ts';
import type { Decimal } from './money.ts';

/**
 * One immutable entry of the state history of an invoice: a change that no declaration made. `version` is that of the
 * invoice after the change. If only the system amount changed, `from` and `to` are the same state.
 */
export interface StateChange {
  readonly invoiceId: string;
  readonly version: number;
  readonly from: StateCode;
  readonly to: StateCode;
  /** The system amount before the change; null if the change left the amount as it was. */
  readonly fromSystemAmount: Decimal | null;
  readonly toSystemAmount: Decimal | null;
  readonly changedBy: string;
  readonly reason: string | null;
  readonly changedAt: string;
}

const MAX_TEXT = 500;

/** Returns the error of an author or a reason, to be appended to its name; null if the text is valid. */
export function changeTextFault(text: string): string | null {
  if (text === '') return 'must not be blank';
  return text.length > MAX_TEXT ? `must have at most ${MAX_TEXT} characters` : null;
}

export interface StateChangeContext {
  readonly changedBy: string;
  readonly reason: string | null;
  readonly now: Date;
}

/** Returns the invoice in a state that the company has set; an earlier decision no longer requires a review. */
export function withState(invoice: Invoice, state: StateCode): Invoice {
  return { ...invoice, state, requiresManualReview: false, version: invoice.version + 1 };
}

/** True if the system amount must not change any more: an amount is declared, or the invoice is approved or settled. */
export function isSystemAmountFixed({ declaration, state }: Invoice): boolean {
  return declaration !== null || state === 'APR' || state === 'LIQ';
}

/**
 * Returns the entry that a change of an invoice (null: new) adds to its state history. Returns undefined if the state
 * stays the same, unless a fixed system amount changes.
 */
export function stateChangeOf(
  before: Invoice | null,
  after: Invoice,
  { changedBy, reason, now }: StateChangeContext,
): StateChange | undefined {
  if (!before) return undefined;
  const isAmountChanged = !before.systemAmount.eq(after.systemAmount);
  if (before.state === after.state && !(isAmountChanged && isSystemAmountFixed(before))) return undefined;
  const { invoiceId, version, state: to } = after;
  return {
    ...{ invoiceId, version, from: before.state, to },
    fromSystemAmount: isAmountChanged ? before.systemAmount : null,
    toSystemAmount: isAmountChanged ? after.systemAmount : null,
    ...{ changedBy, reason, changedAt: now.toISOString() },
  };
}
