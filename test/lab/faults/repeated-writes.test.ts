import { describe, expect, it } from 'vitest';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readStoredRevisions } from '../../support/data/stored-invoices.ts';

const portal = useWatchedPortal();

async function createSupplier() {
  const { account, call } = await portal.newCaller();
  const { invoiceId } = buildInvoice();
  await seedInvoices(portal.engine, account.scope, [buildInvoice({ invoiceId })]);
  const history = async () => {
    const revisions = await readStoredRevisions(portal.engine, account.scope, invoiceId);
    return revisions.map(({ declared_amount: amount }) => amount);
  };
  return { call, history, body: { invoice_id: invoiceId, amount: 1111 } };
}

describe('a declaration whose response is sent before its write, because its time is over', { tags: 'long' }, () => {
  const TIMEOUT_MS = 3_000;
  const faults = ['delay-request', 'delay-response'] as const;

  /** Declares 1111 with a write that is late, then an amount; returns the history when no call is in progress. */
  async function declareAfter(how: (typeof faults)[number], amount: number): Promise<unknown[]> {
    const { call, history, body } = await createSupplier();
    const release = Promise.withResolvers<void>();
    const endFault = portal.proxy.injectFault({ how, operation: 'TransactWriteItems', wait: () => release.promise });
    const endMs = performance.now() + TIMEOUT_MS;
    const late = await call('declare-invoice', { body, remainingMs: () => endMs - performance.now() });
    expect(late.body.error?.message).toBe(
      'The outcome is not known. Declare again: a repeated declaration changes nothing.',
    );
    endFault();
    expect((await call('declare-invoice', { body: { ...body, amount } })).status).toBe(200);
    release.resolve();
    await portal.proxy.waitUntilIdle();
    expect(portal.proxy.hits.get(how)).toBeGreaterThan(0);
    return history();
  }

  it.each(faults)('a declaration that is sent again while its first write is late is saved once (%s)', async (how) => {
    expect(await declareAfter(how, 1111)).toEqual([1111]);
  });

  it.each(faults)('a late write does not overwrite a later declaration (%s)', async (how) => {
    expect((await declareAfter(how, 2222)).at(-1)).toBe(2222);
  });
});

describe('a declaration that was saved, but whose response was lost', () => {
  it.each(['conflict', 'throttled-item', 'throttle', 'error', 'close-connection'] as const)(
    'a declaration whose response was lost is saved once if its retry fails too (%s)',
    async (how) => {
      const { call, history, body } = await createSupplier();
      portal.proxy.injectFault({ how: 'lose-response', operation: 'TransactWriteItems', times: 1 });
      portal.proxy.injectFault({ how, operation: 'TransactWriteItems', times: 1 });
      const { status } = await call('declare-invoice', { body });
      expect(portal.proxy.hits.get(how)).toBe(1);
      expect([status, await history()]).toEqual([200, [1111]]);
    },
  );

  it('a declaration whose response was lost is saved once, before one of another client that precedes its retry', async () => {
    const { call, history, body } = await createSupplier();
    const wait = () => call('declare-invoice', { body: { ...body, amount: 2222 } });
    portal.proxy.injectFault({ how: 'lose-response', operation: 'TransactWriteItems', times: 1 });
    portal.proxy.injectFault({ how: 'delay-request', operation: 'TransactWriteItems', times: 1, wait });
    const { status } = await call('declare-batch', { body: { declarations: [body] } });
    expect([status, await history()]).toEqual([200, [1111, 2222]]);
  });
});
