import { declareAmount, type DeclarationContext, type DeclarationRequest } from '../../../lib/domain/declaration.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { selectTolerance } from '../../../lib/domain/tolerance.ts';
import { declareAmounts, type DeclarationStore } from '../../../lib/invoices/declare-amounts.ts';
import type { RequestContext } from '../../../lib/invoices/plan-declaration.ts';
import { createDeclarationStore } from '../../../lib/tables/invoice-transaction.ts';
import type { TestEngine } from '../engine/engine.ts';
import { newId } from './seed.ts';

/** Creates a declaration store, as a new process does. */
export function createTestDeclarationStore({ client, tables }: Pick<TestEngine, 'client' | 'tables'>) {
  return createDeclarationStore(client, { invoices: tables.Invoices, declarations: tables.Declarations });
}

/** Declares the amount of one invoice. Throws the error if the declaration is rejected. */
export async function declareOne(
  store: DeclarationStore,
  scope: SupplierScope,
  request: DeclarationRequest,
  context: RequestContext,
) {
  const [result] = await declareAmounts(store, scope, [request], context);
  if (!result) throw new Error('The declaration has no result.');
  if (result.kind === 'rejected') throw result.error;
  return result;
}

/** Declares with a new store, as a separate process does. By default, the time is now and there is no tolerance. */
export async function declareInNewStore(
  engine: TestEngine,
  scope: SupplierScope,
  request: DeclarationRequest,
  { now, ...overrides }: Partial<DeclarationContext> = {},
): Promise<void> {
  const store = createTestDeclarationStore(engine);
  const defaults = { tolerance: selectTolerance(null, null), userId: '1', requestId: 'r', newDeclarationId: newId };
  const context = { ...defaults, ...overrides };
  await (now ? declareAtTime(store, scope, request, { ...context, now }) : declareOne(store, scope, request, context));
}

/** Declares as a process whose clock has another time. */
async function declareAtTime(
  store: DeclarationStore,
  scope: SupplierScope,
  request: DeclarationRequest,
  context: DeclarationContext,
): Promise<void> {
  const before = (await store.getMany(scope, [request.invoiceId])).get(request.invoiceId);
  if (!before) throw new Error(`There is no invoice ${request.invoiceId}.`);
  const { invoice: after, revision } = declareAmount(before, request, context);
  if (!revision) return;
  const { kind } = await store.commit(scope, [{ before, after, revision }]);
  if (kind !== 'committed') throw new Error(`The declaration was not written (${kind}).`);
}

/** Declares an amount at the given time with a new store, under a tolerance of 2.5 %. */
export async function declareAt(
  engine: TestEngine,
  scope: SupplierScope,
  { at = '2026-08-01T10:00:00.000Z', ...request }: DeclarationRequest & { readonly at?: string },
): Promise<void> {
  await declareInNewStore(engine, scope, request, {
    tolerance: { mode: 'PCT', pct: decimal('2.5'), abs: null, autoApprove: true, source: 'global' },
    userId: '7',
    requestId: `request-${request.invoiceId}`,
    now: new Date(at),
    newDeclarationId: () => `900${request.invoiceId}`,
  });
}
