import { withState, withWithdrawal } from '../../../lib/domain/invoice-change.ts';
import { canTransition, DECISIONS, type StateCode } from '../../../lib/domain/invoice-states.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { formatDecimal, translate } from '../texts/language.ts';
import { rejectionTexts } from '../texts/ops-texts.ts';

/** The decisions that a sheet can contain: a new state, or a withdrawal or its undoing. */
export const SHEET_DECISIONS = [...DECISIONS, 'WITHDRAW', 'RESTORE'] as const;

/** A decision of the company on an invoice. The command `set-state` can set every state. */
export type Decision = StateCode | 'WITHDRAW' | 'RESTORE';

/** Returns the invoice after a decision. */
export function applyDecision(invoice: Invoice, decision: Decision, now: Date): Invoice {
  if (decision === 'WITHDRAW' || decision === 'RESTORE') return withWithdrawal(invoice, decision === 'WITHDRAW', now);
  return withState(invoice, decision, now);
}

/** True if the invoice is already as a decision wants it, for example because the sheet was applied before. */
export function isInEffect({ isWithdrawn, state }: Invoice, decision: Decision): boolean {
  if (decision === 'WITHDRAW') return isWithdrawn;
  if (decision === 'RESTORE') return !isWithdrawn;
  return state === decision;
}

/** Describes why an invoice does not allow a decision; null: it does. A decision that changes nothing is allowed. */
export function findDecisionError({ isWithdrawn, state }: Invoice, decision: Decision, force = false): string | null {
  if (decision === 'RESTORE') return null;
  if (decision === 'WITHDRAW') {
    const isAllowed = force || isWithdrawn || state !== 'LIQ';
    return isAllowed ? null : translate(rejectionTexts.settled(state, 'withdraw-invoice'));
  }
  if (isWithdrawn) return translate(rejectionTexts.withdrawn);
  return force || canTransition(state, decision) ? null : translate(rejectionTexts.settled(state, 'set-state'));
}

/** Describes how the current declaration differs from the expected revision (0: no declaration); null: it does not. */
export function findRevisionError(expected: number, { declaration }: Invoice): string | null {
  const revision = declaration?.revision ?? 0;
  if (expected === revision) return null;
  if (!declaration || expected > revision) {
    return `revision: ${translate(rejectionTexts.laterRevision(expected, revision))}`;
  }
  return `revision: ${translate(rejectionTexts.declaredSince(formatDecimal(declaration.amount), expected, revision))}`;
}
