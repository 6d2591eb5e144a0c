import type { DeclarationContext, DeclarationRequest, DeclarationResult } from '../domain/declaration.ts';
import { invoiceNotFound } from '../domain/errors.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import { writeTogether } from './declaration-writer.ts';
import { type DeclarationChange, planDeclarations, type Submission, type SubmissionPlan } from './plan-declarations.ts';
import { type Commit, intoBatches, type TransactionCost, type TransactionLimits } from './transactions.ts';

/** Invoices by their ids; those that do not exist are left out. */
export type InvoicesById = Map<string, Invoice>;

/** Where invoices are read and their declarations written; `costOf` and `limits`: how much one transaction takes. */
export interface DeclarationStore {
  getMany(scope: SupplierScope, invoiceIds: readonly string[]): Promise<InvoicesById>;
  readonly commit: Commit<DeclarationChange>;
  readonly costOf: (scope: SupplierScope, change: DeclarationChange) => TransactionCost;
  readonly limits: TransactionLimits;
}

// 18 invoices, each with a revision and three rows to write or leave, the counters of 5 months, and what the request
// declared: a batch of 100 is 6 transactions side by side.
const MAX_WRITES = 96;
// With the invoice itself and its rows, the counters of two months, and what the request declared.
const MAX_REQUESTS_PER_SUBMISSION = 50;

const NO_COST: TransactionCost = { writes: 0, bytes: 0, shared: [] };

/**
 * Declares amounts independently of each other. Those of one invoice are declared in the given order, so the last one
 * stands. Returns one result per request, in order. `read`: the invoices, if they have been read.
 */
export async function declareAmounts(
  store: DeclarationStore,
  scope: SupplierScope,
  requests: readonly DeclarationRequest[],
  context: DeclarationContext,
  read?: InvoicesById,
): Promise<DeclarationResult[]> {
  if (requests.length === 0) return [];
  const results = new Map<DeclarationRequest, DeclarationResult>();
  const invoices = read ?? (await store.getMany(scope, [...new Set(requests.map(({ invoiceId }) => invoiceId))]));
  const plan = plannedOnce(context);
  const writer = { commit: store.commit, scope, plan };
  const limits = { ...store.limits, writes: MAX_WRITES };
  // The shard of a day: the fewer shards a day is counted in, the less it takes to read its counters.
  const [{ sortDate } = { sortDate: '' }] = invoices.values();
  const firstShard = Number(sortDate.slice(8, 10));
  const costOf = (submission: Submission) => {
    const { change } = plan(submission);
    return change ? store.costOf(scope, change) : NO_COST;
  };

  const requestsOf = Map.groupBy(requests, ({ invoiceId }) => invoiceId);
  const longest = Math.max(...[...requestsOf.values()].map(({ length }) => length));
  for (let start = 0; start < longest; start += MAX_REQUESTS_PER_SUBMISSION) {
    const submissions = [...requestsOf].flatMap(([invoiceId, own]) => {
      const invoice = invoices.get(invoiceId);
      const next = own.slice(start, start + MAX_REQUESTS_PER_SUBMISSION);
      return invoice && next.length > 0 ? { invoice, requests: next } : [];
    });
    const transactions = intoBatches(submissions, costOf, limits).map(async (batch, position) => {
      for (const written of await writeTogether(writer, batch, firstShard + position)) {
        invoices.set(written.invoice.invoiceId, written.invoice);
        for (const [request, result] of written.results) results.set(request, result);
      }
    });
    await Promise.all(transactions);
  }
  return requests.map((request) => results.get(request) ?? { kind: 'rejected', error: invoiceNotFound() });
}

/** Plans each submission once: to see what it takes of a transaction, and to write it. */
function plannedOnce(context: DeclarationContext): (submission: Submission) => SubmissionPlan {
  const plans = new WeakMap<Submission, SubmissionPlan>();
  return (submission) => {
    const plan = plans.get(submission) ?? planDeclarations(submission, context);
    plans.set(submission, plan);
    return plan;
  };
}
