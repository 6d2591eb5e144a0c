import {
  declareAmount,
  type DeclarationContext,
  type DeclarationRequest,
  type DeclarationResult,
  type DeclarationRevision,
} from '../domain/declaration.ts';
import { ServiceError } from '../domain/errors.ts';
import type { Invoice } from '../domain/invoice.ts';
import type { InvoiceChange } from './transactions.ts';

export interface DeclarationChange extends InvoiceChange {
  readonly before: Invoice;
}

/** The declarations of one invoice that are written together, in their order. */
export interface Submission {
  readonly invoice: Invoice;
  readonly requests: readonly DeclarationRequest[];
}

/** The result of each request of a submission, in their order, and the invoice after them. */
export interface SubmissionResult {
  readonly invoice: Invoice;
  readonly results: readonly (readonly [DeclarationRequest, DeclarationResult])[];
}

/** The change that a submission makes, null when it makes none, and its result, if the change is written. */
export interface SubmissionPlan {
  readonly change: DeclarationChange | null;
  readonly result: SubmissionResult;
}

/** Decides what the declarations of a submission change, one after the other. Writes nothing. */
export function planDeclarations(
  { invoice: before, requests }: Submission,
  context: DeclarationContext,
): SubmissionPlan {
  let invoice = before;
  const revisions: DeclarationRevision[] = [];
  const results = requests.map((request): [DeclarationRequest, DeclarationResult] => {
    try {
      const { revision, declaration, outcome, ...declared } = declareAmount(invoice, request, context);
      invoice = declared.invoice;
      if (revision) revisions.push(revision);
      return [request, { kind: 'declared', declaration, outcome, state: invoice.state }];
    } catch (error) {
      if (error instanceof ServiceError) return [request, { kind: 'rejected', error }];
      throw error;
    }
  });
  const change = revisions.length > 0 ? { before, after: invoice, revisions } : null;
  return { change, result: { invoice, results } };
}
