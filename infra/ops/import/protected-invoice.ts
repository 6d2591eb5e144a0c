import { isSystemAmountFixed } from '../../../lib/domain/invoice-change.ts';
import { canTransition, isRejectedOrAdjusted, type StateCode } from '../../../lib/domain/invoice-states.ts';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { type Decimal, isEqualDecimal } from '../../../lib/domain/money.ts';
import { formatDecimal, translate } from '../texts/language.ts';
import { opsTexts, rejectionTexts } from '../texts/ops-texts.ts';

/** Describes why a change of an invoice requires --force. Returns null if it does not. */
export function describeProtection(before: Invoice, after: Invoice): string | null {
  const { state, systemAmount, notice } = before;
  const isSettled = state === 'LIQ';
  const declaredAmount = before.declaration?.amount ?? null;
  const nextDeclaredAmount = after.declaration?.amount ?? null;
  const errors: string[] = [];
  if (isSystemAmountFixed(before) && !systemAmount.eq(after.systemAmount)) {
    errors.push(describeFixedAmount('system_amount', systemAmount, after.systemAmount, state));
  }
  if (isSettled && !isEqualDecimal(declaredAmount, nextDeclaredAmount)) {
    errors.push(describeFixedAmount('declared_amount', declaredAmount, nextDeclaredAmount, state));
  }
  if (isSettled && !isEqualDecimal(notice.approvedAmount, after.notice.approvedAmount)) {
    errors.push(describeFixedAmount('approved_amount', notice.approvedAmount, after.notice.approvedAmount, state));
  }
  if (isProtectedTransition(state, after.state)) {
    errors.push(`state_code: ${translate(rejectionTexts.decidedState(state, after.state))}`);
  }
  return errors.length > 0 ? translate(rejectionTexts.needsForce(errors.join('; '))) : null;
}

function describeFixedAmount(field: string, from: Decimal | null, to: Decimal | null, state: StateCode): string {
  return `${field}: ${translate(rejectionTexts.fixedAmount(formatAmount(from), formatAmount(to), state))}`;
}

function formatAmount(amount: Decimal | null): string {
  return amount ? formatDecimal(amount) : translate(opsTexts.none);
}

/** True if an import would undo a decision of the company. No transition leaves the state of a settled invoice. */
function isProtectedTransition(from: StateCode, to: StateCode): boolean {
  return !canTransition(from, to) || (isRejectedOrAdjusted(from) && to === 'PEN');
}
