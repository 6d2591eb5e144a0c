import { describe, expect, it } from 'vitest';
import { declaringSupplier } from '../../support/data/declaring-supplier.ts';
import { anInvoice } from '../../support/data/seed-invoices.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

const portal = usePortal();
const near = { within_tolerance: true, difference: 10, difference_pct: 1, difference_abs: 10, action: 'REVIEW' };
const REV = 4;
const APR = 3;

describe('an invoice that the company has rejected or adjusted', () => {
  it.each(['REC', 'AJU'] as const)('is approved by no declaration, in state %s or after it', async (state) => {
    const { declare, validate, stored } = await declaringSupplier(portal, anInvoice({ state }));
    expect((await validate({ amount: 1010 })).data).toMatchObject(near);
    expect((await declare({ amount: 1010 })).data).toMatchObject({ state_id: REV, tolerance: near });
    expect((await validate({ amount: 1010 })).data).toMatchObject(near);
    expect((await declare({ amount: 1000 })).data).toMatchObject({ state_id: REV, tolerance: { action: 'REVIEW' } });
    expect((await declare({ amount: 1000 })).data).toMatchObject({ state_id: REV, tolerance: { action: 'REVIEW' } });
    const { revisions } = await stored();
    expect(revisions[0]).toMatchObject([{ held_for_review: true }, { held_for_review: true }]);
  });

  it('stays held when an import changes it, and is approved again once the company has moved it', async () => {
    const record = { invoice_id: '77', service_id: '5', invoice_date: '2026-03-15', system_amount: 1000 };
    const supplier = await declaringSupplier(portal, anInvoice({ invoiceId: record.invoice_id, state: 'AJU' }));
    await supplier.declare({ amount: 1010 });
    await supplier.importRecord({ ...record, city: 'Rosario', state_code: 'PEN' });
    expect((await supplier.declare({ amount: 1000 })).data).toMatchObject({ state_id: REV });
    await supplier.setState('PEN');
    expect((await supplier.validate({ amount: 1000 })).data).toMatchObject({ action: 'AUTO_APPROVE' });
    expect((await supplier.declare({ amount: 1000 })).data).toMatchObject({ state_id: APR });
    const [stored] = (await supplier.stored()).invoices.values();
    expect(stored).not.toHaveProperty('held_for_review');
  });
});
