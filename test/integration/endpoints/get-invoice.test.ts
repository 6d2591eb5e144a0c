import { describe, expect, it } from 'vitest';
import { expectFault } from '../../support/answers/answer.ts';
import { seedAccount } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { storedInvoices } from '../../support/data/stored-invoices.ts';
import { costOf } from '../../support/engine/engine-proxy.ts';
import type { CurrentName, TestRequest } from '../../support/service/handlers.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

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

  it('rejects an id that is not digits only [get-invoice/id] [errors/rule-1] [codes/VALIDATION_ERROR/id] [versioning/entity-ids]', async () => {
    const { call } = await portal.newCaller();
    for (const id of ['12a', '-1', ' 1', '%20', '１', '']) {
      expectFault(await call('get-invoice', { path: pathOf(id) }), 'id', 'pattern');
    }
  });
});

describe("an absent invoice, another supplier's and another tenant's", () => {
  it.each<[CurrentName, (invoiceId: string) => TestRequest, string]>([
    ['get-invoice', (id) => ({ path: pathOf(id) }), 'codes/NOT_FOUND/resource'],
    ['validate-amount', (id) => ({ body: { invoice_id: id, amount: 1 } }), 'validate-amount/not-found'],
    ['declare-invoice', (id) => ({ body: { invoice_id: id, amount: 1 } }), 'declare-invoice/not-found'],
  ])(
    'are 404 NOT_FOUND in the same words, and nothing of them changes: %s [service/rule-1] [get-invoice/not-found] [$2]',
    async (name, requestFor) => {
      const { account, call } = await portal.newCaller();
      const colleague = await seedAccount(portal.engine, { tenant: { tenant: account.scope.tenant } });
      const stranger = await seedAccount(portal.engine);
      const message = { success: false, error: { code: 'NOT_FOUND', message: 'The invoice was not found.' } };
      const absent = await call(name, requestFor('4711'));
      expect([absent.status, absent.body]).toEqual([404, message]);
      for (const { scope } of [colleague, stranger]) {
        const [theirs] = await seedInvoices(portal.engine, scope, [anInvoice()]);
        const before = await storedInvoices(portal.engine, scope);
        const { status, body } = await call(name, requestFor(theirs?.invoiceId ?? ''));
        expect([status, body]).toEqual([404, message]);
        expect(await storedInvoices(portal.engine, scope)).toEqual(before);
      }
    },
  );
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
