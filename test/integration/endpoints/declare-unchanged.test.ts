import { describe, expect, it } from 'vitest';
import { createDeclaringSupplier } from '../../support/data/declaring-supplier.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { proves } from '../../rules/proves.ts';

const everything = { amount: 1050, notes: 'Peaje', invoice_number: 'FE-9', invoice_date: '2026-03-20', tax_pct: 19 };

const portal = useWatchedPortal();

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
