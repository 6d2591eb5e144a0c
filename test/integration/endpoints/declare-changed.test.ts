import { describe, expect, it } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import { declaringSupplier, percent } from '../../support/data/declaring-supplier.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { aDeclaration, anInvoice } from '../../support/data/seed-invoices.ts';

const record = { invoice_id: '77', service_id: '5', invoice_date: '2026-03-15', system_amount: 1000 };

const portal = usePortal();
const near = { within_tolerance: true, difference: 10, difference_pct: 1, difference_abs: 10, action: 'REVIEW' };
const REV = 4;
const APR = 3;

type Supplier = Awaited<ReturnType<typeof declaringSupplier>>;

/** How many revisions declaring the amount again adds to the first invoice's history. */
async function addedBy({ declare, stored }: Supplier, amount: number): Promise<number> {
  const countOf = async () => (await stored()).revisions[0]?.length ?? 0;
  const before = await countOf();
  expect((await declare({ amount })).status).toBe(200);
  return (await countOf()) - before;
}

describe('a declaration is written when it changes', () => {
  it('a value [declare-invoice/upsert]', async () => {
    const { declare, stored } = await declaringSupplier(portal, anInvoice());
    const values = { amount: 1050, notes: 'Peaje', invoice_number: 'FE-9', invoice_date: '2026-03-20', tax_pct: 19 };
    await declare(values);
    const changes = [{ notes: '' }, { invoice_number: 'FE-10' }, { invoice_date: '2026-03-20T00:00:00Z' }];
    for (const changed of [...changes, { tax_pct: 0 }]) await declare({ ...values, ...changed });
    expect((await stored()).revisions[0]).toHaveLength(5);
  });

  it.each(['PEN', 'ENV', 'REV', 'REC', 'AJU'] as const)(
    'the state, which is %s by now [declare-invoice/upsert]',
    async (state) => {
      const supplier = await declaringSupplier(portal, anInvoice());
      await supplier.declare({ amount: 1000 });
      await supplier.setState(state);
      expect(await addedBy(supplier, 1000)).toBe(1);
      const { invoices } = await supplier.stored();
      const isRejectedByCompany = state === 'REC' || state === 'AJU';
      expect([...invoices.values()]).toMatchObject([{ state_code: isRejectedByCompany ? 'REV' : 'APR' }]);
      expect(await addedBy(supplier, 1000)).toBe(0);
    },
  );

  it('the difference, because an import has changed the system amount, though the state stays', async () => {
    const supplier = await declaringSupplier(portal, anInvoice({ invoiceId: record.invoice_id }));
    await supplier.declare({ amount: 1010 });
    await supplier.importRecord({ ...record, system_amount: 1005 }, { force: { changedBy: 'carol', reason: 'test' } });
    expect(await addedBy(supplier, 1010)).toBe(1);
    expect((await supplier.stored()).revisions[0]).toMatchObject([{ system_amount: 1000 }, { system_amount: 1005 }]);
    expect(await addedBy(supplier, 1010)).toBe(0);
  });

  it('whose declaration it is: what an import has declared, the supplier declares once, and no import changes it any more', async () => {
    const supplier = await declaringSupplier(portal, anInvoice({ invoiceId: record.invoice_id }));
    const imported = { ...record, declared_amount: 1000, state_code: 'APR' };
    await supplier.importRecord(imported);
    expect(await addedBy(supplier, 1000)).toBe(1);
    await supplier.importRecord({ ...imported, declared_amount: 900, state_code: 'REC' });
    const { invoices } = await supplier.stored();
    expect([...invoices.values()]).toMatchObject([{ declared_amount: 1000, state_code: 'APR' }]);
    expect(await addedBy(supplier, 1000)).toBe(0);
  });

  it('whether its outcome is known: one of an older version, which kept none, is written once more', async () => {
    const declared = { declaration: aDeclaration({ amount: decimal(1000) }), state: 'APR' } as const;
    const supplier = await declaringSupplier(portal, anInvoice(declared));
    // The revision that the invoice shows is not there in this test, so that the next one is the first.
    expect(await addedBy(supplier, 1000)).toBe(1);
    expect(await addedBy(supplier, 1000)).toBe(0);
  });
});

describe('a declaration is not written again', () => {
  it('when another tolerance has the same outcome, the state is back, or an import changed what it does not depend on', async () => {
    const supplier = await declaringSupplier(portal, anInvoice({ invoiceId: record.invoice_id }));
    await supplier.declare({ amount: 1000 });
    await supplier.changeTolerance('supplier', percent(6));
    expect(await addedBy(supplier, 1000)).toBe(0);
    await supplier.setState('REC');
    await supplier.setState('APR');
    expect(await addedBy(supplier, 1000)).toBe(0);
    await supplier.importRecord({ ...record, city: 'Rosario' });
    expect(await addedBy(supplier, 1000)).toBe(0);
  });
});

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
