import {
  declareAmount,
  type DeclarationContext,
  type DeclarationRequest,
  type DeclarationResult,
} from '../domain/declaration.ts';
import { invoiceNotFound, ServiceError, WriteRejectedError } from '../domain/errors.ts';
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

/** Reads invoices and writes their declarations; `computeCost` and `limits`: how much one transaction takes. */
export interface DeclarationStore {
  /** Reads invoices by their ids; those that do not exist are left out. */
  getMany(scope: SupplierScope, invoiceIds: readonly string[]): Promise<Map<string, Invoice>>;
  readonly commit: Commit<DeclarationChange>;
  readonly computeCost: (scope: SupplierScope, change: DeclarationChange) => TransactionCost;
  readonly limits: TransactionLimits;
}

interface DeclarationWriter {
  readonly commit: DeclarationStore['commit'];
  readonly scope: SupplierScope;
  readonly context: DeclarationContext;
}

/**
 * A declaration on an invoice as it was read. `change`: what it writes (null: nothing). `after` and `result`: the invoice
 * after the declaration and its result, if the change is written.
 */
interface DeclarationPlan {
  readonly request: DeclarationRequest;
  readonly before: Invoice;
  readonly change: DeclarationChange | null;
  readonly after: Invoice;
  readonly result: DeclarationResult;
}

// 18 invoices, each with a revision and three rows to write or delete, the counters of 5 months, and the item of the
// request: a batch of 100 is 6 transactions in parallel.
const MAX_WRITES = 96;

/** Declares an amount on an invoice. Writes the change only if the invoice has not changed since it was read. */
export async function declareOnInvoice(
  { commit }: Pick<DeclarationStore, 'commit'>,
  scope: SupplierScope,
  invoice: Invoice,
  request: DeclarationRequest,
  context: DeclarationContext,
): Promise<DeclarationResult> {
  const plan = planDeclaration(invoice, request, context);
  const [written = plan] = await writeTogether({ commit, scope, context }, [plan], firstShard([plan]));
  return written.result;
}

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
    const plans = requestsByInvoice.flatMap((own) => {
      const request = own[round];
      const invoice = request && invoices.get(request.invoiceId);
      return invoice ? planDeclaration(invoice, request, context) : [];
    });
    for (const { request, after, result } of await writePlans(store, scope, plans, context)) {
      invoices.set(after.invoiceId, after);
      results.set(request, result);
    }
  }
  return requests.map((request) => results.get(request) ?? { kind: 'rejected', error: invoiceNotFound() });
}

/** Decides what a declaration changes. Writes nothing. */
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

/** Writes plans for different invoices, in as few transactions as possible, in parallel. Returns them in any order. */
async function writePlans(
  { commit, computeCost, limits }: DeclarationStore,
  scope: SupplierScope,
  plans: readonly DeclarationPlan[],
  context: DeclarationContext,
): Promise<DeclarationPlan[]> {
  const changing = plans.flatMap((plan) => (plan.change ? { ...plan, cost: computeCost(scope, plan.change) } : []));
  const groups = packTransactions(changing, ({ cost }) => cost, { ...limits, writes: MAX_WRITES });
  const written = await writeGroups({ commit, scope, context }, groups, firstShard(plans));
  return [...plans.filter(({ change }) => !change), ...written];
}

async function writeGroups(
  writer: DeclarationWriter,
  groups: readonly (readonly DeclarationPlan[])[],
  shard: number,
): Promise<DeclarationPlan[]> {
  return (await Promise.all(groups.map((group, index) => writeTogether(writer, group, shard + index)))).flat();
}

/**
 * Writes the changes of a group in one transaction. After a conflict, it evaluates the declarations again with the
 * current invoices. If the store rejects the group, or after two conflicts, the halves are written separately. Returns
 * the plans with their final results.
 */
async function writeTogether(
  writer: DeclarationWriter,
  group: readonly DeclarationPlan[],
  shard: number,
): Promise<readonly DeclarationPlan[]> {
  const { commit, scope, context } = writer;
  let plans = group;
  for await (const round of attempts()) {
    const changes = plans.flatMap(({ change }) => change ?? []);
    if (changes.length === 0) return plans;
    try {
      const outcome = await commit(scope, changes, shard + round);
      if (outcome.kind === 'committed') return plans;
      const current = new Map(outcome.current.map((invoice) => [invoice.invoiceId, invoice]));
      plans = plans.map((plan) => {
        const invoice = current.get(plan.before.invoiceId);
        return invoice ? planDeclaration(invoice, plan.request, context) : plan;
      });
      if (round === 1 || plans.length === 1) continue;
    } catch (cause) {
      if (plans.length === 1 || !(cause instanceof WriteRejectedError)) return rejectChanges(plans, cause);
    }
    const middle = Math.ceil(plans.length / 2);
    return writeGroups(writer, [plans.slice(0, middle), plans.slice(middle)], shard);
  }
  return rejectChanges(plans, new WriteRejectedError(new Error('Others kept changing the invoices.')));
}

/** Returns the shard of the day counters to begin with: one for each day, so that a day is counted in few shards. */
function firstShard([first]: readonly DeclarationPlan[]): number {
  return Number(first?.before.sortDate.slice(8, 10) ?? 0);
}

/** Rejects changes with INTERNAL_ERROR after a failed write; the error states whether the write may still succeed. */
function rejectChanges(plans: readonly DeclarationPlan[], cause: unknown): DeclarationPlan[] {
  const isRejected = cause instanceof WriteRejectedError;
  const error = isRejected
    ? new ServiceError('INTERNAL_ERROR', texts.notWritten, { reason: 'not-written', cause })
    : new ServiceError('INTERNAL_ERROR', texts.outcomeUnknown, { reason: 'unknown-outcome', cause });
  return plans.map((plan) => {
    if (!plan.change) return plan;
    // Without an outcome, the invoice equals no later declaration: the next one is written in any case, so that a late
    // write cannot replace it.
    const after = isRejected ? plan.before : { ...plan.before, declaredOutcome: null };
    return { ...plan, after, result: { kind: 'rejected', error } };
  });
}
