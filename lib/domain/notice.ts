import type { StateCode } from './invoice-states.ts';
import { type Decimal, isEqualDecimal } from './money.ts';

/** The message, the approved amount and the payment that the company shows to the supplier of an invoice. */
export interface Notice {
  readonly message: string | null;
  /** The amount that the company pays instead of the declared amount. */
  readonly approvedAmount: Decimal | null;
  /** The date of the payment as it was received, ISO 8601. */
  readonly paidOn: string | null;
  readonly paymentReference: string | null;
}

export const NO_NOTICE: Notice = { message: null, approvedAmount: null, paidOn: null, paymentReference: null };

/** The properties of a notice that a decision or an import sets. Undefined keeps a property, and null clears it. */
export type NoticeChange = { readonly [Property in keyof Notice]?: Notice[Property] | undefined };

/** True if an invoice in this state can have an approved amount. */
export function canHaveApprovedAmount(state: StateCode): boolean {
  return state === 'APR' || state === 'AJU' || state === 'LIQ';
}

/** True if an invoice in this state can have a payment. */
export function canHavePayment(state: StateCode): boolean {
  return state === 'LIQ';
}

/**
 * Returns the notice of an invoice in its new state. A message belongs to the state with which it was given. The approved
 * amount and the payment remain as long as the state can have them.
 */
export function buildNextNotice(
  { state, notice }: { readonly state: StateCode; readonly notice: Notice },
  newState: StateCode,
  change: NoticeChange,
): Notice {
  const { message, approvedAmount, paidOn, paymentReference } = change;
  const storedMessage = newState === state ? notice.message : null;
  const hasPayment = canHavePayment(newState);
  return {
    message: chooseValue(message, storedMessage),
    approvedAmount: canHaveApprovedAmount(newState) ? chooseValue(approvedAmount, notice.approvedAmount) : null,
    paidOn: hasPayment ? chooseValue(paidOn, notice.paidOn) : null,
    paymentReference: hasPayment ? chooseValue(paymentReference, notice.paymentReference) : null,
  };
}

function chooseValue<Value>(changed: Value | undefined, stored: Value): Value {
  return changed === undefined ? stored : changed;
}

export function isSameNotice(one: Notice, other: Notice): boolean {
  return (
    one.message === other.message &&
    isEqualDecimal(one.approvedAmount, other.approvedAmount) &&
    one.paidOn === other.paidOn &&
    one.paymentReference === other.paymentReference
  );
}
