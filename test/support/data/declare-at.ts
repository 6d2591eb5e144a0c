import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import type { TestEngine } from '../engine/engine.ts';
import { declareAlone } from './declare-one.ts';

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
