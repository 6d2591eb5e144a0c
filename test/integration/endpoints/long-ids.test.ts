import { describe, expect, it } from 'vitest';
import { errorOf, legacyCallsOf } from '../../support/legacy/legacy.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';

const portal = useWatchedPortal();

const notFound = { success: false, error: { code: 'NOT_FOUND', message: 'The invoice was not found.' } };

/** How many calls there were to the table of invoices, which has no key as long as these ids. */
const invoiceCalls = () => portal.proxy.calls.filter(({ tables }) => tables.includes('Invoices')).length;

describe.each([21, 8_000, 500_000])('an id of %d digits, which no invoice has', (digits) => {
  const invoice_id = '1'.repeat(digits);

  it('is 404 NOT_FOUND to detail, validate and declare', async () => {
    const { call } = await portal.newCaller();
    const answers = [
      await call('get-invoice', { path: `/apidev/v1/supplier-portal/invoices/${invoice_id}` }),
      await call('validate-amount', { body: { invoice_id, amount: 1 } }),
      await call('declare-invoice', { body: { invoice_id, amount: 1 } }),
    ];
    for (const { status, body } of answers) expect([status, body]).toEqual([404, notFound]);
    expect(invoiceCalls()).toBe(0);
  });

  it('fails alone in a batch', async () => {
    const { account, call } = await portal.newCaller();
    await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId: '1' })]);
    const declarations = [invoice_id, '1'].map((id) => ({ invoice_id: id, amount: 1 }));
    const { status, body } = await call('declare-batch', { body: { declarations } });
    expect(status).toBe(200);
    expect(body.data.results).toMatchObject([
      { invoice_id, success: false, error: notFound.error },
      { invoice_id: '1', success: true },
    ]);
  });

  it.each([
    ['WSObtenerFactura', {}],
    ['WSValidarFactura', { Importe: 1 }],
    ['WSDeclararFactura', { Importe: 1 }],
  ])('is NOT_FOUND to %s', async (operation, fields) => {
    const { account } = await portal.newCaller();
    const answer = await legacyCallsOf(portal.invoke, account)(operation, { IdFactura: invoice_id, ...fields });
    expect(errorOf(answer)).toEqual([200, 'NOT_FOUND', 'La factura no existe.']);
    expect(invoiceCalls()).toBe(0);
  });
});
