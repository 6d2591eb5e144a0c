import type { DeclarationRevision } from './declaration.ts';
import type { StateCode } from './invoice-states.ts';
import type { Invoice, SupplierScope } from './invoice.ts';
import type { Text } from './language.ts';
import type { Decimal } from './money.ts';
import { buildNextVersion } from './next-version.ts';
import { buildNextNotice, isSameNotice, type Notice, type NoticeChange } from './notice.ts';

/**
 * The kinds of changes of an invoice. An import can declare an amount and change the state in one change, whose kind is
 * `declaration`. A change of the kind `notice` changes only the notice. A change of `fields`
 * changes only imported fields other than the state and the system amount.
 */
export const CHANGE_KINDS = ['declaration', 'state', 'amount', 'notice', 'fields', 'withdrawal', 'restore'] as const;

export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The person or program that makes a change, and the reason. */
export interface Author {
  readonly changedBy: string;
  readonly reason: string | null;
}

/** A change of an invoice that is not yet written. */
export interface InvoiceChange {
  /** The invoice as it was read; null if it is new. */
  readonly before: Invoice | null;
  readonly after: Invoice;
  /** The declaration that the change makes. */
  readonly revision?: DeclarationRevision | undefined;
  /** Present if a command of the company makes the change. */
  readonly author?: Author | undefined;
}

/** The state and the system amount before and after a change that a command of the company made, except of `fields`. */
export interface StateChange {
  readonly from: StateCode;
  readonly to: StateCode;
  /** The system amount before the change; null if the amount has not changed. */
  readonly fromSystemAmount: Decimal | null;
  readonly toSystemAmount: Decimal | null;
}

/** A change of an invoice as its history contains it. `version` is the version of the invoice after the change. */
export interface RecordedChange extends Author {
  readonly scope: SupplierScope;
  readonly invoiceId: string;
  readonly version: number;
  readonly kind: ChangeKind;
  /** ISO 8601 UTC with milliseconds. It is later than the time of the previous change of the invoice. */
  readonly changedAt: string;
  /** The request that declared an amount; null if a command made the change. */
  readonly requestId: string | null;
  readonly commandId: string | null;
  readonly revision: DeclarationRevision | null;
  /** Null for a change of the kind `fields`, and if a supplier declared an amount. */
  readonly stateChange: StateChange | null;
  /** The state before a declaration by a supplier; null for every other change. */
  readonly previousState: StateCode | null;
  /** The notice after the change. */
  readonly notice: Notice;
}

const MAX_TEXT_LENGTH = 500;

/** Finds the error in the name of an author or in the text of a reason. Returns null if the text is valid. */
export function findChangeTextError(text: string): Text | null {
  if (text === '') return { en: 'must not be blank', es: 'no debe estar en blanco' };
  if (text.length <= MAX_TEXT_LENGTH) return null;
  const es = `debe tener como máximo ${MAX_TEXT_LENGTH} caracteres`;
  return { en: `must have at most ${MAX_TEXT_LENGTH} characters`, es };
}

/** Returns the invoice in the state that the company sets. The new decision ends the required manual review. */
export function withState(invoice: Invoice, state: StateCode, now: Date, noticeChange: NoticeChange = {}): Invoice {
  const notice = buildNextNotice(invoice, state, noticeChange);
  return buildNextVersion(invoice, { state, requiresManualReview: false, notice }, now);
}

/** Returns the invoice withdrawn, or restored if `isWithdrawn` is false. */
export function withWithdrawal(invoice: Invoice, isWithdrawn: boolean, now: Date): Invoice {
  return buildNextVersion(invoice, { isWithdrawn }, now);
}

/** True if an import needs --force to change the system amount: the invoice is declared, approved or settled. */
export function isSystemAmountFixed({ declaration, state }: Invoice): boolean {
  return declaration !== null || state === 'APR' || state === 'LIQ';
}

/** Returns the kind of a change. A new invoice without a declaration has a change only if it has a notice. */
export function getChangeKind(before: Invoice | null, after: Invoice, revision?: DeclarationRevision): ChangeKind {
  if (revision) return 'declaration';
  if (!before) return 'notice';
  if (before.isWithdrawn !== after.isWithdrawn) return after.isWithdrawn ? 'withdrawal' : 'restore';
  if (before.state !== after.state) return 'state';
  if (!before.systemAmount.eq(after.systemAmount)) return 'amount';
  return isSameNotice(before.notice, after.notice) ? 'fields' : 'notice';
}

/** Describes the state and the system amount before and after a change. Returns null for a change of the kind `fields`. */
export function describeStateChange(before: Invoice, after: Invoice): StateChange | null {
  if (getChangeKind(before, after) === 'fields') return null;
  const isAmountChanged = !before.systemAmount.eq(after.systemAmount);
  return {
    from: before.state,
    to: after.state,
    fromSystemAmount: isAmountChanged ? before.systemAmount : null,
    toSystemAmount: isAmountChanged ? after.systemAmount : null,
  };
}
