import {
  declareAmount,
  type DeclarationContext,
  type DeclarationRequest,
  type DeclarationResult,
} from '../domain/declaration.ts';
import { createInvoiceNotFoundError, ServiceError } from '../domain/errors.ts';
import type { InvoiceChange } from '../domain/invoice-change.ts';
import type { Invoice } from '../domain/invoice.ts';
import * as texts from '../domain/texts.ts';
import { systemClock } from '../runtime/clock.ts';
import type { CurrentInvoices } from './transactions.ts';

/** The context of a request. The time of a declaration is the time at which it is planned. */
export type RequestContext = Omit<DeclarationContext, 'now'>;

/** A plan for one request. `after` and `result` are correct once `change` is written. */
export interface DeclarationPlan {
  readonly request: DeclarationRequest;
  readonly before: Invoice;
  /** Null if the request changes nothing. */
  readonly change: InvoiceChange | null;
  readonly after: Invoice;
  readonly result: DeclarationResult;
}

export type ChangingPlan = DeclarationPlan & { readonly change: InvoiceChange };

export function isChanging(plan: DeclarationPlan): plan is ChangingPlan {
  return plan.change !== null;
}

/** Evaluates a request without writing. An error of the request becomes the result. */
export function planDeclaration(
  before: Invoice,
  request: DeclarationRequest,
  context: RequestContext,
): DeclarationPlan {
  try {
    const declared = declareAmount(before, request, { ...context, now: systemClock.now() });
    const { invoice: after, declaration, outcome, revision } = declared;
    const result = { kind: 'declared', declaration, outcome, state: after.state } as const;
    return { request, before, change: revision && { before, after, revision }, after, result };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { request, before, change: null, after: before, result: { kind: 'rejected', error } };
  }
}

/** Plans the requests for changed invoices again. A request for an invoice that is gone is rejected. */
export function replanChanged(
  plans: readonly DeclarationPlan[],
  current: CurrentInvoices,
  context: RequestContext,
): DeclarationPlan[] {
  return plans.map((plan) => {
    const invoice = current.get(plan.before.invoiceId);
    if (invoice === undefined) return plan;
    if (invoice === null) return rejectPlan(plan, plan.before, createInvoiceNotFoundError());
    return planDeclaration(invoice, plan.request, context);
  });
}

const FAILURE_TEXTS = { 'not-written': texts.notWritten, 'unknown-outcome': texts.outcomeUnknown } as const;

/** Rejects the plans with a change, which was not written, or of which it is unknown whether it was written. */
export function rejectChanges(
  plans: readonly DeclarationPlan[],
  reason: keyof typeof FAILURE_TEXTS,
  cause: Error,
): DeclarationPlan[] {
  const error = new ServiceError('INTERNAL_ERROR', FAILURE_TEXTS[reason], { reason, cause });
  return plans.map((plan) => {
    if (!isChanging(plan)) return plan;
    // A write with an unknown outcome can still succeed later. Without a stored outcome, the next declaration of the
    // invoice is written even if it repeats the old values. The late write then fails with a conflict.
    const after = reason === 'not-written' ? plan.before : { ...plan.before, declaredOutcome: null };
    return rejectPlan(plan, after, error);
  });
}

function rejectPlan(plan: DeclarationPlan, after: Invoice, error: ServiceError): DeclarationPlan {
  return { ...plan, change: null, after, result: { kind: 'rejected', error } };
}
