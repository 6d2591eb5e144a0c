import type { DeclarationRequest, DeclarationResult } from '../domain/declaration.ts';
import { createInvoiceNotFoundError } from '../domain/errors.ts';
import type { InvoiceChange } from '../domain/invoice-change.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import { attempts } from '../runtime/attempts.ts';
import {
  type ChangingPlan,
  type DeclarationPlan,
  isChanging,
  planDeclaration,
  rejectChanges,
  replanChanged,
  type RequestContext,
} from './plan-declaration.ts';
import { packTransactions, type SendOutcome, type TransactionCost } from './transactions.ts';

export interface DeclarationStore {
  /** Reads invoices by their ids. Omits invoices that do not exist. */
  readonly getMany: (scope: SupplierScope, invoiceIds: readonly string[]) => Promise<Map<string, Invoice>>;
  /** Writes all changes in one transaction, or nothing if an invoice has changed since it was read. */
  readonly commit: (scope: SupplierScope, changes: readonly InvoiceChange[]) => Promise<SendOutcome>;
  /** Computes the part of the `limits` that a change uses. */
  readonly computeCost: (scope: SupplierScope, change: InvoiceChange) => TransactionCost;
  readonly limits: TransactionCost;
}

/** Declares an amount on an invoice. If the invoice has changed since it was read, evaluates the request again. */
export async function declareOnInvoice(
  store: Pick<DeclarationStore, 'commit'>,
  scope: SupplierScope,
  invoice: Invoice,
  request: DeclarationRequest,
  context: RequestContext,
): Promise<DeclarationResult> {
  const plan = planDeclaration(invoice, request, context);
  const [finalPlan = plan] = await commitGroup({ store, scope, context }, [plan]);
  return finalPlan.result;
}

/** Declares amounts in parallel, but those of one invoice in order. Returns a result for each request, in order. */
export async function declareAmounts(
  store: DeclarationStore,
  scope: SupplierScope,
  requests: readonly DeclarationRequest[],
  context: RequestContext,
): Promise<DeclarationResult[]> {
  const results = new Map<DeclarationRequest, DeclarationResult>();
  const invoiceIds = new Set(requests.map(({ invoiceId }) => invoiceId));
  const invoices = await store.getMany(scope, [...invoiceIds]);
  for (const round of divideIntoRounds(requests)) {
    const plans: DeclarationPlan[] = [];
    for (const request of round) {
      const invoice = invoices.get(request.invoiceId);
      if (invoice) plans.push(planDeclaration(invoice, request, context));
    }
    for (const { request, after, result } of await commitPlans({ store, scope, context }, plans)) {
      invoices.set(after.invoiceId, after);
      results.set(request, result);
    }
  }
  return requests.map((request) => results.get(request) ?? { kind: 'rejected', error: createInvoiceNotFoundError() });
}

/** Divides requests into rounds: the first requests of all invoices, then the second requests, and so on. */
function divideIntoRounds(requests: readonly DeclarationRequest[]): DeclarationRequest[][] {
  const rounds: DeclarationRequest[][] = [];
  for (const invoiceRequests of Map.groupBy(requests, ({ invoiceId }) => invoiceId).values()) {
    for (const [index, request] of invoiceRequests.entries()) {
      rounds[index] ??= [];
      rounds[index].push(request);
    }
  }
  return rounds;
}

interface Writer<Store = Pick<DeclarationStore, 'commit'>> {
  readonly store: Store;
  readonly scope: SupplierScope;
  readonly context: RequestContext;
}

/** Writes plans for different invoices in few parallel transactions. Returns the final plans in any order. */
async function commitPlans(
  writer: Writer<DeclarationStore>,
  plans: readonly DeclarationPlan[],
): Promise<DeclarationPlan[]> {
  const { store, scope } = writer;
  const computePlanCost = ({ change }: ChangingPlan) => store.computeCost(scope, change);
  const groups = packTransactions(plans.filter(isChanging), computePlanCost, store.limits);
  const unchangingPlans = plans.filter((plan) => !isChanging(plan));
  return [...unchangingPlans, ...(await commitGroups(writer, groups))];
}

async function commitGroups(
  writer: Writer,
  groups: readonly (readonly DeclarationPlan[])[],
): Promise<DeclarationPlan[]> {
  return (await Promise.all(groups.map((group) => commitGroup(writer, group)))).flat();
}

/**
 * Writes the changes of a group in one transaction, and returns the final plans. Plans the invoices again that have
 * changed. After a second conflict or a rejection by the store, writes the halves of the group separately.
 */
async function commitGroup(writer: Writer, group: readonly DeclarationPlan[]): Promise<readonly DeclarationPlan[]> {
  const { store, scope, context } = writer;
  let plans = group;
  for await (const attempt of attempts()) {
    const changes = plans.filter(isChanging).map(({ change }) => change);
    if (changes.length === 0) return plans;
    const outcome = await store.commit(scope, changes);
    switch (outcome.kind) {
      case 'committed':
        return plans;
      case 'unknown':
        return rejectChanges(plans, 'unknown-outcome', outcome.cause);
      case 'reject':
        if (plans.length === 1) return rejectChanges(plans, 'not-written', outcome.cause);
        return commitHalves(writer, plans);
      case 'replan':
        plans = replanChanged(plans, outcome.current, context);
        // One invoice with many conflicts must not delay the others.
        if (attempt > 1 && plans.length > 1) return commitHalves(writer, plans);
    }
  }
  return rejectChanges(plans, 'not-written', new Error('Others kept changing the invoices.'));
}

function commitHalves(writer: Writer, plans: readonly DeclarationPlan[]): Promise<DeclarationPlan[]> {
  const middle = Math.ceil(plans.length / 2);
  return commitGroups(writer, [plans.slice(0, middle), plans.slice(middle)]);
}
