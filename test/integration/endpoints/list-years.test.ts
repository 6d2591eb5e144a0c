import { describe, expect, it } from 'vitest';
import { declaringSupplier } from '../../support/data/declaring-supplier.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { rightCounters } from '../../support/data/stored-invoices.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

const portal = usePortal();

/** Ranges at the ends of what a date can say, each with two days in it, the older one first. */
const ranges = [
  ['0000-01-01', '0000-02-10', '0000-01-01', '0000-02-09'],
  ['0099-12-10', '0100-01-10', '0099-12-31', '0100-01-01'],
  ['9999-11-30', '9999-12-31', '9999-11-30', '9999-12-31'],
] as const;

describe('the list of a range in any year', () => {
  it.each(ranges)(
    'from %s to %s has what is in it, by pages and by a search',
    async (startdate, enddate, one, other) => {
      const { account, call } = await portal.newCaller();
      // Noon, and the last instant of the day.
      const older = anInvoice({ invoiceDate: `${one}T12:00:00Z` });
      const newer = anInvoice({ invoiceDate: `${other}T23:59:59.999Z` });
      await seedInvoices(portal.engine, account.scope, [older, newer]);
      const list = async (query: Record<string, string | number>) => {
        const { status, body } = await call('list-invoices', { query: { startdate, enddate, ...query } });
        const ids = body.data?.rows.map(({ invoice_id: id }: { invoice_id: string }) => id) as string[];
        return [status, ids, body.meta?.total];
      };
      expect(await list({})).toEqual([200, [newer.invoiceId, older.invoiceId], 2]);
      expect(await list({ offset: 1 })).toEqual([200, [older.invoiceId], 2]);
      expect(await list({ search: 'cordoba', status: 'PEN' })).toEqual([200, [newer.invoiceId, older.invoiceId], 2]);
      // Parts of days at both ends, which are counted row by row.
      const within = { startdate: `${one}T12:00:00Z`, enddate: `${other}T23:59:59Z` };
      expect(await list({ ...within, offset: 0 })).toEqual([200, [older.invoiceId], 1]);
      expect(await list({ ...within, search: 'cordoba' })).toEqual([200, [older.invoiceId], 1]);
    },
  );
});

describe('a date of the first century', () => {
  it('orders an imported invoice, and comes back as the date that the supplier declared', async () => {
    const supplier = await declaringSupplier(portal, anInvoice({ invoiceId: '77' }));
    await supplier.importRecord({ invoice_id: '77', service_id: '5', invoice_date: '0050-06-01', system_amount: 1000 });
    expect((await supplier.declare({ amount: 1000, invoice_date: '0050-06-01' })).status).toBe(200);
    const call = await portal.callsOf(supplier.account);
    const { body } = await call('list-invoices', { query: { startdate: '0050-05-31', enddate: '0050-06-30' } });
    expect(body.data.rows).toMatchObject([{ invoice_id: '77', provider_invoice_date: '0050-06-01' }]);
    await rightCounters(portal.engine, supplier.account.scope);
  });
});
