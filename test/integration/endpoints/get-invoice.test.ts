import { describe, expect, it } from 'vitest';
import { expectConstraintError } from '../../support/answers/answer.ts';
import { seedAccount } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readStoredInvoices } from '../../support/data/stored-invoices.ts';
import type { CurrentName } from '../../support/service/handlers.ts';
import type { TestRequest } from '../../support/service/proxy-event.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { proves } from '../../rules/proves.ts';

const buildPath = (invoiceId: string) => `/apidev/v1/supplier-portal/invoices/${invoiceId}`;

const portal = useWatchedPortal();

describe('get-invoice', () => {
  it.each(['00001', '1'.repeat(20)])(
    'get-invoice returns the invoice %s with its concepts and an empty meta',
    async (invoiceId) => {
      proves('service/detail', 'get-invoice/id', 'get-invoice/response', 'envelope/data-object');
      proves('envelope/meta-object');
      const { account, call } = await portal.newCaller();
      await seedInvoices(portal.engine, account.scope, [buildInvoice({ invoiceId })]);
      const { status, body } = await call('get-invoice', { path: buildPath(invoiceId) });
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ invoice_id: invoiceId, concepts: [{ concept_id: '31' }] });
      expect(body.meta).toEqual({});
    },
  );

  it('get-invoice rejects an id that does not consist of digits', async () => {
    proves('get-invoice/id', 'errors/rule-1', 'codes/VALIDATION_ERROR/id', 'versioning/entity-ids');
    const { call } = await portal.newCaller();
    for (const id of ['12a', '-1', ' 1', '%20', '１', '']) {
      expectConstraintError(await call('get-invoice', { path: buildPath(id) }), 'id', 'pattern');
    }
  });
});

it.each<[CurrentName, (invoiceId: string) => TestRequest]>([
  ['get-invoice', (id) => ({ path: buildPath(id) })],
  ['validate-amount', (id) => ({ body: { invoice_id: id, amount: 1 } })],
  ['declare-invoice', (id) => ({ body: { invoice_id: id, amount: 1 } })],
])(
  '%s returns the same 404 for a missing invoice and for one of another supplier or tenant, and changes nothing',
  async (name, buildRequest) => {
    proves('service/rule-1', 'get-invoice/not-found', 'codes/NOT_FOUND/resource', 'validate-amount/not-found');
    proves('declare-invoice/not-found');
    const { account, call } = await portal.newCaller();
    const colleague = await seedAccount(portal.engine, { tenant: { tenant: account.scope.tenant } });
    const stranger = await seedAccount(portal.engine);
    const message = { success: false, error: { code: 'NOT_FOUND', message: 'The invoice was not found.' } };
    // No invoice has an id of more than 20 digits.
    for (const id of ['4711', '1'.repeat(21), '1'.repeat(500_000)]) {
      const { status, body } = await call(name, buildRequest(id));
      expect([status, body]).toEqual([404, message]);
    }
    for (const { scope } of [colleague, stranger]) {
      const [otherInvoice] = await seedInvoices(portal.engine, scope, [buildInvoice()]);
      const before = await readStoredInvoices(portal.engine, scope);
      const { status, body } = await call(name, buildRequest(otherInvoice?.invoiceId ?? ''));
      expect([status, body]).toEqual([404, message]);
      expect(await readStoredInvoices(portal.engine, scope)).toEqual(before);
    }
  },
);
