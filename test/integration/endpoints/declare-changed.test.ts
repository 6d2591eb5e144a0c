import { describe, expect, it } from 'vitest';
import { decimal } from '../../../lib/domain/money.ts';
import { declaringSupplier, percent } from '../../support/data/declaring-supplier.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { aDeclaration, anInvoice } from '../../support/data/seed-invoices.ts';

const everything = { amount: 1050, notes: 'Peaje', invoice_number: 'FE-9', invoice_date: '2026-03-20', tax_pct: 19 };
const record = { invoice_id: '77', service_id: '5', invoice_date: '2026-03-15', system_amount: 1000 };

const portal = usePortal();

type Supplier = Awaited<ReturnType<typeof declaringSupplier>>;

/** How many revisions declaring the amount again adds to the first invoice's history. */
async function addedBy({ declare, stored }: Supplier, amount: number): Promise<number> {
  const countOf = async () => (await stored()).revisions[0]?.length ?? 0;
  const before = await countOf();
  expect((await declare({ amount })).status).toBe(200);
  return (await countOf()) - before;
}

describe('a declaration is written when it changes', () => {
  it.each([
    { amount: 1050.01 },
    { notes: '' },
    { invoice_number: 'FE-10' },
    { invoice_date: '2026-03-20T00:00:00Z' },
    { tax_pct: 0 },
  ])('a value: %j [declare-invoice/upsert]', async (changed) => {
    const { declare, stored } = await declaringSupplier(portal, anInvoice());
    await declare(everything);
    await declare({ ...everything, ...changed });
    expect((await stored()).revisions[0]).toHaveLength(2);
  });

  it.each(['PEN', 'ENV', 'REV', 'REC', 'AJU'] as const)(
    'the state, which is %s by now [declare-invoice/upsert]',
    async (state) => {
      const supplier = await declaringSupplier(portal, anInvoice());
      await supplier.declare({ amount: 1000 });
      await supplier.setState(state);
      expect(await addedBy(supplier, 1000)).toBe(1);
      const { invoices, counters } = await supplier.stored();
      const isDecided = state === 'REC' || state === 'AJU';
      expect([...invoices.values()]).toMatchObject([{ state_code: isDecided ? 'REV' : 'APR' }]);
      expect(counters.stored).toEqual(counters.counted);
      expect(await addedBy(supplier, 1000)).toBe(0);
    },
  );

  it.each([
    { what: 'its action', of: 'supplier', tolerance: percent(5, false) },
    { what: 'whether it is within the tolerance', of: 'supplier', tolerance: percent(1) },
    { what: 'where the tolerance comes from', of: 'supplier', tolerance: undefined },
  ] as const)('the outcome: $what [declare-invoice/upsert]', async ({ of, tolerance }) => {
    const supplier = await declaringSupplier(portal, anInvoice());
    await supplier.changeTolerance('tenant', percent(5));
    await supplier.declare({ amount: 1050 });
    await supplier.changeTolerance(of, tolerance);
    expect(await addedBy(supplier, 1050)).toBe(1);
    expect(await addedBy(supplier, 1050)).toBe(0);
  });

  it('the outcome of one that is in review, and stays there, when it is no longer within the tolerance', async () => {
    const supplier = await declaringSupplier(portal, anInvoice());
    await supplier.changeTolerance('supplier', percent(5, false));
    await supplier.declare({ amount: 1050 });
    await supplier.changeTolerance('supplier', percent(1, false));
    expect(await addedBy(supplier, 1050)).toBe(1);
  });

  it('the difference, because an import has changed the system amount, though the state stays', async () => {
    const supplier = await declaringSupplier(portal, anInvoice({ invoiceId: record.invoice_id }));
    await supplier.declare({ amount: 1010 });
    await supplier.importRecord({ ...record, system_amount: 1005 });
    expect(await addedBy(supplier, 1010)).toBe(1);
    expect((await supplier.stored()).revisions[0]).toMatchObject([{ system_amount: 1000 }, { system_amount: 1005 }]);
    expect(await addedBy(supplier, 1010)).toBe(0);
  });

  it('the amount, and an import the system amount, by as much [declare-invoice/upsert]', async () => {
    const supplier = await declaringSupplier(portal, anInvoice({ invoiceId: record.invoice_id }));
    await supplier.declare({ amount: 1010 });
    await supplier.importRecord({ ...record, system_amount: 1005 });
    expect(await addedBy(supplier, 1015)).toBe(1);
  });

  it('whose declaration it is: what an import has declared, the supplier declares once, and no import changes it any more', async () => {
    const supplier = await declaringSupplier(portal, anInvoice({ invoiceId: record.invoice_id }));
    const imported = { ...record, declared_amount: 1000, state_code: 'APR' };
    await supplier.importRecord(imported);
    expect(await addedBy(supplier, 1000)).toBe(1);
    expect(await addedBy(supplier, 1000)).toBe(0);
    await supplier.importRecord({ ...imported, declared_amount: 900, state_code: 'REC' });
    expect([...(await supplier.stored()).invoices.values()]).toMatchObject([
      { declared_amount: 1000, state_code: 'APR' },
    ]);
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
  it('when the tolerance is another one, under which the outcome is the same', async () => {
    const supplier = await declaringSupplier(portal, anInvoice());
    await supplier.declare({ amount: 1050 });
    await supplier.changeTolerance('supplier', percent(6));
    expect(await addedBy(supplier, 1050)).toBe(0);
  });

  it('when an operator moved the invoice away and back', async () => {
    const supplier = await declaringSupplier(portal, anInvoice());
    await supplier.declare({ amount: 1000 });
    await supplier.setState('REC');
    await supplier.setState('APR');
    expect(await addedBy(supplier, 1000)).toBe(0);
  });

  it('when an import changed what no declaration depends on', async () => {
    const supplier = await declaringSupplier(portal, anInvoice({ invoiceId: record.invoice_id }));
    await supplier.declare({ amount: 1000 });
    await supplier.importRecord({ ...record, city: 'Rosario' });
    expect(await addedBy(supplier, 1000)).toBe(0);
  });
});
