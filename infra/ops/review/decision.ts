import { withState, withWithdrawal } from '../../../lib/domain/invoice-change.ts';
import { canTransition, DECISIONS, type StateCode } from '../../../lib/domain/invoice-states.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { isEqualDecimal } from '../../../lib/domain/money.ts';
import { buildNextNotice, isSameNotice, type NoticeChange } from '../../../lib/domain/notice.ts';
import { findNoticeError } from '../input/notice-fields.ts';
import { formatDecimal, translate } from '../texts/language.ts';
import { rejectionTexts } from '../texts/ops-texts.ts';

/** The decisions that a review sheet can contain: a new state of the invoice, its withdrawal, or its restoration. */
export const SHEET_DECISIONS = [...DECISIONS, 'WITHDRAW', 'RESTORE'] as const;

/** A decision of the company on an invoice. The command `set-state` can set every state. */
export type Decision = StateCode | 'WITHDRAW' | 'RESTORE';

export function applyDecision(invoice: Invoice, decision: Decision, noticeChange: NoticeChange, now: Date): Invoice {
  if (decision === 'WITHDRAW') return withWithdrawal(invoice, true, now);
  if (decision === 'RESTORE') return withWithdrawal(invoice, false, now);
  return withState(invoice, decision, now, noticeChange);
}

/** True if a decision changes nothing, for example because the sheet was applied before. */
export function isInEffect(invoice: Invoice, decision: Decision, noticeChange: NoticeChange): boolean {
  const { isWithdrawn, state, notice } = invoice;
  if (decision === 'WITHDRAW') return isWithdrawn;
  if (decision === 'RESTORE') return !isWithdrawn;
  return state === decision && isSameNotice(buildNextNotice(invoice, decision, noticeChange), notice);
}

/** Returns the reason for which an invoice does not allow a decision, or null. `force` allows a change of a settled one. */
export function findDecisionError(
  invoice: Invoice,
  decision: Decision,
  noticeChange: NoticeChange,
  force = false,
): string | null {
  const { isWithdrawn, state, notice } = invoice;
  if (decision === 'RESTORE') return null;
  if (decision === 'WITHDRAW') {
    const canWithdraw = force || isWithdrawn || state !== 'LIQ';
    return canWithdraw ? null : translate(rejectionTexts.settled(state, 'withdraw-invoice'));
  }
  if (isWithdrawn) return translate(rejectionTexts.withdrawn);
  const nextNotice = buildNextNotice(invoice, decision, noticeChange);
  // The approved amount of a settled invoice was paid.
  const changesPaidAmount = state === 'LIQ' && !isEqualDecimal(nextNotice.approvedAmount, notice.approvedAmount);
  const isForceRequired = changesPaidAmount || !canTransition(state, decision);
  if (isForceRequired && !force) return translate(rejectionTexts.settled(state, 'set-state'));
  if (decision === 'AJU' && !nextNotice.approvedAmount) return translate(rejectionTexts.requiredApprovedAmount);
  return findNoticeError(decision, noticeChange);
}

/** Compares an expected revision (0: no declaration) with the current one. Returns the error as `revision: reason`. */
export function findRevisionError(expected: number, { declaration }: Invoice): string | null {
  const revision = declaration?.revision ?? 0;
  if (expected === revision) return null;
  const isDeclaredSince = declaration !== null && expected < revision;
  const text = isDeclaredSince
    ? rejectionTexts.declaredSince(formatDecimal(declaration.amount), expected, revision)
    : rejectionTexts.laterRevision(expected, revision);
  return `revision: ${translate(text)}`;
}
