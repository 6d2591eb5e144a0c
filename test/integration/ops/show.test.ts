import { describe, expect, it } from 'vitest';
import { findInvoice } from '../../../lib/admin/invoices/find-invoice.ts';
import { createAdminPorts } from '../../../lib/composition/admin-ports.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { directoryKeys } from '../../../lib/storage/items/keys.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { printedRows } from '../../support/ops/printed-rows.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { changeRecord } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';

const portal = useWatchedPortal();

/** A caller with the invoice 77 of 1000, and the tolerance of 5 % that approves. */
async function aCaller() {
  const tolerance = { mode: 'PCT', tolerance_pct: 5, auto_approve: true } as never;
  const { account, call } = await portal.newCaller({ supplier: { tolerance } });
  const { scope } = account;
  await seedInvoices(portal.engine, scope, [anInvoice({ invoiceId: '77' })]);
  const show = (...args: readonly string[]) => runOps(portal.engine.endpoint, 'show', scope.tenant, '77', ...args);
  return { scope, call, show };
}

describe('npm run ops -- show', () => {
  it('shows the fields as the interface names them, the tolerance in force, and the concepts', async () => {
    const { scope, call, show } = await aCaller();
    await call('declare-invoice', { body: { invoice_id: '77', amount: 1050.25, notes: 'Tolls' } });
    const { code, stdout } = await show();
    expect(code).toBe(0);
    const rows = printedRows(stdout);
    expect(rows).toEqual(
      expect.arrayContaining([
        ['supplier_id', scope.supplierId],
        ['invoice_id', '77'],
        ['version', '2'],
        ['system_amount', '1000'],
        ['declared_amount', '1050.25'],
        ['declared_notes', 'Tolls'],
        ['provider_invoice_number', '-'],
        ['state_code', 'REV'],
        ['difference_pct', '5.025'],
        ['tolerance', 'PCT 5 %, auto-approve (proveedor)'],
      ]),
    );
    expect(rows.slice(-3)).toEqual([
      ['concept_id', 'description', 'unit_amount', 'quantity', 'tax_pct', 'total'],
      ['31', 'Grúa', '500', '2', '19', '1190'],
      [''],
    ]);
  });

  it('prints the detail of the interface for scripts, and what operators need besides', async () => {
    const { scope, call, show } = await aCaller();
    const { body } = await call('get-invoice', { path: '/apidev/v1/supplier-portal/invoices/77' });
    const { stdout } = await show('--json');
    const besides = {
      supplier_id: scope.supplierId,
      version: 1,
      sort_date: '2026-03-15T10:30:00.000Z',
      held_for_review: false,
    };
    expect(JSON.parse(stdout)).toEqual({ ...besides, ...body.data });
  });

  it.each([
    ['nobody.example', '77', 'There is no tenant nobody.example.\n'],
    [null, '404', /^There is no invoice 404 of t\d+\.example\.\n$/],
  ])('exits with 2 when tenant %s has no invoice %s', async (tenant, invoiceId, message) => {
    const { scope } = await aCaller();
    const stderr = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(await runOps(portal.engine.endpoint, 'show', tenant ?? scope.tenant, invoiceId)).toEqual({
      code: 2,
      stdout: '',
      stderr,
    });
  });
});

describe('an invoice', () => {
  it('is found under any of hundreds of suppliers, with a hundred asked in one call', async () => {
    const { scope } = await aCaller();
    const { tenant } = scope;
    const suppliers = Array.from({ length: 250 }, (_, index) => `${1000 + index}`);
    for (const supplier_id of suppliers) {
      await changeRecord(portal.engine, directoryKeys.supplier(tenant, supplier_id), {
        ...directoryKeys.supplier(tenant, supplier_id),
        supplier_id,
        name: 'Supplier',
        company_id: '1',
      });
    }
    const last = { tenant, supplierId: '1249' };
    await seedInvoices(portal.engine, last, [anInvoice({ invoiceId: '88', systemAmount: decimal('12.5') })]);
    const found = await findInvoice(createAdminPorts(portal.proxy.engine), { tenant, invoiceId: '88' });
    expect(found).toMatchObject({ scope: last, invoice: { invoiceId: '88', systemAmount: decimal('12.5') } });
    const onInvoices = portal.proxy.calls.filter(({ tables }) => tables.includes('Invoices'));
    expect(onInvoices.map(({ operation }) => operation)).toEqual(Array(3).fill('BatchGetItem'));
  });

  it('that several suppliers have must be named with its supplier', async () => {
    const { scope } = await aCaller();
    const colleague = await portal.newCaller({ tenant: { tenant: scope.tenant } });
    await seedInvoices(portal.engine, colleague.account.scope, [anInvoice({ invoiceId: '77' })]);
    const owners = [scope.supplierId, colleague.account.scope.supplierId].toSorted().join(', ');
    const name = { tenant: scope.tenant, invoiceId: '77' };
    const ports = createAdminPorts(portal.engine);
    await expect(findInvoice(ports, name)).rejects.toThrow(
      `Several suppliers have an invoice 77: ${owners}. Name one: --supplier S.`,
    );
    expect(await findInvoice(ports, { ...name, supplierId: scope.supplierId })).toMatchObject({ scope });
    await expect(findInvoice(ports, { ...name, supplierId: '404' })).rejects.toThrow(
      `There is no supplier 404 in ${scope.tenant}.`,
    );
  });
});
