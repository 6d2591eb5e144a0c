import type { DeclarationContext, DeclarationRequest, DeclarationResult } from '../domain/declaration.ts';
import { invoiceNotFound, WriteRejectedError } from '../domain/errors.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import { attempts } from '../runtime/attempts.ts';
import {
  declareOnInvoice,
  type DeclarationWriter,
  firstShard,
  rejectAsNotWritten,
  rejectAsUnknown,
  splitInHalves,
} from './declare-on-invoice.ts';
import {
  type DeclarationChange,
  planDeclarations,
  type Submission,
  type SubmissionResult,
} from './plan-declarations.ts';
import { type Commit, packTransactions, type TransactionCost, type TransactionLimits } from './transactions.ts';

/** Invoices by their ids; those that do not exist are left out. */
export type InvoicesById = Map<string, Invoice>;

/** Reads invoices and writes their declarations; `costOf` and `limits`: how much one transaction takes. */
export interface DeclarationStore {
  getMany(scope: SupplierScope, invoiceIds: readonly string[]): Promise<InvoicesById>;
  readonly commit: Commit<DeclarationChange>;
  readonly costOf: (scope: SupplierScope, change: DeclarationChange) => TransactionCost;
  readonly limits: TransactionLimits;
}

/** The declarations of one invoice with the change that they make; `result`: theirs, once the change is written. */
interface PlannedSubmission {
  readonly submission: Submission;
  readonly change: DeclarationChange;
  readonly result: SubmissionResult;
}

// 18 invoices, each with a revision and three rows to write or leave, the counters of 5 months, and what the request
// declared: a batch of 100 is 6 transactions side by side.
const MAX_WRITES = 96;
// With the invoice itself and its rows, the counters of two months, and what the request declared.
const MAX_REQUESTS_PER_SUBMISSION = 50;

/**
 * Declares amounts independently of each other, as `declareOnInvoice` does for one invoice. The amounts of one invoice
 * are declared in the given order, so the last one applies. Returns one result per request, in order.
 */
export async function declareAmounts(
  store: DeclarationStore,
  scope: SupplierScope,
  requests: readonly DeclarationRequest[],
  context: DeclarationContext,
): Promise<DeclarationResult[]> {
  if (requests.length === 0) return [];
  const results = new Map<DeclarationRequest, DeclarationResult>();
  const invoices = await store.getMany(scope, [...new Set(requests.map(({ invoiceId }) => invoiceId))]);
  const requestsById = Map.groupBy(requests, ({ invoiceId }) => invoiceId);
  const longest = Math.max(...[...requestsById.values()].map(({ length }) => length));
  for (let start = 0; start < longest; start += MAX_REQUESTS_PER_SUBMISSION) {
    const submissions = [...requestsById].flatMap(([invoiceId, own]) => {
      const invoice = invoices.get(invoiceId);
      const next = own.slice(start, start + MAX_REQUESTS_PER_SUBMISSION);
      return invoice && next.length > 0 ? { invoice, requests: next } : [];
    });
    for (const { invoice, results: written } of await declareOnInvoices(store, scope, submissions, context)) {
      invoices.set(invoice.invoiceId, invoice);
      for (const [request, result] of written) results.set(request, result);
    }
  }
  return requests.map((request) => results.get(request) ?? { kind: 'rejected', error: invoiceNotFound() });
}

/** Declares on different invoices, in as few transactions as possible, in parallel. The results are in any order. */
async function declareOnInvoices(
  store: DeclarationStore,
  scope: SupplierScope,
  submissions: readonly Submission[],
  context: DeclarationContext,
): Promise<SubmissionResult[]> {
  const unchanged: SubmissionResult[] = [];
  const planned: PlannedSubmission[] = [];
  for (const submission of submissions) {
    const { change, result } = planDeclarations(submission, context);
    if (change) planned.push({ submission, change, result });
    else unchanged.push(result);
  }
  const limits = { ...store.limits, writes: MAX_WRITES };
  const groups = packTransactions(planned, ({ change }) => store.costOf(scope, change), limits);
  const shard = planned[0] ? firstShard(planned[0].submission.invoice) : 0;
  return [...unchanged, ...(await declareGroups({ commit: store.commit, scope, context }, groups, shard))];
}

async function declareGroups(
  writer: DeclarationWriter,
  groups: readonly (readonly PlannedSubmission[])[],
  shard: number,
): Promise<SubmissionResult[]> {
  const written = groups.map((group, position) => declareGroup(writer, group, shard + position));
  return (await Promise.all(written)).flat();
}

/**
 * Writes a group in one transaction. After a conflict, each changed invoice is declared alone, and the rest together.
 * If the store rejects the group, or is contended twice, the halves of the group are written separately.
 */
async function declareGroup(
  writer: DeclarationWriter,
  group: readonly PlannedSubmission[],
  shard: number,
): Promise<SubmissionResult[]> {
  const [only, ...others] = group;
  if (only && others.length === 0) return [await declareOnInvoice(writer, only.submission, shard)];
  const changes = group.map(({ change }) => change);
  for await (const round of attempts()) {
    try {
      const outcome = await writer.commit(writer.scope, changes, shard + round);
      if (outcome.kind === 'committed') return group.map(({ result }) => result);
      if (outcome.current.length > 0) return await declareAfterConflict(writer, group, outcome.current, shard);
      if (round === 1) continue;
    } catch (cause) {
      if (!(cause instanceof WriteRejectedError))
        return group.map(({ submission }) => rejectAsUnknown(submission, cause));
    }
    return declareGroups(writer, splitInHalves(group), shard);
  }
  return group.map(({ submission }) => rejectAsNotWritten(submission, new Error('The tables are busy.')));
}

async function declareAfterConflict(
  writer: DeclarationWriter,
  group: readonly PlannedSubmission[],
  current: readonly Invoice[],
  shard: number,
): Promise<SubmissionResult[]> {
  const currentById = new Map(current.map((invoice) => [invoice.invoiceId, invoice]));
  const others = group.filter(({ submission }) => !currentById.has(submission.invoice.invoiceId));
  const changed = group.flatMap(({ submission: { invoice, requests } }) => {
    const changedInvoice = currentById.get(invoice.invoiceId);
    return changedInvoice ? { invoice: changedInvoice, requests } : [];
  });
  const results = await Promise.all([
    ...changed.map(async (submission, position) => [await declareOnInvoice(writer, submission, shard + position)]),
    ...(others.length > 0 ? [declareGroup(writer, others, shard + changed.length)] : []),
  ]);
  return results.flat();
}
