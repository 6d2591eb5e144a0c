import { beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { headersOf, type Invoke, loadHandlers } from '../../support/service/handlers.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { storedInvoices } from '../../support/data/stored-invoices.ts';
import { tokenFor } from '../../support/service/tokens.ts';

const path = '/apidev/v1/supplier-portal/invoices/4711';

const portal = useWatchedPortal();

describe('503 SERVICE_UNAVAILABLE, with the token staying valid', () => {
  const unavailable = {
    success: false,
    error: { code: 'SERVICE_UNAVAILABLE', message: 'The user could not be verified at this moment.' },
  };

  it('when the user cannot be verified [auth/rule-5/unavailable] [codes/SERVICE_UNAVAILABLE/user]', async () => {
    const { call } = await portal.newCaller();
    portal.proxy.fail({ operation: 'BatchGetItem', table: 'Directory', how: 'error' });
    const { status, body } = await call('get-invoice', { path });
    expect([status, body]).toEqual([503, unavailable]);
    portal.proxy.reset();
    expect((await call('get-invoice', { path })).status).toBe(404);
  });

  // The run of the mutants takes what this test loads for what this test alone reaches: hence not within it.
  let newProcess: Invoke;
  beforeAll(async () => {
    newProcess = await loadHandlers(portal.proxy.engine);
  });

  it('when a new process cannot read the public keys', async () => {
    const { account } = await portal.newCaller();
    const headers = headersOf(account, await tokenFor(account.reference, portal.signingKey));
    portal.proxy.fail({ operation: 'Query', table: 'Directory', how: 'error' });
    const { status, body } = await newProcess('get-invoice', { path, headers });
    expect([status, body]).toEqual([503, unavailable]);

    portal.proxy.reset();
    expect((await newProcess('get-invoice', { path, headers })).status).toBe(404);
  });

  it.each(['Directory', 'RateCounters', 'SigningKeys'] as const)('when a login cannot reach %s', async (table) => {
    const { account } = await portal.newCaller();
    portal.proxy.fail({ table, how: 'refuse' });
    const { status, body } = await portal.invoke('login', {
      headers: { tenant: account.scope.tenant },
      body: { email: account.email, password: account.password },
    });
    expect([status, body]).toEqual([503, unavailable]);
  });
});

describe('the rate limiter fails open', () => {
  it.each(['refuse', 'error'] as const)(
    'when its counter cannot be reached (%s), with one repetition and untouched headers',
    async (how) => {
      const { call } = await portal.newCaller();
      portal.proxy.fail({ table: 'RateCounters', how });

      const answer = await call('get-invoice', { path });

      expect(answer.status).toBe(404);
      expect(answer.headers).toMatchObject({
        'X-RateLimit-Limit': `${LIMITS.reads}`,
        'X-RateLimit-Remaining': `${LIMITS.reads}`,
      });
      const asked = portal.proxy.calls.filter(({ tables }) => tables.includes('RateCounters'));
      expect(asked).toHaveLength(how === 'error' ? 2 : 0);
    },
  );
});

describe('500 INTERNAL_ERROR says nothing of its cause', () => {
  const generic = { success: false, error: { code: 'INTERNAL_ERROR', message: 'An unexpected error occurred.' } };

  it('when the invoices cannot be read [codes/INTERNAL_ERROR/failure]', async () => {
    const { call } = await portal.newCaller();
    portal.proxy.fail({ table: 'Invoices', how: 'error' });
    const { status, body } = await call('get-invoice', { path });
    expect([status, body]).toEqual([500, generic]);
  });

  it('when it is not known whether a declaration was written, which the message says', async () => {
    const { account, call } = await portal.newCaller();
    const [invoice] = await seedInvoices(portal.engine, account.scope, [anInvoice()]);
    const body = { invoice_id: invoice?.invoiceId, amount: 1 };
    portal.proxy.fail({ operation: 'TransactWriteItems', how: 'error' });

    const single = await call('declare-invoice', { body });
    const batch = await call('declare-batch', { body: { declarations: [body] } });

    const error = { code: 'INTERNAL_ERROR', message: 'The outcome is not known; declare again: it does no harm.' };
    expect([single.status, single.body.error]).toEqual([500, error]);
    expect(batch.status).toBe(200);
    expect(batch.body.data).toMatchObject({ rejected: 1, results: [{ error }] });
    expect(JSON.stringify([single.body, batch.body])).not.toMatch(/secret|engine|dynamo/i);
    const stored = (await storedInvoices(portal.engine, account.scope)).get(invoice?.invoiceId ?? '');
    expect(stored).toMatchObject({ version: 1 });
  });
});
