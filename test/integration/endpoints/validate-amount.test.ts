import { describe, expect, it } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import { fromTolerance } from '../../support/data/tolerance-item.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readStoredHistory, readStoredInvoices } from '../../support/data/stored-invoices.ts';
import { proves } from '../../rules/proves.ts';

const tenPercent = fromTolerance({ mode: 'PCT', pct: decimal('10'), abs: null, autoApprove: true });

const portal = useWatchedPortal();

async function createCallerWithInvoice(overrides: Parameters<typeof buildInvoice>[0] = {}) {
  const caller = await portal.newCaller({ supplier: { tolerance: tenPercent } });
  const invoice = buildInvoice(overrides);
  await seedInvoices(portal.engine, caller.account.scope, [invoice]);
  return { ...caller, invoice };
}

describe('the pre-flight check of an amount', () => {
  it('validate-amount returns the outcome that a declaration would have', async () => {
    proves('service/check', 'validate-amount/response', 'envelope/data-object', 'envelope/meta-object');
    const { call, invoice } = await createCallerWithInvoice({ systemAmount: decimal('1000') });

    const check = await call('validate-amount', { body: { invoice_id: invoice.invoiceId, amount: 1100.01 } });
    const declared = await call('declare-invoice', { body: { invoice_id: invoice.invoiceId, amount: 1100.01 } });

    expect(check.body).toEqual({
      success: true,
      data: {
        invoice_id: invoice.invoiceId,
        system_amount: 1000,
        declared_amount: 1100.01,
        within_tolerance: false,
        difference: 100.01,
        difference_pct: 10.001,
        difference_abs: 100.01,
        action: 'REVIEW',
        config_source: 'proveedor',
      },
      meta: {},
    });
    expect(check.body.data).toMatchObject(declared.body.data.tolerance);
  });

  it('validate-amount writes only the count of the rate limit', async () => {
    proves('service/check', 'validate-amount/nothing-written');
    const { account, call, invoice } = await createCallerWithInvoice();
    const readStored = async () => [
      await readStoredInvoices(portal.engine, account.scope),
      await readStoredHistory(portal.engine, account.scope, invoice.invoiceId),
    ];
    const before = await readStored();

    await call('validate-amount', { body: { invoice_id: invoice.invoiceId, amount: 1 } });

    const writes = portal.proxy.calls.filter(({ units }) => units.some(({ write }) => write > 0));
    expect(writes.map(({ operation, tables }) => [operation, tables])).toEqual([['UpdateItem', ['RateCounters']]]);
    expect(await readStored()).toEqual(before);
  });
});
