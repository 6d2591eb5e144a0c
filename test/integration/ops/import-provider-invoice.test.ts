import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { importInvoices } from '../../../lib/admin/import/import-invoices.ts';
import { readRecords } from '../../../lib/admin/import/read-records.ts';
import { createAdminPorts } from '../../../lib/composition/admin-ports.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { storedRevisions } from '../../support/data/stored-invoices.ts';

const portal = usePortal();

describe("a supplier's own invoice number and date that were imported without an amount", () => {
  it('are shown and found, and stay until the supplier declares others', async () => {
    const { account, call } = await portal.newCaller();
    const { scope } = account;
    const record = {
      invoice_id: '77',
      supplier_id: scope.supplierId,
      service_id: '5',
      invoice_date: '2026-03-15',
      system_amount: 100,
      provider_invoice_number: 'FÑ-0042',
      provider_invoice_date: '2026-03-20',
    };
    const importRecord = (overrides: object = {}) =>
      importInvoices(
        createAdminPorts(portal.engine),
        readRecords(Readable.from([JSON.stringify({ ...record, ...overrides })]), 'ndjson'),
        { tenant: scope.tenant, now: new Date(), reject: async () => {}, progress: () => {} },
      );
    const found = async (search: string) => {
      const range = { startdate: '2026-03-01', enddate: '2026-03-31' };
      const { body } = await call('list-invoices', { query: { ...range, search } });
      return (body.data as { rows: object[] }).rows;
    };
    const detail = async () =>
      (await call('get-invoice', { path: '/apidev/v1/supplier-portal/invoices/77' })).body.data;
    const declare = (more: object) => call('declare-invoice', { body: { invoice_id: '77', amount: 100, ...more } });
    const imported = { provider_invoice_number: 'FÑ-0042', provider_invoice_date: '2026-03-20' };

    expect(await importRecord()).toMatchObject({ created: 1 });
    const undeclared = { ...imported, declaration_id: null, declared_amount: null, state_code: 'PEN' };
    expect(await detail()).toMatchObject(undeclared);
    expect(await found('fn-0042')).toMatchObject([undeclared]);
    expect(await importRecord()).toMatchObject({ unchanged: 1 });

    await declare({ notes: 'Peaje' });
    expect(await detail()).toMatchObject({ ...imported, declared_amount: 100 });
    expect(await found('FÑ-0042')).toMatchObject([{ ...imported, declared_amount: 100 }]);

    await declare({ invoice_number: 'B-7' });
    const renumbered = { provider_invoice_number: 'B-7', provider_invoice_date: '2026-03-20' };
    expect(await detail()).toMatchObject({ ...renumbered, declared_notes: 'Peaje' });
    expect(await found('fn-0042')).toEqual([]);
    expect(await found('b-7')).toMatchObject([renumbered]);

    expect(await importRecord({ provider_invoice_number: 'FÑ-0043' })).toMatchObject({ unchanged: 1 });
    expect(await detail()).toMatchObject(renumbered);
    expect(await storedRevisions(portal.engine, scope, '77')).toMatchObject([imported, renumbered]);
  });
});
