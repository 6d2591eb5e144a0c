import type { Invoice } from './invoice.ts';
import type { StateCode } from './invoice-states.ts';
import type { Decimal } from './money.ts';
import type { Text } from './language.ts';

/** The kind of an entry in a state history. `changed` is a change of the state, or of a fixed system amount. */
export type StateChangeKind = 'changed' | 'withdrawn' | 'restored';

/**
 * An entry of the state history of an invoice. It records a change that was not made by a declaration. `version` is the
 * version of the invoice after the change. If the state has not changed, `from` and `to` are the same state.
 */
export interface StateChange {
  readonly invoiceId: string;
  readonly version: number;
  readonly kind: StateChangeKind;
  readonly from: StateCode;
  readonly to: StateCode;
  /** The system amount before the change; null if the amount has not changed. */
  readonly fromSystemAmount: Decimal | null;
  readonly toSystemAmount: Decimal | null;
  readonly changedBy: string;
  readonly reason: string | null;
  readonly changedAt: string;
}

const MAX_TEXT_LENGTH = 500;

/** Finds the error in the name of an author or in the text of a reason. Returns null if the text is valid. */
export function findChangeTextError(text: string): Text | null {
  if (text === '') return { en: 'must not be blank', es: 'no debe estar en blanco' };
  if (text.length <= MAX_TEXT_LENGTH) return null;
  const es = `debe tener como máximo ${MAX_TEXT_LENGTH} caracteres`;
  return { en: `must have at most ${MAX_TEXT_LENGTH} characters`, es };
}

export interface StateChangeContext {
  readonly changedBy: string;
  readonly reason: string | null;
  readonly now: Date;
}

/** Returns the invoice in the state that the company sets. The new decision ends the required manual review. */
export function withState(invoice: Invoice, state: StateCode): Invoice {
  return { ...invoice, state, requiresManualReview: false, version: invoice.version + 1 };
}

/** Returns the invoice withdrawn, or restored if `isWithdrawn` is false. */
export function withWithdrawal(invoice: Invoice, isWithdrawn: boolean): Invoice {
  return { ...invoice, isWithdrawn, version: invoice.version + 1 };
}

/** True if an import needs --force to change the system amount: the invoice is declared, approved or settled. */
export function isSystemAmountFixed({ declaration, state }: Invoice): boolean {
  return declaration !== null || state === 'APR' || state === 'LIQ';
}

/**
 * Builds the entry that a change adds to the state history of an invoice. Returns undefined if the invoice is new
 * (`before` is null). Also returns undefined if the invoice keeps its state and its fixed system amount, and is neither
 * withdrawn nor restored.
 */
export function buildStateChange(
  before: Invoice | null,
  after: Invoice,
  { changedBy, reason, now }: StateChangeContext,
): StateChange | undefined {
  if (!before) return undefined;
  const isAmountChanged = !before.systemAmount.eq(after.systemAmount);
  const isFixedAmountChanged = isAmountChanged && isSystemAmountFixed(before);
  const kind = getChangeKind(before, after);
  if (kind === 'changed' && before.state === after.state && !isFixedAmountChanged) return undefined;
  return {
    invoiceId: after.invoiceId,
    version: after.version,
    kind,
    from: before.state,
    to: after.state,
    fromSystemAmount: isAmountChanged ? before.systemAmount : null,
    toSystemAmount: isAmountChanged ? after.systemAmount : null,
    changedBy,
    reason,
    changedAt: now.toISOString(),
  };
}

function getChangeKind(before: Invoice, after: Invoice): StateChangeKind {
  if (before.isWithdrawn === after.isWithdrawn) return 'changed';
  return after.isWithdrawn ? 'withdrawn' : 'restored';
}
