import type { DeclarationContext, DeclarationRequest, DeclarationResult } from '../domain/declaration.ts';
import { invoiceNotFound, WriteRejectedError } from '../domain/errors.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import { attempts } from '../runtime/attempts.ts';
import {
  type DeclarationChange,
  type DeclarationWriter,
  declareOnInvoice,
  firstShard,
  planDeclaration,
  type PlannedDeclaration,
  rejectAsNotWritten,
  rejectWrite,
  type Submission,
  type SubmissionResult,
} from './declare-on-invoice.ts';
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

type PlannedChange = PlannedDeclaration & { readonly change: DeclarationChange };

// 18 invoices, each with a revision and three rows to write or delete, the counters of 5 months, and the item of the
// request: a batch of 100 is 6 transactions in parallel.
const MAX_WRITES = 96;

/**
 * Declares amounts independently of each other, as `declareOnInvoice` does for one invoice. The amounts of one invoice
 * are declared one after the other, so the last one applies. Returns one result per request, in order.
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
  const requestsByInvoice = [...Map.groupBy(requests, ({ invoiceId }) => invoiceId).values()];
  const rounds = Math.max(...requestsByInvoice.map(({ length }) => length));
  for (let round = 0; round < rounds; round++) {
    const submissions = requestsByInvoice.flatMap((own): Submission[] => {
      const request = own[round];
      const invoice = request && invoices.get(request.invoiceId);
      return invoice ? [{ invoice, request }] : [];
    });
    for (const { invoice, request, result } of await declareOnInvoices(store, scope, submissions, context)) {
      invoices.set(invoice.invoiceId, invoice);
      results.set(request, result);
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
  const plans = submissions.map((submission) => planDeclaration(submission, context));
  const changes = plans.filter((plan): plan is PlannedChange => plan.change !== null);
  const unchanged = plans.flatMap(({ change, planned }) => (change ? [] : [planned]));
  const limits = { ...store.limits, writes: MAX_WRITES };
  const groups = packTransactions(changes, ({ change }) => store.costOf(scope, change), limits);
  const shard = changes[0] ? firstShard(changes[0].change.before) : 0;
  return [...unchanged, ...(await declareGroups({ commit: store.commit, scope, context }, groups, shard))];
}

async function declareGroups(
  writer: DeclarationWriter,
  groups: readonly (readonly PlannedChange[])[],
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
  group: readonly PlannedChange[],
  shard: number,
): Promise<SubmissionResult[]> {
  const [only, ...others] = group;
  if (only && others.length === 0) return [await declareOnInvoice(writer, only.submission, shard)];
  const changes = group.map(({ change }) => change);
  for await (const round of attempts()) {
    try {
      const outcome = await writer.commit(writer.scope, changes, shard + round);
      if (outcome.kind === 'committed') return group.map(({ planned }) => planned);
      if (outcome.current.length > 0) return await declareAfterConflict(writer, group, outcome.current, shard);
      if (round === 1) continue;
    } catch (cause) {
      if (!(cause instanceof WriteRejectedError)) return group.map(({ submission }) => rejectWrite(submission, cause));
    }
    const middle = Math.ceil(group.length / 2);
    return declareGroups(writer, [group.slice(0, middle), group.slice(middle)], shard);
  }
  return group.map(({ submission }) => rejectAsNotWritten(submission, new Error('The tables are busy.')));
}

async function declareAfterConflict(
  writer: DeclarationWriter,
  group: readonly PlannedChange[],
  current: readonly Invoice[],
  shard: number,
): Promise<SubmissionResult[]> {
  const currentById = new Map(current.map((invoice) => [invoice.invoiceId, invoice]));
  const others = group.filter(({ change }) => !currentById.has(change.before.invoiceId));
  const changed = group.flatMap(({ submission: { request } }) => {
    const invoice = currentById.get(request.invoiceId);
    return invoice ? { invoice, request } : [];
  });
  const results = await Promise.all([
    ...changed.map(async (submission, position) => [await declareOnInvoice(writer, submission, shard + position)]),
    ...(others.length > 0 ? [declareGroup(writer, others, shard + changed.length)] : []),
  ]);
  return results.flat();
}
