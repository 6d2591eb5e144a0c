import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Portal, startPortal } from '../../support/service/portal.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { expectFault } from '../../support/answers/expect-fault.ts';

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal.close());

const pathOf = (id: string) => `/apidev/v1/supplier-portal/invoices/${id}`;

describe('GET /apidev/v1/supplier-portal/invoices/{id}', () => {
  it.each(['1', '00001', '1'.repeat(20)])(
    'opens the invoice %s [service/detail] [get-invoice/id] [envelope/meta-object]',
    async (invoiceId) => {
      const { account, call } = await portal.newCaller();
      await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId })]);
      const { status, body } = await call('get-invoice', { path: pathOf(invoiceId) });
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ invoice_id: invoiceId, concepts: [{ concept_id: '31' }] });
      expect(body.meta).toEqual({});
    },
  );

  it.each(['A1', '1a', '-1', '+1', '1.5', '1,2', ' 1', '１', ''])(
    'rejects the id %j, which is not digits only [get-invoice/id] [errors/rule-1] [codes/VALIDATION_ERROR/id] [versioning/entity-ids]',
    async (id) => {
      const { call } = await portal.newCaller();
      expectFault(await call('get-invoice', { path: pathOf(id) }), 'id', 'pattern');
    },
  );
});
