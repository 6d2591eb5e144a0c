import type { Invoice } from './invoice.ts';
import type { StateCode } from './invoice-states.ts';

/**
 * One immutable entry of the state history of an invoice: a change that no declaration made. `version` is that of the
 * invoice after the change.
 */
export interface StateChange {
  readonly invoiceId: string;
  readonly version: number;
  readonly from: StateCode;
  readonly to: StateCode;
  readonly changedBy: string;
  readonly reason: string | null;
  readonly changedAt: string;
}

const MAX_TEXT = 500;

/** Why a text must not say who changes a state or why, as it goes on after its name; null: it may. */
export function changeTextFault(text: string): string | null {
  if (text === '') return 'must not be blank';
  return text.length > MAX_TEXT ? `must have at most ${MAX_TEXT} characters` : null;
}

/** Who changes a state, when and why. */
export interface StateChangeContext {
  readonly changedBy: string;
  readonly reason: string | null;
  readonly now: Date;
}

/** An invoice after the company has moved it to a state: what it decided before no longer holds declarations. */
export function movedTo(invoice: Invoice, state: StateCode): Invoice {
  return { ...invoice, state, heldForReview: false, version: invoice.version + 1 };
}

/**
 * The entry that a change of an invoice (null: new) adds to its state history; undefined when the state stays the same.
 */
export function stateChangeOf(
  before: Invoice | null,
  after: Invoice,
  { changedBy, reason, now }: StateChangeContext,
): StateChange | undefined {
  if (!before || before.state === after.state) return undefined;
  const { invoiceId, version, state: to } = after;
  return { invoiceId, version, from: before.state, to, changedBy, reason, changedAt: now.toISOString() };
}
