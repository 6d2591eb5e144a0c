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

/** What declarations make of an invoice. */
export interface DeclarationChange extends InvoiceChange {
  readonly before: Invoice;
}

/** The declarations of one invoice that are written together, in their order. */
export interface Submission {
  readonly invoice: Invoice;
  readonly requests: readonly DeclarationRequest[];
}

/** What became of a submission: the result of each request, in their order, and the invoice after it. */
export interface SubmissionResult {
  readonly invoice: Invoice;
  readonly results: readonly (readonly [DeclarationRequest, DeclarationResult])[];
}

/** A submission's results, if they are written, and the change to write; null when there is none. */
export interface SubmissionPlan extends SubmissionResult {
  readonly change: DeclarationChange | null;
}

/** Works out what the declarations of a submission come to, one after the other. */
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
  return { invoice, results, change };
}
