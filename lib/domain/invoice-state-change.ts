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

const MAX_TEXT_LENGTH = 500;

/** Finds the error of the text of an author or a reason; null if the text is valid. */
export function findChangeTextError(text: string): string | null {
  if (text === '') return 'must not be blank';
  return text.length > MAX_TEXT_LENGTH ? `must have at most ${MAX_TEXT_LENGTH} characters` : null;
}

export interface StateChangeContext {
  readonly changedBy: string;
  readonly reason: string | null;
  readonly now: Date;
}

/** Returns the invoice in a state that the company has set. An earlier decision no longer requires a review. */
export function withState(invoice: Invoice, state: StateCode): Invoice {
  return { ...invoice, state, requiresManualReview: false, version: invoice.version + 1 };
}

/** True if the system amount must not change, because an amount is declared, or the invoice is approved or settled. */
export function isSystemAmountFixed({ declaration, state }: Invoice): boolean {
  return declaration !== null || state === 'APR' || state === 'LIQ';
}

/**
 * Builds the entry that a change adds to the state history of an invoice. Returns undefined if the invoice is new
 * (`before` is null), or neither the state nor a fixed system amount has changed.
 */
export function buildStateChange(
  before: Invoice | null,
  after: Invoice,
  { changedBy, reason, now }: StateChangeContext,
): StateChange | undefined {
  if (!before) return undefined;
  const isAmountChanged = !before.systemAmount.eq(after.systemAmount);
  const isFixedAmountChanged = isAmountChanged && isSystemAmountFixed(before);
  if (before.state === after.state && !isFixedAmountChanged) return undefined;
  return {
    invoiceId: after.invoiceId,
    version: after.version,
    from: before.state,
    to: after.state,
    fromSystemAmount: isAmountChanged ? before.systemAmount : null,
    toSystemAmount: isAmountChanged ? after.systemAmount : null,
    changedBy,
    reason,
    changedAt: now.toISOString(),
  };
}
