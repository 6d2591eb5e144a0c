import type { StateCode } from '../../../lib/domain/invoice-states.ts';
import type { Decimal } from '../../../lib/domain/money.ts';
import { canHaveApprovedAmount, canHavePayment, type NoticeChange } from '../../../lib/domain/notice.ts';
import { translate } from '../texts/language.ts';
import { rejectionTexts } from '../texts/ops-texts.ts';
import { toDecimal } from './decimal-text.ts';

type OptionalText = string | null | undefined;

/** The fields of a notice, which the company shows to the supplier, in records, review sheets and `set-state`. */
export type NoticeFields = Readonly<
  Partial<Record<'message' | 'approved_amount' | 'paid_on' | 'payment_reference', OptionalText>>
>;

/** Converts fields to a change of a notice. An absent field keeps its value, and a blank string clears it. */
export function toNoticeChange(fields: NoticeFields): NoticeChange {
  return {
    message: trimText(fields.message),
    approvedAmount: parseAmount(fields.approved_amount),
    paidOn: fields.paid_on,
    paymentReference: trimText(fields.payment_reference),
  };
}

function trimText(text: OptionalText): OptionalText {
  if (typeof text !== 'string') return text;
  const trimmedText = text.trim();
  return trimmedText === '' ? null : trimmedText;
}

function parseAmount(text: OptionalText): Decimal | null | undefined {
  return typeof text === 'string' ? toDecimal(text) : text;
}

/** Returns the error of a property that the notice of an invoice in this state cannot have, or null. */
export function findNoticeError(state: StateCode, change: NoticeChange): string | null {
  const { approvedAmount, paidOn, paymentReference } = change;
  if (approvedAmount && !canHaveApprovedAmount(state)) {
    return `approved_amount: ${translate(rejectionTexts.requiresState('APR, AJU, LIQ', state))}`;
  }
  if (canHavePayment(state)) return null;
  const paymentError = translate(rejectionTexts.requiresState('LIQ', state));
  if (paidOn) return `paid_on: ${paymentError}`;
  return paymentReference ? `payment_reference: ${paymentError}` : null;
}
