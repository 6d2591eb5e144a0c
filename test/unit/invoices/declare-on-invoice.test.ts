import { describe, expect, it } from 'vitest';
import { effectiveTolerance } from '../../../lib/domain/tolerance.ts';
import { withinDeadline } from '../../../lib/runtime/deadline.ts';
import { declareOnInvoice } from '../../../lib/invoices/declare-on-invoice.ts';
import { anInvoice } from '../../support/data/seed-invoices.ts';
import { aStore, type Obstacle } from '../../support/fakes/memory-store.ts';

const scope = { tenant: 't.example', supplierId: '10' };
const by = { userId: '1', requestId: 'r', now: new Date(0), newDeclarationId: () => '1' };
const context = { tolerance: effectiveTolerance(null, null), ...by };
const invoice = anInvoice({ invoiceId: '1' });

function setUp(obstacle: Obstacle) {
  const memory = aStore([invoice], obstacle);
  const declare = async (amount: number) => {
    const writer = { commit: memory.store.commit, scope, context };
    const { result } = await declareOnInvoice(writer, { invoice, request: { invoiceId: '1', amount } });
    return result;
  };
  return { ...memory, declare };
}

describe('declareOnInvoice', () => {
  it('decides again on the current invoice after a conflict', async () => {
    const { declare, stored, attempts } = setUp(() => {
      if (attempts() === 1) stored.set('1', { ...invoice, state: 'REC', version: 7 });
      return undefined;
    });
    expect(await declare(invoice.systemAmount.toNumber())).toMatchObject({ kind: 'declared', state: 'REV' });
    expect(stored.get('1')).toMatchObject({ version: 8, requiresManualReview: true });
  });

  it('rejects a declaration as not written, before the deadline, if others change the invoice each time', async () => {
    const { declare, stored, attempts } = setUp(() => {
      if (attempts() > 500) throw new Error('It is tried without a pause.');
      const other = stored.get('1');
      if (other) stored.set('1', { ...other, version: other.version + 1 });
      return undefined;
    });
    const end = performance.now() + 1_800;
    const result = await withinDeadline(
      () => end - performance.now(),
      () => declare(1),
    );
    const error = {
      reason: 'not-written',
      code: 'INTERNAL_ERROR',
      message: 'The declaration could not be written.',
    };
    expect(result).toMatchObject({ kind: 'rejected', error });
    expect(attempts()).toBeGreaterThan(1);
  });
});
