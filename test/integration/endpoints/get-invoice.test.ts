import { expectFault } from '../../support/answers/answer.ts';
import { describe, expect, it } from 'vitest';
import { costOf } from '../../support/engine/engine-proxy.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';

const pathOf = (invoiceId: string) => `/apidev/v1/supplier-portal/invoices/${invoiceId}`;

const portal = useWatchedPortal();

describe('the detail of an invoice', () => {
  it.each(['1', '00001', '1'.repeat(20)])(
    'opens the invoice %s [service/detail] [get-invoice/id] [get-invoice/response] [envelope/data-object] [envelope/meta-object]',
    async (invoiceId) => {
      const { account, call } = await portal.newCaller();
      await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId })]);
      const { status, body } = await call('get-invoice', { path: pathOf(invoiceId) });
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ invoice_id: invoiceId, concepts: [{ concept_id: '31' }] });
      expect(body.meta).toEqual({});
    },
  );

  it("is 404 NOT_FOUND, in the same words, for an absent invoice, another supplier's and another tenant's [service/rule-1] [get-invoice/not-found] [codes/NOT_FOUND/resource]", async () => {
    const { account, call } = await portal.newCaller();
    const colleague = await portal.newCaller({ tenant: { tenant: account.scope.tenant } });
    const stranger = await portal.newCaller();
    const [theirs, foreign] = [anInvoice(), anInvoice()];
    await seedInvoices(portal.engine, colleague.account.scope, [theirs]);
    await seedInvoices(portal.engine, stranger.account.scope, [foreign]);
    for (const invoiceId of ['4711', theirs.invoiceId, foreign.invoiceId]) {
      const { status, body } = await call('get-invoice', { path: pathOf(invoiceId) });
      expect(status).toBe(404);
      expect(body).toEqual({ success: false, error: { code: 'NOT_FOUND', message: 'The invoice was not found.' } });
    }
  });

  it('rejects an id that is not digits only [get-invoice/id] [errors/rule-1] [codes/VALIDATION_ERROR/id] [versioning/entity-ids]', async () => {
    const { call } = await portal.newCaller();
    for (const id of ['12a', '-1', ' 1', '%20', '１', '']) {
      expectFault(await call('get-invoice', { path: pathOf(id) }), 'id', 'pattern');
    }
  });
});

describe('the cost of looking at one invoice', () => {
  it.each(['get-invoice', 'validate-amount'] as const)(
    'is 1 round trip, 6 read units, and 1 write unit for the rate limit: %s',
    async (name) => {
      const { account, call } = await portal.newCaller();
      await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId: '7' })]);
      const request = name === 'get-invoice' ? { path: pathOf('7') } : { body: { invoice_id: '7', amount: 1000 } };
      await call(name, request);
      const { serialRoundTrips, units } = await costOf(portal.proxy, () => call(name, request));
      expect(serialRoundTrips).toBe(1);
      // Tenant, company, user, supplier and key; then the invoice. All strongly consistent and below 4 KB.
      expect(units).toEqual({
        Directory: { read: 5, write: 0 },
        RateCounters: { read: 0, write: 1 },
        Invoices: { read: 1, write: 0 },
      });
    },
  );
});
