import { describe, expect, it } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readStoredInvoices, readStoredRevisions } from '../../support/data/stored-invoices.ts';
import { fromTolerance } from '../../support/data/tolerance-item.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { proves } from '../../rules/proves.ts';

const autoApproved = fromTolerance({ mode: 'PCT', pct: decimal('5'), abs: null, autoApprove: true });

const portal = usePortal();

async function createCallerWithInvoice(overrides: Parameters<typeof buildInvoice>[0] = {}) {
  const { account, call } = await portal.newCaller({ supplier: { tolerance: autoApproved } });
  const [invoice] = await seedInvoices(portal.engine, account.scope, [buildInvoice(overrides)]);
  const { invoiceId } = invoice!;
  return {
    call,
    invoiceId,
    declare: (fields: object) => call('declare-invoice', { body: { invoice_id: invoiceId, ...fields } }),
    readStored: async () => (await readStoredInvoices(portal.engine, account.scope)).get(invoiceId),
    readRevisions: () => readStoredRevisions(portal.engine, account.scope, invoiceId),
  };
}

describe('declare-invoice', () => {
  it('declare-invoice returns id, amount, state and tolerance outcome, and an empty meta', async () => {
    proves('service/declare', 'declare-invoice/response', 'declaration-result/declaration_id');
    proves('declaration-result/declared_amount', 'declaration-result/state_id', 'declaration-result/tolerance');
    proves('tolerance-outcome/within_tolerance', 'tolerance-outcome/difference', 'tolerance-outcome/difference_pct');
    proves('tolerance-outcome/difference_abs', 'tolerance-outcome/action', 'tolerance-outcome/config_source');
    proves('envelope/data-object', 'envelope/meta-object');
    const { declare, readStored } = await createCallerWithInvoice({ systemAmount: decimal('1000') });
    const { body } = await declare({ amount: 1049.99 });
    expect(body).toEqual({
      success: true,
      data: {
        declaration_id: (await readStored())?.['declaration_id'],
        declared_amount: 1049.99,
        state_id: 3,
        tolerance: {
          within_tolerance: true,
          difference: 49.99,
          difference_pct: 4.999,
          difference_abs: 49.99,
          action: 'AUTO_APPROVE',
          config_source: 'proveedor',
        },
      },
      meta: {},
    });
  });

  it('declare-invoice replaces the fields that are sent, clears texts without visible characters, keeps the others, and adds a revision', async () => {
    proves('declare-invoice/upsert');
    const { declare, readStored, readRevisions } = await createCallerWithInvoice();
    const first = { notes: 'Peaje', invoice_number: 'FE-9', invoice_date: '2026-03-20', tax_pct: 19 };
    const created = await declare({ amount: 1000, ...first });
    const updated = await declare({ amount: 900, notes: 'Sin peaje', invoice_number: null, tax_pct: null });
    const again = await declare({ amount: 950, notes: ' \u200b\n', invoice_number: 'FE-10', tax_pct: 0 });

    expect(updated.body.data.declaration_id).toBe(created.body.data.declaration_id);
    expect(again.body.data.declaration_id).toBe(created.body.data.declaration_id);
    expect(await readStored()).not.toHaveProperty('declared_notes');
    expect(await readStored()).toMatchObject({
      declared_amount: 950,
      provider_invoice_number: 'FE-10',
      provider_invoice_date: '2026-03-20',
      declared_tax_pct: 0,
    });
    const requestIds = [created, updated, again].map(({ headers }) => headers['X-Request-Id']);
    expect((await readRevisions()).map(({ request_id: id }) => id)).toEqual(requestIds);
  });

  it('declare-invoice and validate-amount reject a settled invoice (LIQ) with the same VALIDATION_ERROR, and write nothing', async () => {
    proves('declare-invoice/invalid');
    const { call, invoiceId, declare, readStored, readRevisions } = await createCallerWithInvoice({ state: 'LIQ' });
    const before = await readStored();
    const { status, body } = await declare({ amount: 1000 });
    const constraints = { state: 'a settled invoice (LIQ) cannot be declared' };
    expect([status, body.error?.details]).toEqual([400, [{ property: 'invoice_id', constraints }]]);
    expect([await readStored(), await readRevisions()]).toEqual([before, []]);
    const check = await call('validate-amount', { body: { invoice_id: invoiceId, amount: 1000 } });
    expect([check.status, check.body]).toEqual([400, body]);
  });
});
