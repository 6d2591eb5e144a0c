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

export type DecisionOutcome = 'decided' | 'unchanged';

/**
 * Plans the change of an invoice by the decision in a row of a review sheet. Rejects the row if the reviewer has seen
 * another declaration or other amounts, if the invoice does not allow the decision, or if it has changed otherwise. The
 * state and the version are not compared if the decision is already in effect, so that a sheet can be applied twice.
 */
export function planDecision(
  { row, reason }: Pick<DecidedRow, 'row' | 'reason'>,
  { invoice }: CurrentInvoice,
  changedBy: string,
): RowPlan<DecisionOutcome> {
  if (!invoice) return reject(`invoice_id: ${translate(rejectionTexts.noInvoice)}`);
  const { decision } = row;
  const declarationError = findDeclarationError(row, invoice);
  if (declarationError !== null) return reject(declarationError);
  const noticeChange = readNoticeChange(row, invoice);
  const decisionError = findDecisionError(invoice, decision, noticeChange);
  if (decisionError !== null) return reject(`decision: ${decisionError}`);
  if (isInEffect(invoice, decision, noticeChange)) return { change: null, outcome: 'unchanged' };
  const versionError = findVersionError(row, invoice);
  if (versionError !== null) return reject(versionError);
  const after = applyDecision(invoice, decision, noticeChange, systemClock.now());
  return { change: { before: invoice, after, author: { changedBy, reason } }, outcome: 'decided' };
}

/** Returns the plan of a row that changes nothing. `error` begins with the column: `version: 3 → 4: …`. */
function reject(error: string): RowPlan<DecisionOutcome> {
  return { change: null, outcome: { error } };
}

/** Finds the first column of the declaration or of the amounts that differs from the invoice. */
function findDeclarationError(row: Row, invoice: Invoice): string | null {
  const { declaration, systemAmount } = invoice;
  // A row of an invoice without a declaration has no revision. Each new declaration of an invoice has the next one.
  const revisionError = findRevisionError(Number(row.revision ?? 0), invoice);
  return (
    revisionError ??
    findDeclarationIdError(row.declaration_id, declaration?.declarationId) ??
    findAmountError('declared_amount', row.declared_amount, declaration?.amount) ??
    findAmountError('system_amount', row.system_amount, systemAmount)
  );
}

/** Compares the id in a row, if it has one, with the current id. An invoice that was imported again has another id. */
function findDeclarationIdError(seenId: string | null | undefined, currentId: string | undefined): string | null {
  if (!seenId || seenId === currentId) return null;
  return `declaration_id: ${translate(rejectionTexts.otherDeclaration(currentId ?? translate(opsTexts.none)))}`;
}

/** Compares an amount in a row, if it has one, with the current amount of the invoice. */
function findAmountError(column: string, seen: string | null | undefined, current: Decimal | undefined): string | null {
  if (!seen) return null;
  const seenAmount = toDecimal(seen);
  if (current?.eq(seenAmount)) return null;
  return `${column}: ${formatDecimal(seenAmount)} → ${current ? formatDecimal(current) : translate(opsTexts.none)}`;
}

/** Returns what the reviewer has entered for the supplier. Undefined for a value that the sheet already contained. */
function readNoticeChange(row: Row, { notice }: Invoice): NoticeChange {
  const { message, approvedAmount, paidOn, paymentReference } = toNoticeChange(row);
  return {
    message: message === notice.message ? undefined : message,
    approvedAmount: isEqualDecimal(approvedAmount, notice.approvedAmount) ? undefined : approvedAmount,
    paidOn: paidOn === notice.paidOn ? undefined : paidOn,
    paymentReference: paymentReference === notice.paymentReference ? undefined : paymentReference,
  };
}

/**
 * Finds the error of a row that is older than the latest change of its invoice, for example because another person has
 * decided since. The version counts the changes of any kind. A sheet can omit it, except to withdraw or restore an
 * invoice: no other column shows that another person has withdrawn or restored the invoice since.
 */
function findVersionError({ decision, state_code, version }: Row, invoice: Invoice): string | null {
  if (state_code && state_code !== invoice.state) return `state_code: ${state_code} → ${invoice.state}`;
  if (!version) {
    const isVersionRequired = decision === 'WITHDRAW' || decision === 'RESTORE';
    return isVersionRequired ? `version: ${translate(rejectionTexts.requiredVersion)}` : null;
  }
  if (Number(version) === invoice.version) return null;
  return `version: ${translate(rejectionTexts.otherVersion(version, invoice.version))}`;
}
