import { describe, expect, it } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import { fromTolerance } from '../../support/data/tolerance-item.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { rightCounters, storedInvoices, storedRevisions } from '../../support/data/stored-invoices.ts';

const autoApproved = fromTolerance({ mode: 'PCT', pct: decimal('5'), abs: null, autoApprove: true });

const portal = usePortal();

async function callerWithInvoice(overrides: Parameters<typeof anInvoice>[0] = {}) {
  const caller = await portal.newCaller({ supplier: { tolerance: autoApproved } });
  const invoice = anInvoice(overrides);
  await seedInvoices(portal.engine, caller.account.scope, [invoice]);
  const { invoiceId } = invoice;
  const { engine } = portal;
  return {
    ...caller,
    invoiceId,
    declare: (fields: object) => caller.call('declare-invoice', { body: { invoice_id: invoiceId, ...fields } }),
    stored: async () => (await storedInvoices(engine, caller.account.scope)).get(invoiceId),
    revisions: () => storedRevisions(engine, caller.account.scope, invoiceId),
    counters: () => rightCounters(engine, caller.account.scope),
  };
}

describe('a declaration', () => {
  it('answers with its id, amount, state and tolerance outcome, and an empty meta [service/declare] [declare-invoice/response] [envelope/data-object] [envelope/meta-object]', async () => {
    const { declare, stored } = await callerWithInvoice({ systemAmount: decimal('1000') });
    const { body } = await declare({ amount: 1049.99 });
    expect(body).toEqual({
      success: true,
      data: {
        declaration_id: (await stored())?.['declaration_id'],
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

  it('is an upsert: what is sent is replaced, what is not sent is kept, the id stays [declare-invoice/upsert]', async () => {
    const { declare, stored } = await callerWithInvoice();
    const first = { notes: 'Peaje', invoice_number: 'FE-9', invoice_date: '2026-03-20', tax_pct: 19 };
    const created = await declare({ amount: 1000, ...first });
    const updated = await declare({ amount: 900, notes: 'Sin peaje' });
    const again = await declare({ amount: 950, invoice_number: 'FE-10', tax_pct: 0 });

    expect(updated.body.data.declaration_id).toBe(created.body.data.declaration_id);
    expect(again.body.data.declaration_id).toBe(created.body.data.declaration_id);
    expect(await stored()).toMatchObject({
      declared_amount: 950,
      declared_notes: 'Sin peaje',
      provider_invoice_number: 'FE-10',
      provider_invoice_date: '2026-03-20',
      declared_tax_pct: 0,
    });
  });

  it('appends a revision with amount, outcome, rule, user, time and request; earlier ones never change', async () => {
    const { account, declare, revisions } = await callerWithInvoice({ systemAmount: decimal('1000') });
    const first = await declare({ amount: 1000, notes: 'Primera' });
    const [one] = await revisions();
    await declare({ amount: 2000, notes: 'Segunda' });

    const history = await revisions();

    expect(history).toHaveLength(2);
    expect(history[0]).toEqual(one);
    expect(one).toMatchObject({
      sk: 1,
      declared_amount: 1000,
      declared_notes: 'Primera',
      system_amount: 1000,
      outcome: { within_tolerance: true, difference: 0, difference_pct: 0, action: 'AUTO_APPROVE' },
      tolerance: { mode: 'PCT', tolerance_pct: 5, tolerance_abs: null, auto_approve: true, source: 'proveedor' },
      declared_by: account.reference.userId,
      declared_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      request_id: first.headers['X-Request-Id'],
    });
    expect(history[1]).toMatchObject({ sk: 2, declared_amount: 2000, declared_notes: 'Segunda' });
  });

  it('of a settled invoice (LIQ) is a VALIDATION_ERROR on invoice_id, and nothing is written [declare-invoice/invalid]', async () => {
    const { declare, stored, revisions } = await callerWithInvoice({ state: 'LIQ' });
    const before = await stored();
    const { status, body } = await declare({ amount: 1000 });
    expect(status).toBe(400);
    expect(body.error?.details).toEqual([{ property: 'invoice_id', constraints: { state: expect.any(String) } }]);
    expect(await stored()).toEqual(before);
    expect(await revisions()).toEqual([]);
  });
});
