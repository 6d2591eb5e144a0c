import { describe, expect, it } from 'vitest';
import { createDeclaringSupplier } from '../../support/data/declaring-supplier.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { proves } from '../../rules/proves.ts';

const record = { invoice_id: '77', service_id: '5', invoice_date: '2026-03-15', system_amount: 1000 };
const REV = 4;
const APR = 3;

const portal = useWatchedPortal();

type Supplier = Awaited<ReturnType<typeof createDeclaringSupplier>>;

/** Declares an amount again, and returns the number of revisions that are added to the history of the first invoice. */
async function countAdded({ declare, readStored }: Supplier, amount: number): Promise<number> {
  const countAll = async () => (await readStored()).revisions[0]?.length ?? 0;
  const before = await countAll();
  expect((await declare({ amount })).status).toBe(200);
  return (await countAll()) - before;
}

it('a repeated declaration is saved again after an import changed the system amount in the same state', async () => {
  const supplier = await createDeclaringSupplier(portal, buildInvoice({ invoiceId: record.invoice_id }));
  await supplier.declare({ amount: 1010 });
  await supplier.importRecord(
    { ...record, system_amount: 1005 },
    { forceAuthor: { changedBy: 'carol', reason: 'test' } },
  );
  expect(await countAdded(supplier, 1010)).toBe(1);
  expect((await supplier.readStored()).revisions[0]).toMatchObject([{ system_amount: 1000 }, { system_amount: 1005 }]);
  expect(await countAdded(supplier, 1010)).toBe(0);
  await supplier.importRecord({ ...record, system_amount: 1005, city: 'Rosario' });
  expect(await countAdded(supplier, 1010)).toBe(0);
});

it('an imported declaration is saved once when the supplier declares it, and no later import changes it', async () => {
  const supplier = await createDeclaringSupplier(portal, buildInvoice({ invoiceId: record.invoice_id }));
  const imported = { ...record, declared_amount: 1000, state_code: 'APR' };
  await supplier.importRecord(imported);
  expect(await countAdded(supplier, 1000)).toBe(1);
  await supplier.importRecord({ ...imported, declared_amount: 900, state_code: 'REC' });
  const { invoices } = await supplier.readStored();
  expect([...invoices.values()]).toMatchObject([{ declared_amount: 1000, state_code: 'APR' }]);
  expect(await countAdded(supplier, 1000)).toBe(0);
});

it.each(['REC', 'AJU'] as const)(
  'an invoice in state %s is not approved by a declaration, also after an import, until the company changes its state',
  async (state) => {
    const supplier = await createDeclaringSupplier(portal, buildInvoice({ invoiceId: record.invoice_id, state }));
    const { declare, validate, setState } = supplier;
    const near = { within_tolerance: true, difference: 10, difference_pct: 1, difference_abs: 10, action: 'REVIEW' };
    expect((await validate({ amount: 1010 })).data).toMatchObject(near);
    expect((await declare({ amount: 1010 })).data).toMatchObject({ state_id: REV, tolerance: near });
    await supplier.importRecord({ ...record, city: 'Rosario', state_code: 'PEN' });
    expect((await declare({ amount: 1000 })).data).toMatchObject({ state_id: REV, tolerance: { action: 'REVIEW' } });
    expect((await supplier.readStored()).revisions[0]).toMatchObject([
      { held_for_review: true },
      { held_for_review: true },
    ]);
    await setState('PEN');
    expect((await validate({ amount: 1000 })).data).toMatchObject({ action: 'AUTO_APPROVE' });
    expect((await declare({ amount: 1000 })).data).toMatchObject({ state_id: APR });
    const [stored] = (await supplier.readStored()).invoices.values();
    expect(stored).not.toHaveProperty('held_for_review');
  },
);

const everything = { amount: 1050, notes: 'Peaje', invoice_number: 'FE-9', invoice_date: '2026-03-20', tax_pct: 19 };

describe('a declaration that changes nothing', () => {
  it.each([
    ['an amount that differs by a rounding error', { ...everything, amount: 1050.000_000_4 }],
    ['null for every optional field', { amount: 1050, notes: null, invoice_number: null, tax_pct: null }],
  ])('a repeated declaration with %s gets the first response, and writes nothing', async (_, repeated) => {
    proves('declare-invoice/upsert');
    const { declare, readStored } = await createDeclaringSupplier(portal, buildInvoice());
    const first = await declare(everything);
    const before = await readStored();
    expect(await declare(repeated)).toEqual({ ...first, remaining: '8' });
    expect(await readStored()).toEqual(before);
  });

  it('a repeated declaration after a lost response gets the result of the first declaration, which is saved once', async () => {
    const { declare, readStored } = await createDeclaringSupplier(portal, buildInvoice());
    portal.proxy.injectFault({ how: 'lose-response', operation: 'TransactWriteItems' });
    expect((await declare({ amount: 1000 })).status).toBe(500);
    const before = await readStored();
    expect(before.revisions[0]).toHaveLength(1);
    expect(await declare({ amount: 1000 })).toMatchObject({ status: 200, data: { declared_amount: 1000 } });
    expect(await readStored()).toEqual(before);
  });

  it('8 equal declarations at the same time get the same response, and are saved once', async () => {
    const { declare, readStored } = await createDeclaringSupplier(portal, buildInvoice());
    const responses = await Promise.all(Array.from({ length: 8 }, () => declare({ amount: 1000 })));
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(responses.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect((await readStored()).revisions[0]).toHaveLength(1);
  });
});
