import {
  declareAmount,
  type DeclarationContext,
  type DeclarationRequest,
  type DeclarationRevision,
} from '../domain/declaration.ts';
import { ServiceError } from '../domain/errors.ts';
import type { Invoice } from '../domain/invoice.ts';
import type { StateCode } from '../domain/invoice-states.ts';

/** An invoice as it was read, as it becomes, and what its history gains. */
export interface DeclarationChange {
  readonly before: Invoice;
  readonly after: Invoice;
  readonly revisions: readonly DeclarationRevision[];
}

/** What became of one declaration. */
export type DeclarationResult =
  | { readonly declared: true; readonly revision: DeclarationRevision; readonly state: StateCode }
  | { readonly declared: false; readonly error: ServiceError };

/** The declarations of one invoice that are written together, in their order. */
export interface Submission {
  readonly invoice: Invoice;
  readonly requests: readonly DeclarationRequest[];
}

/** A submission once it is settled: one result per request, and the invoice as it was left. */
export interface Settlement {
  readonly invoice: Invoice;
  readonly results: readonly DeclarationResult[];
}

/** A submission's results, if they are written, and the change to write; null when there is none. */
export interface DeclarationPlan extends Settlement {
  readonly change: DeclarationChange | null;
}

/** Works out what the declarations of a submission come to, one after the other. */
export function planDeclarations(
  { invoice: before, requests }: Submission,
  context: DeclarationContext,
): DeclarationPlan {
  let invoice = before;
  const revisions: DeclarationRevision[] = [];
  const results = requests.map((request): DeclarationResult => {
    const declared = declareAmount(invoice, request, context);
    if (declared instanceof ServiceError) return { declared: false, error: declared };
    invoice = declared.invoice;
    revisions.push(declared.revision);
    return { declared: true, revision: declared.revision, state: invoice.state };
  });
  const change = revisions.length > 0 ? { before, after: invoice, revisions } : null;
  return { invoice, results, change };
}
