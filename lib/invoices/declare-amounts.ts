import {
  declareAmount,
  type DeclarationContext,
  type DeclarationRequest,
  type DeclarationResult,
} from '../domain/declaration.ts';
import { createInvoiceNotFoundError, ServiceError, WriteRejectedError } from '../domain/errors.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import * as texts from '../domain/texts.ts';
import { attempts } from '../runtime/attempts.ts';
import {
  type Commit,
  type InvoiceChange,
  packTransactions,
  type TransactionCost,
  type TransactionLimits,
} from './transactions.ts';

export interface DeclarationChange extends InvoiceChange {
  readonly before: Invoice;
}

export interface DeclarationStore {
  /** Reads invoices by their ids. Omits invoices that do not exist. */
  getMany(scope: SupplierScope, invoiceIds: readonly string[]): Promise<Map<string, Invoice>>;
  readonly commit: Commit<DeclarationChange>;
  /** Computes the part of the `limits` that a change uses. */
  readonly computeCost: (scope: SupplierScope, change: DeclarationChange) => TransactionCost;
  readonly limits: TransactionLimits;
}

interface DeclarationWriter {
  readonly commit: DeclarationStore['commit'];
  readonly scope: SupplierScope;
  readonly context: DeclarationContext;
}

/** A plan for one request. `after` and `result` are correct once `change` is written. */
interface DeclarationPlan {
  readonly request: DeclarationRequest;
  readonly before: Invoice;
  /** Null if the request changes nothing. */
  readonly change: DeclarationChange | null;
  readonly after: Invoice;
  readonly result: DeclarationResult;
}

type ChangingPlan = DeclarationPlan & { readonly change: DeclarationChange };

// The maximum number of writes in a transaction: 18 invoices with 5 writes each, the counters of 5 months, and the log
// entry of the request. A batch of 100 invoices is 6 such transactions in parallel.
const MAX_WRITES = 96;

/** Declares an amount on an invoice. If the invoice has changed since it was read, evaluates the request again. */
export async function declareOnInvoice(
  { commit }: Pick<DeclarationStore, 'commit'>,
  scope: SupplierScope,
  invoice: Invoice,
  request: DeclarationRequest,
  context: DeclarationContext,
): Promise<DeclarationResult> {
  const plan = planDeclaration(invoice, request, context);
  const [writtenPlan = plan] = await commitGroup({ commit, scope, context }, [plan], chooseFirstShard([plan]));
  return writtenPlan.result;
}

/** Declares amounts in parallel, but those of one invoice in order. Returns a result for each request, in order. */
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
  // Round 0 processes the first request of each invoice, round 1 the second request, and so on.
  const roundCount = Math.max(...requestsByInvoice.map(({ length }) => length));
  for (let round = 0; round < roundCount; round++) {
    const plans: DeclarationPlan[] = [];
    for (const invoiceRequests of requestsByInvoice) {
      const request = invoiceRequests[round];
      const invoice = request && invoices.get(request.invoiceId);
      if (invoice) plans.push(planDeclaration(invoice, request, context));
    }
    for (const { request, after, result } of await writePlans(store, scope, plans, context)) {
      invoices.set(after.invoiceId, after);
      results.set(request, result);
    }
  }
  return requests.map((request) => results.get(request) ?? { kind: 'rejected', error: createInvoiceNotFoundError() });
}

/** Evaluates a request without writing. An error of the request becomes the result. */
function planDeclaration(before: Invoice, request: DeclarationRequest, context: DeclarationContext): DeclarationPlan {
  try {
    const { invoice: after, declaration, outcome, revision } = declareAmount(before, request, context);
    const result = { kind: 'declared', declaration, outcome, state: after.state } as const;
    return { request, before, change: revision && { before, after, revisions: [revision] }, after, result };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { request, before, change: null, after: before, result: { kind: 'rejected', error } };
  }
}

/** Writes plans for different invoices in few parallel transactions. Returns the final plans in any order. */
async function writePlans(
  { commit, computeCost, limits }: DeclarationStore,
  scope: SupplierScope,
  plans: readonly DeclarationPlan[],
  context: DeclarationContext,
): Promise<DeclarationPlan[]> {
  const computePlanCost = ({ change }: ChangingPlan) => computeCost(scope, change);
  const groups = packTransactions(plans.filter(isChanging), computePlanCost, { ...limits, writes: MAX_WRITES });
  const writtenPlans = await commitGroups({ commit, scope, context }, groups, chooseFirstShard(plans));
  return [...plans.filter((plan) => !isChanging(plan)), ...writtenPlans];
}

function isChanging(plan: DeclarationPlan): plan is ChangingPlan {
  return plan.change !== null;
}

async function commitGroups(
  writer: DeclarationWriter,
  groups: readonly (readonly DeclarationPlan[])[],
  firstShard: number,
): Promise<DeclarationPlan[]> {
  const commits = groups.map((group, index) => commitGroup(writer, group, firstShard + index));
  return (await Promise.all(commits)).flat();
}

/**
 * Writes the changes of a group in one transaction, and returns the final plans. After a conflict, plans the changed
 * invoices again. After a second conflict or a rejection by the store, writes the halves of the group separately.
 */
async function commitGroup(writer: DeclarationWriter, group: readonly DeclarationPlan[], shard: number) {
  const { commit, scope, context } = writer;
  let plans = group;
  for await (const attempt of attempts()) {
    const changes = plans.filter(isChanging).map(({ change }) => change);
    if (changes.length === 0) return plans;
    try {
      const outcome = await commit(scope, changes, shard + attempt);
      if (outcome.kind === 'committed') return plans;
      plans = replan(plans, outcome.current, context);
      // After a second conflict the group is split, so that one invoice with many conflicts does not delay the others.
      if (attempt === 1 || plans.length === 1) continue;
    } catch (cause) {
      if (plans.length === 1 || !(cause instanceof WriteRejectedError)) return rejectChanges(plans, cause);
    }
    const middle = Math.ceil(plans.length / 2);
    return commitGroups(writer, [plans.slice(0, middle), plans.slice(middle)], shard);
  }
  return rejectChanges(plans, new WriteRejectedError(new Error('Others kept changing the invoices or counters.')));
}

/** Plans the requests for changed invoices again. A request for an invoice that no longer exists is rejected. */
function replan(
  plans: readonly DeclarationPlan[],
  current: ReadonlyMap<string, Invoice | null>,
  context: DeclarationContext,
): DeclarationPlan[] {
  return plans.map((plan) => {
    const invoice = current.get(plan.before.invoiceId);
    if (invoice === undefined) return plan;
    if (invoice) return planDeclaration(invoice, plan.request, context);
    return {
      ...plan,
      change: null,
      after: plan.before,
      result: { kind: 'rejected', error: createInvoiceNotFoundError() },
    };
  });
}

/** Chooses the first shard of the day counters by the day of the month, so that few shards count the same day. */
function chooseFirstShard([firstPlan]: readonly DeclarationPlan[]): number {
  return firstPlan ? new Date(firstPlan.before.sortDate).getUTCDate() : 0;
}

/** Sets the results of changes to INTERNAL_ERROR. The store has rejected the write, or the outcome is unknown. */
function rejectChanges(plans: readonly DeclarationPlan[], cause: unknown): DeclarationPlan[] {
  const isRejected = cause instanceof WriteRejectedError;
  const error = isRejected
    ? new ServiceError('INTERNAL_ERROR', texts.notWritten, { reason: 'not-written', cause })
    : new ServiceError('INTERNAL_ERROR', texts.outcomeUnknown, { reason: 'unknown-outcome', cause });
  return plans.map((plan) => {
    if (!plan.change) return plan;
    // A write with an unknown result can still succeed later. Without an outcome, the next declaration of the invoice
    // is written even if it repeats the old values. The late write then fails with a conflict.
    const after = isRejected ? plan.before : { ...plan.before, declaredOutcome: null };
    return { ...plan, after, result: { kind: 'rejected', error } };
  });
}
