import { userInfo } from 'node:os';
import { beforeEach, expect, it } from 'vitest';
import { findInvoice } from '../../../infra/ops/invoice-options.ts';
import { createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import { changeRecord } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { parsePrintedRows, runOps } from '../../support/ops/run-ops.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

const portal = usePortal();
const when = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
type Caller = Awaited<ReturnType<typeof portal.newCaller>>;
let account: Caller['account'];
let call: Caller['call'];
let scope: Caller['account']['scope'];

// The supplier has the pending invoice 77 of 1000, and a tolerance of 5 % that approves automatically.
beforeEach(async () => {
  const tolerance = { mode: 'PCT', tolerance_pct: 5, auto_approve: true } as never;
  ({ account, call } = await portal.newCaller({ supplier: { tolerance } }));
  ({ scope } = account);
  await seedInvoices(portal.engine, scope, [buildInvoice({ invoiceId: '77' })]);
});

const runOn77 = (command: string, ...args: readonly string[]) =>
  runOps(portal.engine.endpoint, command, scope.tenant, '77', ...args);

/** Declares an amount on invoice 77, and returns the id of the request. */
async function declare77(amount: number, notes?: string) {
  const { headers } = await call('declare-invoice', { body: { invoice_id: '77', amount, notes } });
  return headers['X-Request-Id'];
}

it('show prints the detail of the interface, the fields for operators, the tolerance and the concepts', async () => {
  await call('declare-invoice', { body: { invoice_id: '77', amount: 1050.25, notes: 'Tolls', tax_pct: 10.5 } });
  const { code, stdout } = await runOn77('show');
  expect(code).toBe(0);
  const rows = parsePrintedRows(stdout);
  expect(Object.fromEntries(rows)).toMatchObject({
    ...{ supplier_id: scope.supplierId, invoice_id: '77', version: '2', revision: '1', state_code: 'REV' },
    ...{ system_amount: '1000', declared_amount: '1050.25', declared_notes: 'Tolls', provider_invoice_number: '-' },
    tolerance: 'PCT 5 %, auto-approve (proveedor)',
  });
  expect(rows.slice(-3)).toEqual([
    ['concept_id', 'description', 'unit_amount', 'quantity', 'tax_pct', 'total'],
    ['31', 'Grúa', '500', '2', '19', '1190'],
    [''],
  ]);
  const { body } = await call('get-invoice', { path: '/apidev/v1/supplier-portal/invoices/77' });
  expect(JSON.parse((await runOn77('show', '--json')).stdout)).toEqual({
    ...{ supplier_id: scope.supplierId, version: 2, revision: 1, sort_date: '2026-03-15T10:30:00.000Z' },
    ...{ held_for_review: false, withdrawn: false, declared_tax_pct: 10.5 },
    ...{ approved_amount: null, message: null, paid_on: null, payment_reference: null },
    ...body.data,
  });
});

it('findInvoice rejects an invoice id that several suppliers have unless the supplier is given', async () => {
  const colleague = await portal.newCaller({ tenant: { tenant: scope.tenant } });
  await seedInvoices(portal.engine, colleague.account.scope, [buildInvoice({ invoiceId: '77' })]);
  const owners = [scope.supplierId, colleague.account.scope.supplierId].toSorted().join(', ');
  const name = { tenant: scope.tenant, invoiceId: '77' };
  const ports = createAdminPorts(portal.engine);
  await expect(findInvoice(ports, name)).rejects.toThrow(
    `Invoice 77 of ${scope.tenant}: several suppliers have this invoice: ${owners}; pass --supplier.`,
  );
  expect(await findInvoice(ports, { ...name, supplierId: scope.supplierId })).toMatchObject({ scope });
});

it('history prints all changes in the order of time, with values, rule and author', async () => {
  await declare77(1050.25);
  await runOn77('set-state', 'REC', '--reason', 'Not as agreed', '--by', 'carol');
  await changeRecord(portal.engine, account.keys.supplier, { tolerance: undefined });
  await declare77(1000);

  const { code, stdout } = await runOn77('history');

  const { userId } = account.reference;
  const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const start = [scope.supplierId, '77'];
  const firstValues = 'declared_amount: - → 1050.25; state_code: PEN → REV';
  const secondValues = 'declared_amount: 1050.25 → 1000; state_code: REC → REV';
  const carol = `${userInfo().username} (carol)`;
  expect(code).toBe(0);
  expect(parsePrintedRows(stdout)).toEqual([
    ['time', 'kind', 'supplier', 'invoice', 'who', 'change', 'reason', 'command'],
    [when, 'declaration', ...start, userId, firstValues, 'REVIEW, outside PCT 5 %, auto-approve (proveedor)', '-'],
    [when, 'state', ...start, carol, 'state_code: REV → REC', 'Not as agreed', id],
    [when, 'declaration', ...start, userId, secondValues, 'REVIEW (held), within none (ninguna)', '-'],
    [''],
  ]);
});
