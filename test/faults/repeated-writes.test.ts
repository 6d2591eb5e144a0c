import { describe, expect, it } from 'vitest';
import { useWatchedPortal } from '../support/setup/use-portal.ts';
import { anInvoice, seedInvoices } from '../support/data/seed-invoices.ts';
import { storedRevisions } from '../support/data/stored-invoices.ts';

const portal = useWatchedPortal();

async function newSupplier() {
  const { account, call } = await portal.newCaller();
  const { invoiceId } = anInvoice();
  await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId })]);
  const history = async () => {
    const revisions = await storedRevisions(portal.engine, account.scope, invoiceId);
    return revisions.map(({ declared_amount: amount }) => amount);
  };
  return { call, history, body: { invoice_id: invoiceId, amount: 1111 } };
}

describe('a declaration whose outcome is not known, and that is repeated', () => {
  const TIMEOUT_MS = 3_000;

  it.each(['deliver-late', 'answer-late'] as const)('stands once (%s)', { tags: 'long' }, async (how) => {
    const { call, history, body } = await newSupplier();
    const over = Promise.withResolvers<void>();
    const answered = portal.proxy.fail({ how, operation: 'TransactWriteItems', wait: () => over.promise });
    const endMs = performance.now() + TIMEOUT_MS;
    await call('declare-invoice', { body, remainingMs: () => endMs - performance.now() });
    answered();
    const { status } = await call('declare-invoice', { body });
    over.resolve();
    await portal.proxy.untilIdle();
    expect(portal.proxy.hits.get(how)).toBeGreaterThan(0);
    expect([status, await history()]).toEqual([200, [1111]]);
  });
});

describe('a declaration that was written, but whose answer was lost', () => {
  it.each(['conflict', 'throttled-item', 'throttle', 'error', 'refuse'] as const)(
    'stands once when its repetition meets a fault too (%s)',
    async (how) => {
      const { call, history, body } = await newSupplier();
      portal.proxy.fail({ how: 'lose-answer', operation: 'TransactWriteItems', times: 1 });
      portal.proxy.fail({ how, operation: 'TransactWriteItems', times: 1 });
      const { status } = await call('declare-invoice', { body });
      expect(portal.proxy.hits.get(how)).toBe(1);
      expect([status, await history()]).toEqual([200, [1111]]);
    },
  );

  it('stands once, below what others declare before its repetition arrives', async () => {
    const { call, history, body } = await newSupplier();
    const wait = () => call('declare-invoice', { body: { ...body, amount: 2222 } });
    portal.proxy.fail({ how: 'lose-answer', operation: 'TransactWriteItems', times: 1 });
    portal.proxy.fail({ how: 'deliver-late', operation: 'TransactWriteItems', times: 1, wait });
    const { status } = await call('declare-batch', { body: { declarations: [body] } });
    expect([status, await history()]).toEqual([200, [1111, 2222]]);
  });
});
