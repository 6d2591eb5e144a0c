import { userInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { findInvoice } from '../../../infra/ops/invoices/invoice-options.ts';
import { createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { printedRows, runOps } from '../../support/ops/run-ops.ts';
import { changeRecord, deleteRecord } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';

const portal = useWatchedPortal();

const when = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

/** A caller with the invoice 77 of 1000, and the tolerance of 5 % that approves. */
async function aCaller() {
  const tolerance = { mode: 'PCT', tolerance_pct: 5, auto_approve: true } as never;
  const { account, call } = await portal.newCaller({ supplier: { tolerance } });
  const { scope } = account;
  await seedInvoices(portal.engine, scope, [anInvoice({ invoiceId: '77' })]);
  const ops = (command: string, ...args: readonly string[]) =>
    runOps(portal.engine.endpoint, command, scope.tenant, '77', ...args);
  const declare = async (amount: number, notes?: string) => {
    const { headers } = await call('declare-invoice', { body: { invoice_id: '77', amount, notes } });
    return headers['X-Request-Id'];
  };
  return { account, scope, call, ops, declare };
}

describe('npm run ops -- show', () => {
  it('prints the fields with the names of the interface, the tolerance and the concepts', async () => {
    const { scope, call, ops } = await aCaller();
    await call('declare-invoice', { body: { invoice_id: '77', amount: 1050.25, notes: 'Tolls', tax_pct: 10.5 } });
    const { code, stdout } = await ops('show');
    expect(code).toBe(0);
    const rows = printedRows(stdout);
    expect(Object.fromEntries(rows)).toMatchObject({
      ...{ supplier_id: scope.supplierId, invoice_id: '77', version: '2', revision: '1', state_code: 'REV' },
      ...{ system_amount: '1000', declared_amount: '1050.25', declared_tax_pct: '10.5', difference_pct: '5.025' },
      ...{ declared_notes: 'Tolls', provider_invoice_number: '-', tolerance: 'PCT 5 %, auto-approve (proveedor)' },
    });
    expect(rows.slice(-3)).toEqual([
      ['concept_id', 'description', 'unit_amount', 'quantity', 'tax_pct', 'total'],
      ['31', 'Grúa', '500', '2', '19', '1190'],
      [''],
    ]);
  });

  it('prints one document with --json: the detail of the interface and the fields for operators', async () => {
    const { scope, call, ops } = await aCaller();
    const { body } = await call('get-invoice', { path: '/apidev/v1/supplier-portal/invoices/77' });
    const { stdout } = await ops('show', '--json');
    const besides = {
      ...{ supplier_id: scope.supplierId, version: 1, sort_date: '2026-03-15T10:30:00.000Z' },
      ...{ held_for_review: false, declared_tax_pct: null, revision: null },
    };
    expect(JSON.parse(stdout)).toEqual({ ...besides, ...body.data });
  });
});

it('an invoice id that several suppliers have requires the supplier', async () => {
  const { scope } = await aCaller();
  const colleague = await portal.newCaller({ tenant: { tenant: scope.tenant } });
  await seedInvoices(portal.engine, colleague.account.scope, [anInvoice({ invoiceId: '77' })]);
  const owners = [scope.supplierId, colleague.account.scope.supplierId].toSorted().join(', ');
  const name = { tenant: scope.tenant, invoiceId: '77' };
  const ports = createAdminPorts(portal.engine);
  await expect(findInvoice(ports, name)).rejects.toThrow(
    `Several suppliers have an invoice 77: ${owners}. Pass --supplier S.`,
  );
  expect(await findInvoice(ports, { ...name, supplierId: scope.supplierId })).toMatchObject({ scope });
});

describe('npm run ops -- history', () => {
  it('prints declarations and state changes in the order of time, with rule, author and request', async () => {
    const { account, ops, declare } = await aCaller();
    const first = await declare(1050.25);
    await ops('set-state', 'REC', '--reason', 'Not as agreed', '--by', 'carol');
    await changeRecord(portal.engine, account.keys.supplier, { tolerance: undefined });
    const second = await declare(1000);

    const { code, stdout } = await ops('history');

    const who = `${account.reference.userId} ${account.email}`;
    const rule = 'PCT 5 %, auto-approve (proveedor)';
    expect(code).toBe(0);
    expect(printedRows(stdout)).toEqual([
      ['when', 'what', 'amount', 'system', 'difference', 'outcome', 'rule, or reason', 'who', 'request'],
      [when, 'revision 1', '1050.25', '1000', '50.25 (5.025 %)', 'REVIEW, outside', rule, who, first],
      [when, 'REV -> REC', 'Not as agreed', `${userInfo().username} (carol)`],
      [when, 'revision 2', '1000', '1000', '0 (0 %)', 'REVIEW, within, held', 'none (ninguna)', who, second],
      [''],
    ]);
  });

  it('prints one document with --json, with null for the e-mail of a deleted user', async () => {
    const { account, scope, ops, declare } = await aCaller();
    const request_id = await declare(1050, 'Tolls');
    await ops('set-state', 'LIQ', '--reason', 'Paid', '--by', 'carol');
    await deleteRecord(portal.engine, account.keys.user);
    expect(JSON.parse((await ops('history', '--json')).stdout)).toEqual({
      tenant: scope.tenant,
      supplier_id: scope.supplierId,
      invoice_id: '77',
      entries: [
        expect.objectContaining({
          ...{ type: 'declaration', revision: 1, declared_amount: 1050, declared_notes: 'Tolls', request_id },
          ...{ declared_by: account.reference.userId, declared_by_email: null, declared_at: when },
        }),
        {
          ...{ type: 'state_change', from_state: 'APR', to_state: 'LIQ', version: 3 },
          ...{ from_system_amount: null, to_system_amount: null },
          ...{ changed_by: `${userInfo().username} (carol)`, reason: 'Paid', changed_at: when },
        },
      ],
    });
  });

  it('prints a sentence if the history is empty', async () => {
    const { ops } = await aCaller();
    const stdout = 'The invoice has no declaration, and its state was never changed.\n';
    expect(await ops('history')).toEqual({ code: 0, stdout, stderr: '' });
  });
});
