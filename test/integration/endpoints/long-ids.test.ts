import { describe, expect, it } from 'vitest';
import { errorOf, legacyCallsOf } from '../../support/legacy/legacy.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';

const portal = useWatchedPortal();

describe.each([21, 500_000])('an id of %d digits, which no invoice has', (digits) => {
  const invoice_id = '1'.repeat(digits);
  const error = { code: 'NOT_FOUND', message: 'The invoice was not found.' };

  it('is not found by any endpoint, and no invoice is read', async () => {
    const { account, call } = await portal.newCaller();
    const answers = [
      await call('get-invoice', { path: `/apidev/v1/supplier-portal/invoices/${invoice_id}` }),
      await call('validate-amount', { body: { invoice_id, amount: 1 } }),
      await call('declare-invoice', { body: { invoice_id, amount: 1 } }),
    ];
    for (const { status, body } of answers) expect([status, body]).toEqual([404, { success: false, error }]);
    const legacy = legacyCallsOf(portal.invoke, account);
    for (const operation of ['WSObtenerFactura', 'WSValidarFactura', 'WSDeclararFactura']) {
      const answer = await legacy(operation, { IdFactura: invoice_id, Importe: 1 });
      expect(errorOf(answer)).toEqual([200, 'NOT_FOUND', 'La factura no existe.']);
    }
    expect(portal.proxy.calls.filter(({ tables }) => tables.includes('Invoices'))).toEqual([]);
  });

  it('fails alone in a batch', async () => {
    const { account, call } = await portal.newCaller();
    await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId: '1' })]);
    const declarations = [invoice_id, '1'].map((id) => ({ invoice_id: id, amount: 1 }));
    const { status, body } = await call('declare-batch', { body: { declarations } });
    expect(status).toBe(200);
    expect(body.data.results).toMatchObject([
      { invoice_id, success: false, error },
      { invoice_id: '1', success: true },
    ]);
  });
});
