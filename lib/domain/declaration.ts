import { type ServiceError, validationError } from './errors.ts';
import type { CurrentDeclaration, Invoice, ProviderInvoice } from './invoice.ts';
import { isDeclarable, isRejectedOrAdjusted, type StateCode, stateAfter } from './invoice-states.ts';
import { type Decimal, normaliseDecimal } from './money.ts';
import * as texts from './texts.ts';
import { evaluateTolerance, isSameOutcome, type Tolerance, type ToleranceOutcome } from './tolerance.ts';

/** The declaration of an amount for one invoice. Absent fields keep their values, and null clears a value. */
export interface DeclarationRequest {
  readonly invoiceId: string;
  readonly amount: number;
  readonly notes?: string | null | undefined;
  readonly invoiceNumber?: string | null | undefined;
  readonly invoiceDate?: string | null | undefined;
  readonly taxPct?: number | undefined;
}

export interface DeclarationRevision extends CurrentDeclaration {
  readonly invoiceId: string;
  readonly providerInvoice: ProviderInvoice;
  readonly systemAmount: Decimal;
  readonly outcome: ToleranceOutcome;
  readonly tolerance: Tolerance;
  /** True if the declaration went to review without regard to the tolerance, because the company had decided. */
  readonly requiresManualReview: boolean;
  readonly declaredBy: string;
  readonly declaredAt: string;
  readonly requestId: string;
}

/** The author, in the histories, of declarations and changes of state that came with an import. */
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
  /** The new entry of the history; null if the declaration changes nothing. */
  readonly revision: DeclarationRevision | null;
}

export type DeclarationResult =
  | ({ readonly kind: 'declared'; readonly state: StateCode } & Pick<DeclaredInvoice, 'declaration' | 'outcome'>)
  | { readonly kind: 'rejected'; readonly error: ServiceError };

/**
 * Evaluates an amount for an invoice: after a decision of the company, nothing is approved automatically. Throws
 * VALIDATION_ERROR (constraint `state`) for a settled invoice.
 */
export function evaluateDeclaration(invoice: Invoice, amount: Decimal, tolerance: Tolerance): ToleranceOutcome {
  if (!isDeclarable(invoice.state)) {
    throw validationError([{ property: 'invoice_id', constraints: { state: texts.invoiceSettled } }]);
  }
  const outcome = evaluateTolerance(amount, invoice.systemAmount, tolerance);
  return isReviewRequired(invoice) ? { ...outcome, action: 'REVIEW' } : outcome;
}

export function declareAmount(
  invoice: Invoice,
  request: DeclarationRequest,
  context: DeclarationContext,
): DeclaredInvoice {
  const current = invoice.declaration;
  const requiresManualReview = isReviewRequired(invoice);
  const declaration: CurrentDeclaration = {
    declarationId: current?.declarationId ?? context.newDeclarationId(),
    revision: (current?.revision ?? 0) + 1,
    amount: normaliseDecimal(request.amount),
    notes: changed(request.notes, current?.notes ?? null),
    taxPct: request.taxPct === undefined ? (current?.taxPct ?? null) : normaliseDecimal(request.taxPct),
  };
  const providerInvoice: ProviderInvoice = {
    number: changed(request.invoiceNumber, invoice.providerInvoice.number),
    date: changed(request.invoiceDate, invoice.providerInvoice.date),
  };
  const outcome = evaluateDeclaration(invoice, declaration.amount, context.tolerance);
  const declared: Invoice = {
    ...invoice,
    declaration,
    providerInvoice,
    declaredOutcome: outcome,
    state: stateAfter(outcome.action),
    requiresManualReview,
    version: invoice.version + 1,
  };
  if (current && isSame(invoice, declared)) return { invoice, declaration: current, outcome, revision: null };
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
      declaredBy: context.userId,
      declaredAt: context.now.toISOString(),
      requestId: context.requestId,
    },
  };
}

function changed(sent: string | null | undefined, current: string | null): string | null {
  return sent === undefined ? current : sent;
}

function isReviewRequired({ state, requiresManualReview }: Invoice): boolean {
  return requiresManualReview || isRejectedOrAdjusted(state);
}

/** True if a declaration changes nothing: neither the declared values, nor the state, nor the outcome. */
function isSame(before: Invoice, after: Invoice): boolean {
  const [was, is] = [before.declaration, after.declaration];
  return (
    before.state === after.state &&
    isEqual(was?.amount, is?.amount) &&
    was?.notes === is?.notes &&
    isEqual(was?.taxPct, is?.taxPct) &&
    before.providerInvoice.number === after.providerInvoice.number &&
    before.providerInvoice.date === after.providerInvoice.date &&
    isSameOutcome(before.declaredOutcome, after.declaredOutcome)
  );
}

function isEqual(one: Decimal | null | undefined, other: Decimal | null | undefined): boolean {
  return one && other ? one.eq(other) : one === other;
}
