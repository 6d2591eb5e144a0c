import type { Invoice } from '../../../lib/domain/invoice.ts';
import { type Decimal, isEqualDecimal } from '../../../lib/domain/money.ts';
import type { NoticeChange } from '../../../lib/domain/notice.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { toDecimal } from '../input/decimal-text.ts';
import { toNoticeChange } from '../input/notice-fields.ts';
import type { CurrentInvoice, RowPlan } from '../tables/change-invoices.ts';
import { formatDecimal, translate } from '../texts/language.ts';
import { opsTexts, rejectionTexts } from '../texts/ops-texts.ts';
import { applyDecision, findDecisionError, findRevisionError, isInEffect } from './decision.ts';
import type { DecidedRow } from './review-sheet.ts';

type Row = DecidedRow['row'];
type AmountColumn = 'declared_amount' | 'system_amount';

export type DecisionOutcome = 'decided' | 'unchanged';

/** Plans a decision. Rejects it if its row differs from the current invoice, such as after another declaration. */
export function planDecision(
  { row, reason }: Pick<DecidedRow, 'row' | 'reason'>,
  { invoice: before }: CurrentInvoice,
  changedBy: string,
): RowPlan<DecisionOutcome> {
  if (!before) return reject(`invoice_id: ${translate(rejectionTexts.noInvoice)}`);
  const noticeChange = readNoticeChange(row, before);
  const error = findRowError(row, before, noticeChange);
  if (error !== null) return reject(error);
  if (isInEffect(before, row.decision, noticeChange)) return { change: null, outcome: 'unchanged' };
  const after = applyDecision(before, row.decision, noticeChange, systemClock.now());
  return { change: { before, after, author: { changedBy, reason } }, outcome: 'decided' };
}

function reject(error: string): RowPlan<DecisionOutcome> {
  return { change: null, outcome: { error } };
}

/** Reads what the reviewer entered for the supplier. A value that the sheet already contained counts as not entered. */
function readNoticeChange(row: Row, { notice }: Invoice): NoticeChange {
  const { message, approvedAmount, paidOn, paymentReference } = toNoticeChange(row);
  return {
    message: message === notice.message ? undefined : message,
    approvedAmount: isEqualDecimal(approvedAmount, notice.approvedAmount) ? undefined : approvedAmount,
    paidOn: paidOn === notice.paidOn ? undefined : paidOn,
    paymentReference: paymentReference === notice.paymentReference ? undefined : paymentReference,
  };
}

function findRowError(row: Row, invoice: Invoice, noticeChange: NoticeChange): string | null {
  const contentError =
    // A row of an invoice without a declaration has no revision.
    findRevisionError(Number(row.revision ?? 0), invoice) ??
    findDeclarationError(row, invoice) ??
    findAmountError(row, 'declared_amount', invoice.declaration?.amount) ??
    findAmountError(row, 'system_amount', invoice.systemAmount);
  if (contentError !== null) return contentError;
  const decisionError = findDecisionError(invoice, row.decision, noticeChange);
  if (decisionError !== null) return `decision: ${decisionError}`;
  return findVersionError(row, invoice, noticeChange);
}

/** An absent or empty id is not compared. */
function findDeclarationError(row: Row, { declaration }: Invoice): string | null {
  const currentId = declaration?.declarationId;
  if (!row.declaration_id || row.declaration_id === currentId) return null;
  return `declaration_id: ${translate(rejectionTexts.otherDeclaration(currentId ?? translate(opsTexts.none)))}`;
}

/** Finds the error of an amount that differs from the invoice. An absent or empty amount is not compared. */
function findAmountError(row: Row, name: AmountColumn, current: Decimal | undefined): string | null {
  const seen = row[name];
  if (!seen) return null;
  const seenAmount = toDecimal(seen);
  if (current?.eq(seenAmount)) return null;
  return `${name}: ${formatDecimal(seenAmount)} → ${current ? formatDecimal(current) : translate(opsTexts.none)}`;
}

/** Without these rules, an old sheet would revert a later decision of another person. */
function findVersionError(row: Row, invoice: Invoice, noticeChange: NoticeChange): string | null {
  if (isInEffect(invoice, row.decision, noticeChange)) return null;
  if (row.state_code && row.state_code !== invoice.state) return `state_code: ${row.state_code} → ${invoice.state}`;
  if (!row.version) {
    const isVersionRequired = row.decision === 'WITHDRAW' || row.decision === 'RESTORE';
    return isVersionRequired ? `version: ${translate(rejectionTexts.requiredVersion)}` : null;
  }
  if (Number(row.version) === invoice.version) return null;
  return `version: ${translate(rejectionTexts.otherVersion(row.version, invoice.version))}`;
}
