import {
  declareAmount,
  type DeclarationContext,
  type DeclarationRequest,
  type DeclarationResult,
} from '../domain/declaration.ts';
import { createInvoiceNotFoundError, ServiceError } from '../domain/errors.ts';
import type { InvoiceChange } from '../domain/invoice-change.ts';
import type { Invoice, SupplierScope } from '../domain/invoice.ts';
import * as texts from '../domain/texts.ts';
import { attempts } from '../runtime/attempts.ts';
import { systemClock } from '../runtime/clock.ts';
import {
  type CurrentInvoices,
  packTransactions,
  type Prepare,
  type SendOutcome,
  type Transaction,
  type TransactionCost,
} from './transactions.ts';

export interface DeclarationStore {
  /** Reads invoices by their ids. Omits invoices that do not exist. */
  readonly getMany: (scope: SupplierScope, invoiceIds: readonly string[]) => Promise<Map<string, Invoice>>;
  readonly prepare: Prepare;
  /** Computes the part of the `limits` that a change uses. */
  readonly computeCost: (scope: SupplierScope, change: InvoiceChange) => TransactionCost;
  readonly limits: TransactionCost;
}

/** The context of a request. The time of a declaration is the time at which it is planned. */
export type RequestContext = Omit<DeclarationContext, 'now'>;

interface DeclarationWriter {
  readonly prepare: Prepare;
  readonly scope: SupplierScope;
  readonly context: RequestContext;
}

/** A plan for one request. `after` and `result` are correct once `change` is written. */
interface DeclarationPlan {
  readonly request: DeclarationRequest;
  readonly before: Invoice;
  /** Null if the request changes nothing. */
  readonly change: InvoiceChange | null;
  readonly after: Invoice;
  readonly result: DeclarationResult;
}

type ChangingPlan = DeclarationPlan & { readonly change: InvoiceChange };

/** Declares an amount on an invoice. If the invoice has changed since it was read, evaluates the request again. */
export async function declareOnInvoice(
  { prepare }: Pick<DeclarationStore, 'prepare'>,
  scope: SupplierScope,
  invoice: Invoice,
  request: DeclarationRequest,
  context: RequestContext,
): Promise<DeclarationResult> {
  const plan = planDeclaration(invoice, request, context);
  const [writtenPlan = plan] = await commitGroup({ prepare, scope, context }, [plan]);
  return writtenPlan.result;
}

/** Declares amounts in parallel, but those of one invoice in order. Returns a result for each request, in order. */
export async function declareAmounts(
  store: DeclarationStore,
  scope: SupplierScope,
  requests: readonly DeclarationRequest[],
  context: RequestContext,
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
function planDeclaration(before: Invoice, request: DeclarationRequest, context: RequestContext): DeclarationPlan {
  try {
    const declared = declareAmount(before, request, { ...context, now: systemClock.now() });
    const { invoice: after, declaration, outcome, revision } = declared;
    const result = { kind: 'declared', declaration, outcome, state: after.state } as const;
    return { request, before, change: revision && { before, after, revision }, after, result };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { request, before, change: null, after: before, result: { kind: 'rejected', error } };
  }
}

/** Writes plans for different invoices in few parallel transactions. Returns the final plans in any order. */
async function writePlans(
  { prepare, computeCost, limits }: DeclarationStore,
  scope: SupplierScope,
  plans: readonly DeclarationPlan[],
  context: RequestContext,
): Promise<DeclarationPlan[]> {
  const computePlanCost = ({ change }: ChangingPlan) => computeCost(scope, change);
  const groups = packTransactions(plans.filter(isChanging), computePlanCost, limits);
  const writtenPlans = await commitGroups({ prepare, scope, context }, groups);
  return [...plans.filter((plan) => !isChanging(plan)), ...writtenPlans];
}

function isChanging(plan: DeclarationPlan): plan is ChangingPlan {
  return plan.change !== null;
}

async function commitGroups(
  writer: DeclarationWriter,
  groups: readonly (readonly DeclarationPlan[])[],
): Promise<DeclarationPlan[]> {
  return (await Promise.all(groups.map((group) => commitGroup(writer, group)))).flat();
}

/**
 * Writes the changes of a group in one transaction, and returns the final plans. Plans the invoices again that have
 * changed. After a second conflict or a rejection by the store, writes the halves of the group separately.
 */
async function commitGroup(
  writer: DeclarationWriter,
  group: readonly DeclarationPlan[],
): Promise<readonly DeclarationPlan[]> {
  const { prepare, scope, context } = writer;
  let plans = group;
  let transaction: Transaction | null = null;
  let conflicts = 0;
  for await (const _ of attempts()) {
    const changes = plans.filter(isChanging).map(({ change }) => change);
    if (changes.length === 0) return plans;
    transaction ??= prepare(scope, changes);
    const outcome: SendOutcome = await transaction.send();
    switch (outcome.kind) {
      case 'committed':
        return plans;
      case 'resend':
        continue;
      case 'unknown':
        return failChanges(plans, 'unknown-outcome', outcome.cause);
      case 'reject':
        if (plans.length === 1) return failChanges(plans, 'not-written', outcome.cause);
        return commitHalves(writer, plans);
      case 'replan':
        plans = replan(plans, outcome.current, context);
        transaction = null;
        conflicts += 1;
        // One invoice with many conflicts must not delay the others.
        if (conflicts > 1 && plans.length > 1) return commitHalves(writer, plans);
    }
  }
  if (transaction) return failChanges(plans, 'unknown-outcome', new Error('No attempt had a known outcome.'));
  return failChanges(plans, 'not-written', new Error('Others kept changing the invoices.'));
}

function commitHalves(writer: DeclarationWriter, plans: readonly DeclarationPlan[]): Promise<DeclarationPlan[]> {
  const middle = Math.ceil(plans.length / 2);
  return commitGroups(writer, [plans.slice(0, middle), plans.slice(middle)]);
}

/** Plans the requests for changed invoices again. A request for an invoice that is gone is rejected. */
function replan(
  plans: readonly DeclarationPlan[],
  current: CurrentInvoices,
  context: RequestContext,
): DeclarationPlan[] {
  return plans.map((plan) => {
    const invoice = current.get(plan.before.invoiceId);
    if (invoice === undefined) return plan;
    if (invoice) return planDeclaration(invoice, plan.request, context);
    return rejectPlan(plan, plan.before, createInvoiceNotFoundError());
  });
}

const FAILURE_TEXTS = { 'not-written': texts.notWritten, 'unknown-outcome': texts.outcomeUnknown } as const;

/** Rejects the plans with a change, which was not written, or of which it is unknown whether it was written. */
function failChanges(
  plans: readonly DeclarationPlan[],
  reason: keyof typeof FAILURE_TEXTS,
  cause: Error,
): DeclarationPlan[] {
  const error = new ServiceError('INTERNAL_ERROR', FAILURE_TEXTS[reason], { reason, cause });
  return plans.map((plan) => {
    if (!plan.change) return plan;
    // A write with an unknown outcome can still succeed later. Without a stored outcome, the next declaration of the
    // invoice is written even if it repeats the old values. The late write then fails with a conflict.
    const after = reason === 'not-written' ? plan.before : { ...plan.before, declaredOutcome: null };
    return rejectPlan(plan, after, error);
  });
}

function rejectPlan(plan: DeclarationPlan, after: Invoice, error: ServiceError): DeclarationPlan {
  return { ...plan, change: null, after, result: { kind: 'rejected', error } };
}
