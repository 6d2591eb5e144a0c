import { type Author, describeStateChange, type StateChange } from '../../../lib/domain/invoice-change.ts';
import type { Notice, NoticeChange } from '../../../lib/domain/notice.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { OperatorError } from '../operator-errors.ts';
import { changeInvoices, type ChangePorts, type CurrentInvoice, type RowPlan } from '../tables/change-invoices.ts';
import type { OwnedInvoice } from '../tables/stored-invoices.ts';
import { translate } from '../texts/language.ts';
import { opsTexts, rejectionTexts } from '../texts/ops-texts.ts';
import { applyDecision, type Decision, findDecisionError, findRevisionError, isInEffect } from './decision.ts';

/** The author and the conditions of a decision. */
export interface DecisionOnInvoice {
  readonly author: Author;
  /** The expected revision of the current declaration (0: no declaration). */
  readonly revision?: number | undefined;
  readonly noticeChange?: NoticeChange;
  /** True if a settled invoice can be changed. */
  readonly force?: boolean | undefined;
}

/** `notice` is the notice after the decision. */
interface AppliedDecision extends StateChange {
  readonly notice: Notice;
}

/**
 * Applies a decision to an invoice. Returns null if nothing changes. Throws an OperatorError if the current invoice
 * does not allow the decision, or if another command withdraws, restores or erases it at the same time.
 */
export async function decideOnInvoice(
  ports: ChangePorts,
  { scope, invoice: { invoiceId, isWithdrawn } }: OwnedInvoice,
  decision: Decision,
  options: DecisionOnInvoice,
): Promise<AppliedDecision | null> {
  const { tenant, supplierId } = scope;
  let result: AppliedDecision | null = null;
  await changeInvoices<string, AppliedDecision | null>(ports, [invoiceId], {
    tenant,
    getKey: () => ({ supplierId, invoiceId }),
    plan: (_, current) => planDecisionOnInvoice(current, isWithdrawn, decision, options),
    report(_, outcome) {
      if (outcome && 'error' in outcome) throw new Error(translate(opsTexts.notChanged(outcome.error)));
      result = outcome;
    },
  });
  return result;
}

function planDecisionOnInvoice(
  { invoice: before }: CurrentInvoice,
  isWithdrawn: boolean,
  decision: Decision,
  { author, revision, noticeChange = {}, force }: DecisionOnInvoice,
): RowPlan<AppliedDecision | null> {
  if (before?.isWithdrawn !== isWithdrawn) throw createError(translate(rejectionTexts.keptChanging));
  const revisionError = revision === undefined ? null : findRevisionError(revision, before);
  const error = revisionError ?? findDecisionError(before, decision, noticeChange, force);
  if (error !== null) throw createError(error);
  if (isInEffect(before, decision, noticeChange)) return { change: null, outcome: null };

  const after = applyDecision(before, decision, noticeChange, systemClock.now());
  const stateChange = describeStateChange(before, after);
  const outcome = stateChange && { ...stateChange, notice: after.notice };
  return { change: { before, after, author }, outcome };
}

function createError(error: string): OperatorError {
  return new OperatorError(translate(opsTexts.notChanged(error)));
}
