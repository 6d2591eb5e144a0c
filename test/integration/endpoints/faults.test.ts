import { describe, expect, it } from 'vitest';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { readRecord } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readStoredInvoices } from '../../support/data/stored-invoices.ts';
import { proves } from '../../rules/proves.ts';

const path = '/apidev/v1/supplier-portal/invoices/4711';

const portal = useWatchedPortal();

describe('a user who cannot be verified', () => {
  const unavailable = {
    success: false,
    error: { code: 'SERVICE_UNAVAILABLE', message: 'The user could not be verified at this moment.' },
  };

  it('a request whose access snapshot cannot be read gets 503, and the token stays valid', async () => {
    proves('auth/rule-5/unavailable', 'codes/SERVICE_UNAVAILABLE/user');
    const { call } = await portal.newCaller();
    portal.proxy.injectFault({ operation: 'BatchGetItem', table: 'Directory', how: 'error' });
    const { status, body } = await call('get-invoice', { path });
    expect([status, body]).toEqual([503, unavailable]);
    portal.proxy.reset();
    expect((await call('get-invoice', { path })).status).toBe(404);
  });

  it.each(['Directory', 'RateCounters', 'SigningKeys'] as const)(
    'a login that cannot reach %s gets 503',
    async (table) => {
      const { account } = await portal.newCaller();
      portal.proxy.injectFault({ table, how: 'close-connection' });
      const { status, body } = await portal.invoke('login', {
        headers: { tenant: account.scope.tenant },
        body: { email: account.email, password: account.password },
      });
      expect([status, body]).toEqual([503, unavailable]);
    },
  );
});

describe('a failure of the service', () => {
  it('a login succeeds without its player id if the id cannot be stored', async () => {
    const { account } = await portal.newCaller();
    const login = (playerid: string) => {
      const body = { email: account.email, password: account.password, playerid };
      return portal.invoke('login', { headers: { tenant: account.scope.tenant }, body });
    };
    portal.proxy.injectFault({ how: 'error', operation: 'UpdateItem', mentioning: 'player_ids' });
    expect((await login('first')).status).toBe(200);
    portal.proxy.reset();
    await login('second');
    expect((await readRecord(portal.engine, account.keys.user))['player_ids']).toEqual(['second']);
  });

  it('a declaration whose write fails gets 500, with the message that the outcome is not known', async () => {
    const { account, call } = await portal.newCaller();
    const [invoice] = await seedInvoices(portal.engine, account.scope, [buildInvoice()]);
    const body = { invoice_id: invoice?.invoiceId, amount: 1 };
    portal.proxy.injectFault({ operation: 'TransactWriteItems', how: 'error' });

    const single = await call('declare-invoice', { body });
    const batch = await call('declare-batch', { body: { declarations: [body] } });

    const error = {
      code: 'INTERNAL_ERROR',
      message: 'The outcome is not known. Declare again: a repeated declaration changes nothing.',
    };
    expect([single.status, single.body.error]).toEqual([500, error]);
    expect(batch.status).toBe(200);
    expect(batch.body.data).toMatchObject({ rejected: 1, results: [{ error }] });
    expect(JSON.stringify([single.body, batch.body])).not.toMatch(/secret|engine|dynamo/i);
    const stored = (await readStoredInvoices(portal.engine, account.scope)).get(invoice?.invoiceId ?? '');
    expect(stored).toMatchObject({ version: 1 });
  });
});
