import type { Invoice } from '../../../lib/domain/invoice.ts';
import { isEqualDecimal } from '../../../lib/domain/money.ts';
import type { NoticeChange } from '../../../lib/domain/notice.ts';
import { systemClock } from '../../../lib/runtime/clock.ts';
import { toDecimal } from '../input/decimal-text.ts';
import { toNoticeChange } from '../input/notice-fields.ts';
import type { CurrentInvoice, RowPlan } from '../tables/change-invoices.ts';
import { formatDecimal, translate } from '../texts/language.ts';
import { opsTexts, rejectionTexts } from '../texts/ops-texts.ts';
import { applyDecision, findDecisionError, findRevisionError, isInEffect } from './decision.ts';
import type { DecidedRow } from './review-row.ts';

type Row = DecidedRow['row'];

export type DecisionOutcome = 'decided' | 'unchanged';

/**
 * Plans the change of a decision. The decision is rejected if its row differs from the current invoice, for example
 * because the supplier has declared again.
 */
export function planDecision(
  { row, reason }: Pick<DecidedRow, 'row' | 'reason'>,
  { invoice: before, zeroVariant }: CurrentInvoice,
  changedBy: string,
): RowPlan<DecisionOutcome> {
  if (!before) return reject(`invoice_id: ${describeMissingInvoice(zeroVariant)}`);
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

function describeMissingInvoice(zeroVariant: string | undefined): string {
  if (zeroVariant === undefined) return translate(rejectionTexts.noInvoice);
  return translate(rejectionTexts.noInvoiceButVariant(zeroVariant));
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

/** Finds the first error of a row that differs from the invoice, or whose decision the invoice does not allow. */
function findRowError(row: Row, invoice: Invoice, noticeChange: NoticeChange): string | null {
  // A row of an invoice without a declaration has no revision.
  const revisionError = findRevisionError(Number(row.revision ?? 0), invoice);
  const contentError = revisionError ?? findDeclarationError(row, invoice) ?? findAmountError(row, invoice);
  if (contentError !== null) return contentError;
  const decisionError = findDecisionError(invoice, row.decision, noticeChange);
  if (decisionError !== null) return `decision: ${decisionError}`;
  return findVersionError(row, invoice, noticeChange);
}

/** Finds the error of a row with the id of another declaration. An absent or empty id is not compared. */
function findDeclarationError(row: Row, { declaration }: Invoice): string | null {
  const currentId = declaration?.declarationId;
  if (!row.declaration_id || row.declaration_id === currentId) return null;
  return `declaration_id: ${translate(rejectionTexts.otherDeclaration(currentId ?? translate(opsTexts.none)))}`;
}

/** Finds the first amount of a row that differs from the invoice. An absent or empty amount is not compared. */
function findAmountError(row: Row, { declaration, systemAmount }: Invoice): string | null {
  const amounts = [
    { name: 'declared_amount', seen: row.declared_amount, current: declaration?.amount },
    { name: 'system_amount', seen: row.system_amount, current: systemAmount },
  ];
  for (const { name, seen, current } of amounts) {
    if (!seen) continue;
    const seenAmount = toDecimal(seen);
    if (current?.eq(seenAmount)) continue;
    return `${name}: ${formatDecimal(seenAmount)} → ${current ? formatDecimal(current) : translate(opsTexts.none)}`;
  }
  return null;
}

/**
 * Finds the error of a row whose state or version differs from the invoice. An old sheet would otherwise revert a later
 * decision of another person. To withdraw and to restore, a row needs a version.
 */
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
