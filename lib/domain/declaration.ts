import { type ServiceError, createValidationError } from './errors.ts';
import type { CurrentDeclaration, Invoice, ProviderInvoice } from './invoice.ts';
import { isDeclarable, isRejectedOrAdjusted, type StateCode, getStateAfter } from './invoice-states.ts';
import { type Decimal, isEqualDecimal, normaliseDecimal } from './money.ts';
import { buildNextVersion, getChangeTime } from './next-version.ts';
import { NO_NOTICE } from './notice.ts';
import * as texts from './texts.ts';
import { evaluateTolerance, isSameOutcome, type Tolerance, type ToleranceOutcome } from './tolerance.ts';

/** Matches a character that people can see: no control character, blank or ignorable character (such as U+200B). */
export const VISIBLE_CHARACTER = /[^\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A request to declare an amount for an invoice. An absent field keeps its current value. Null clears the value. */
export interface DeclarationRequest {
  readonly invoiceId: string;
  readonly amount: number;
  readonly notes?: string | null | undefined;
  readonly invoiceNumber?: string | null | undefined;
  readonly invoiceDate?: string | null | undefined;
  readonly taxPct?: number | undefined;
}

/** An entry of the declaration history of an invoice. Entries never change. */
export interface DeclarationRevision extends CurrentDeclaration {
  readonly invoiceId: string;
  readonly providerInvoice: ProviderInvoice;
  readonly systemAmount: Decimal;
  readonly outcome: ToleranceOutcome;
  readonly tolerance: Tolerance;
  /** True if a decision of the company requires a review, even of an amount within the tolerance. */
  readonly requiresManualReview: boolean;
  readonly requestId: string;
}

/** The author (`declaredBy` or `changedBy`) of the entries that an import adds to the histories. */
export const IMPORTER = 'import';

export interface DeclarationContext {
  readonly tolerance: Tolerance;
  readonly userId: string;
  readonly requestId: string;
  readonly now: Date;
  readonly newDeclarationId: () => string;
}

export interface DeclaredInvoice {
  readonly invoice: Invoice;
  readonly declaration: CurrentDeclaration;
  readonly outcome: ToleranceOutcome;
  /** The new entry of the declaration history; null if the declaration changes nothing. */
  readonly revision: DeclarationRevision | null;
}

export type DeclarationResult =
  | ({ readonly kind: 'declared'; readonly state: StateCode } & Pick<DeclaredInvoice, 'declaration' | 'outcome'>)
  | { readonly kind: 'rejected'; readonly error: ServiceError };

/** The part of an invoice that determines the outcome of a declaration. */
type EvaluatedInvoice = Pick<Invoice, 'state' | 'systemAmount' | 'requiresManualReview'> & {
  readonly notice: Pick<Invoice['notice'], 'approvedAmount'>;
};

/**
 * Compares an amount with the tolerance. If the invoice requires a review, the action is never AUTO_APPROVE. Throws
 * VALIDATION_ERROR with the constraint `state` if the invoice is settled (LIQ).
 */
export function evaluateDeclaration(
  invoice: EvaluatedInvoice,
  amount: Decimal,
  tolerance: Tolerance,
): ToleranceOutcome {
  if (!isDeclarable(invoice.state)) {
    throw createValidationError([{ property: 'invoice_id', constraints: { state: texts.invoiceSettled } }]);
  }
  const outcome = evaluateTolerance(amount, invoice.systemAmount, tolerance);
  return isReviewRequired(invoice) ? { ...outcome, action: 'REVIEW' } : outcome;
}

/** Declares an amount. Returns the changed invoice and a new revision, or the same invoice if nothing changes. */
export function declareAmount(
  invoice: Invoice,
  request: DeclarationRequest,
  context: DeclarationContext,
): DeclaredInvoice {
  const current = invoice.declaration;
  const requiresManualReview = isReviewRequired(invoice);
  const providerInvoice: ProviderInvoice = {
    number: applyTextChange(request.invoiceNumber, invoice.providerInvoice.number),
    date: applyTextChange(request.invoiceDate, invoice.providerInvoice.date),
  };
  const declaredAt = getChangeTime(invoice, context.now);
  const declaration = buildNextDeclaration(current, request, context, declaredAt);
  const outcome = evaluateDeclaration(invoice, declaration.amount, context.tolerance);
  const declared = buildNextVersion(
    invoice,
    {
      declaration,
      providerInvoice,
      declaredOutcome: outcome,
      state: getStateAfter(outcome.action),
      requiresManualReview,
      notice: NO_NOTICE,
    },
    context.now,
  );
  if (current && isSameDeclaration(current, declaration) && hasSameResult(invoice, declared)) {
    return { invoice, declaration: current, outcome, revision: null };
  }
  return {
    invoice: declared,
    declaration,
    outcome,
    revision: {
      ...declaration,
      invoiceId: invoice.invoiceId,
      providerInvoice,
      systemAmount: invoice.systemAmount,
      outcome,
      tolerance: context.tolerance,
      requiresManualReview,
      requestId: context.requestId,
    },
  };
}

/** Builds the declaration that follows the current one, with the same id and the next revision number. */
function buildNextDeclaration(
  current: CurrentDeclaration | null,
  { amount, notes, taxPct }: DeclarationRequest,
  { newDeclarationId, userId }: DeclarationContext,
  declaredAt: string,
): CurrentDeclaration {
  return {
    declarationId: current?.declarationId ?? newDeclarationId(),
    revision: (current?.revision ?? 0) + 1,
    amount: normaliseDecimal(amount),
    notes: applyTextChange(notes, current?.notes ?? null),
    taxPct: taxPct === undefined ? (current?.taxPct ?? null) : normaliseDecimal(taxPct),
    declaredBy: userId,
    declaredAt,
  };
}

/** Returns the new value of a text. Undefined keeps the current text, and null clears the text. */
function applyTextChange(newText: string | null | undefined, currentText: string | null): string | null {
  return newText === undefined ? currentText : newText;
}

/**
 * True if the company has rejected or adjusted the invoice, and has not changed its state since, or if the company has
 * approved an amount.
 */
function isReviewRequired({ state, requiresManualReview, notice }: EvaluatedInvoice): boolean {
  return requiresManualReview || isRejectedOrAdjusted(state) || notice.approvedAmount !== null;
}

/** True if two declarations have the same declared values. */
function isSameDeclaration(one: CurrentDeclaration, other: CurrentDeclaration): boolean {
  return one.amount.eq(other.amount) && one.notes === other.notes && isEqualDecimal(one.taxPct, other.taxPct);
}

/** True if the state, the supplier's own invoice and the outcome are the same before and after a declaration. */
function hasSameResult(before: Invoice, after: Invoice): boolean {
  return (
    before.state === after.state &&
    before.providerInvoice.number === after.providerInvoice.number &&
    before.providerInvoice.date === after.providerInvoice.date &&
    isSameOutcome(before.declaredOutcome, after.declaredOutcome)
  );
}
