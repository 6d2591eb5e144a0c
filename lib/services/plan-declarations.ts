import {
  declareAmount,
  type DeclarationContext,
  type DeclarationRequest,
  type DeclarationRevision,
} from '../domain/declaration.ts';
import { ServiceError } from '../domain/errors.ts';
import type { CurrentDeclaration, Invoice } from '../domain/invoice.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import type { ToleranceOutcome } from '../domain/tolerance.ts';

/** An invoice as it was read, as it becomes, and what its history gains. */
export interface DeclarationChange {
  readonly before: Invoice;
  readonly after: Invoice;
  readonly revisions: readonly DeclarationRevision[];
}

/** What became of one declaration; of one that changed nothing, what stands is what it declares. */
export type DeclarationResult =
  | {
      readonly declared: true;
      readonly declaration: CurrentDeclaration;
      readonly outcome: ToleranceOutcome;
      readonly state: StateCode;
    }
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
    const { declaration, outcome, revision } = declared;
    invoice = declared.invoice;
    if (revision) revisions.push(revision);
    return { declared: true, declaration, outcome, state: invoice.state };
  });
  const change = revisions.length > 0 ? { before, after: invoice, revisions } : null;
  return { invoice, results, change };
}
