import { STATE_CODES, type StateCode } from '../../../lib/domain/invoice-states.ts';
import { canHaveApprovedAmount, canHavePayment, type NoticeChange } from '../../../lib/domain/notice.ts';
import { translate } from '../texts/language.ts';
import { rejectionTexts } from '../texts/ops-texts.ts';
import { toDecimal } from './decimal-text.ts';

const AMOUNT_STATES = STATE_CODES.filter(canHaveApprovedAmount).join(', ');
const PAYMENT_STATES = STATE_CODES.filter(canHavePayment).join(', ');

type OptionalText = string | null | undefined;

/** The fields of a notice in records, review sheets and `set-state`. The company shows a notice to the supplier. */
export type NoticeFields = Readonly<
  Partial<Record<'message' | 'approved_amount' | 'paid_on' | 'payment_reference', OptionalText>>
>;

/** Converts valid fields to a change of a notice. Undefined keeps a value. Null clears it, and so does a blank text. */
export function toNoticeChange({ message, approved_amount, paid_on, payment_reference }: NoticeFields): NoticeChange {
  return {
    message: trimText(message),
    approvedAmount: typeof approved_amount === 'string' ? toDecimal(approved_amount) : approved_amount,
    paidOn: paid_on,
    paymentReference: trimText(payment_reference),
  };
}

function trimText(text: OptionalText): OptionalText {
  if (typeof text !== 'string') return text;
  const trimmedText = text.trim();
  return trimmedText === '' ? null : trimmedText;
}

/** Returns the error of a property that the notice of an invoice in this state cannot have, or null. */
export function findNoticeError(state: StateCode, change: NoticeChange): string | null {
  const { approvedAmount, paidOn, paymentReference } = change;
  if (approvedAmount && !canHaveApprovedAmount(state)) {
    return `approved_amount: ${translate(rejectionTexts.requiresState(AMOUNT_STATES, state))}`;
  }
  if (canHavePayment(state)) return null;
  const paymentError = translate(rejectionTexts.requiresState(PAYMENT_STATES, state));
  if (paidOn) return `paid_on: ${paymentError}`;
  return paymentReference ? `payment_reference: ${paymentError}` : null;
}
