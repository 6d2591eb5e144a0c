import type { DeclarationContext, DeclarationRequest } from '../../../lib/domain/declaration.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { selectTolerance } from '../../../lib/domain/tolerance.ts';
import { declareAmounts, type DeclarationStore } from '../../../lib/invoices/declare-amounts.ts';
import { createDeclarationStore } from '../../../lib/tables/invoice-transaction.ts';
import type { TestEngine } from '../engine/engine.ts';
import { newId } from './seed.ts';

/** Where a new process writes declarations. */
export function declarationStore({ client, tables }: Pick<TestEngine, 'client' | 'tables'>) {
  return createDeclarationStore(client, { invoices: tables.Invoices, declarations: tables.Declarations });
}

/** Declares the amount of one invoice; throws the error of a declaration that was not made. */
export async function declareOne(
  store: DeclarationStore,
  scope: SupplierScope,
  request: DeclarationRequest,
  context: DeclarationContext,
) {
  const [result] = await declareAmounts(store, scope, [request], context);
  if (!result) throw new Error('A declaration has no result.');
  if (result.kind === 'rejected') throw result.error;
  return result;
}

/** Declares in a process of its own: now, and under no tolerance unless one is said. */
export function declareAlone(
  engine: TestEngine,
  scope: SupplierScope,
  request: DeclarationRequest,
  context: Partial<DeclarationContext> = {},
) {
  const usual = { tolerance: selectTolerance(null, null), userId: '1', requestId: 'r', now: new Date() };
  return declareOne(declarationStore(engine), scope, request, { ...usual, newDeclarationId: newId, ...context });
}

/** Declares an amount on an invoice at a given time, as a process of its own does. */
export async function declareAt(
  engine: TestEngine,
  scope: SupplierScope,
  { invoiceId, amount, notes, at = '2026-08-01T10:00:00.000Z' }: Declared,
): Promise<void> {
  await declareAlone(
    engine,
    scope,
    { invoiceId, amount, notes },
    {
      tolerance: { mode: 'PCT', pct: decimal('2.5'), abs: null, autoApprove: true, source: 'global' },
      userId: '7',
      requestId: `request-${invoiceId}`,
      now: new Date(at),
      newDeclarationId: () => `900${invoiceId}`,
    },
  );
}

interface Declared {
  readonly invoiceId: string;
  readonly amount: number;
  readonly notes?: string;
  readonly at?: string;
}
