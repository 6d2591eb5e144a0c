import { setTimeout as pause } from 'node:timers/promises';
import {
  declareAmount,
  type DeclarationContext,
  type DeclarationRequest,
  type DeclarationRevision,
} from '../domain/declaration.ts';
import { ServiceError } from '../domain/errors.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import type { StateCode } from '../domain/invoice-states.ts';

/** An invoice as it was read, as it becomes, and what its history gains. */
export interface DeclarationChange {
  readonly before: Invoice;
  readonly after: Invoice;
  readonly revisions: readonly DeclarationRevision[];
}

/** Writes all changes or, when others had changed some of the invoices since, nothing; `current` holds those as they are now. */
export type CommitDeclarations = (
  scope: SupplierScope,
  changes: readonly DeclarationChange[],
  shard: number,
) => Promise<{ committed: true } | { committed: false; current: readonly Invoice[] }>;

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

const RETRY_FOR_MS = 10_000;
const MAX_PAUSE_MS = 200;

/** Settles submissions of different invoices in one transaction or, when one of them loses a race, each in its own, so that none takes others with it. */
export async function settleTogether(
  commit: CommitDeclarations,
  scope: SupplierScope,
  submissions: readonly Submission[],
  context: DeclarationContext,
  shard: number,
): Promise<Settlement[]> {
  const plans = submissions.map((submission) => plan(submission, context));
  const changes = plans.flatMap(({ change }) => change ?? []);
  try {
    const outcome = changes.length > 0 ? await commit(scope, changes, shard) : { committed: true as const };
    if (outcome.committed) return plans;
    const current = new Map(outcome.current.map((invoice) => [invoice.invoiceId, invoice]));
    const retries = submissions.map(async ({ invoice, requests }, position) => {
      const submission = { invoice: current.get(invoice.invoiceId) ?? invoice, requests };
      return settleAlone(commit, scope, submission, context, shard + position);
    });
    return await Promise.all(retries);
  } catch (cause) {
    return submissions.map((submission) => failed(submission, cause));
  }
}

async function settleAlone(
  commit: CommitDeclarations,
  scope: SupplierScope,
  submission: Submission,
  context: DeclarationContext,
  firstShard: number,
): Promise<Settlement> {
  const deadline = performance.now() + RETRY_FOR_MS;
  let { invoice } = submission;
  try {
    for (let attempt = 1; performance.now() < deadline; attempt++) {
      await pause(Math.random() * Math.min(MAX_PAUSE_MS, 5 * 2 ** attempt));
      const { change, ...settlement } = plan({ ...submission, invoice }, context);
      const outcome = change && (await commit(scope, [change], firstShard + attempt));
      if (!outcome || outcome.committed) return settlement;
      invoice = outcome.current[0] ?? invoice;
    }
    return failed(submission, new Error('The invoice kept changing.'));
  } catch (cause) {
    return failed(submission, cause);
  }
}

function plan({ invoice: before, requests }: Submission, context: DeclarationContext) {
  let invoice = before;
  const revisions: DeclarationRevision[] = [];
  const results = requests.map((request): DeclarationResult => {
    const declared = declareAmount(invoice, request, context);
    if (declared instanceof ServiceError) return { declared: false, error: declared };
    invoice = declared.invoice;
    revisions.push(declared.revision);
    return { declared: true, revision: declared.revision, state: invoice.state };
  });
  const change: DeclarationChange | null = revisions.length > 0 ? { before, after: invoice, revisions } : null;
  return { invoice, results, change };
}

function failed({ invoice, requests }: Submission, cause: unknown): Settlement {
  const error = new ServiceError('INTERNAL_ERROR', 'The declaration could not be written.', { cause });
  return { invoice, results: requests.map(() => ({ declared: false, error })) };
}
