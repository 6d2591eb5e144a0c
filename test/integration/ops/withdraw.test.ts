import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, it } from 'vitest';
import { findInvoice } from '../../../infra/ops/invoice-options.ts';
import { withdrawInvoice } from '../../../infra/ops/review/withdraw.ts';
import { createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import { declareAmounts, declareOnInvoice } from '../../../lib/invoices/declare-amounts.ts';
import { selectTolerance } from '../../../lib/domain/tolerance.ts';
import { createTestDeclarationStore } from '../../support/data/declare-one.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readStoredInvoices, readStoredStateChanges } from '../../support/data/stored-invoices.ts';
import { newId } from '../../support/data/seed.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

const portal = usePortal();
type Caller = Awaited<ReturnType<typeof portal.newCaller>>;
let call: Caller['call'];
let scope: Caller['account']['scope'];

// The supplier has the pending invoices 7 and 70, and the settled invoice 700.
beforeEach(async () => {
  const tenant = `t${newId()}.example`;
  const caller = await portal.newCaller({ tenant: { tenant } });
  ({ call } = caller);
  ({ scope } = caller.account);
  const settled = buildInvoice({ invoiceId: '700', state: 'LIQ' });
  await seedInvoices(portal.engine, scope, [
    buildInvoice({ invoiceId: '7' }),
    buildInvoice({ invoiceId: '70' }),
    settled,
  ]);
});

const run = (command: string, ...args: readonly string[]) =>
  runOps(portal.engine.endpoint, command, scope.tenant, ...args);
const withdraw = (id: string, ...args: readonly string[]) =>
  run('withdraw-invoice', id, '--reason', 'Imported twice', ...args);
const restore = (id: string) => run('restore-invoice', id, '--reason', 'No duplicate');
const declare = (id: string, amount = 1000) => call('declare-invoice', { body: { invoice_id: id, amount } });
const read = (id: string) => call('get-invoice', { path: `/apidev/v1/supplier-portal/invoices/${id}` });
const list = (search = '') =>
  call('list-invoices', { query: { startdate: '2026-03-01', enddate: '2026-03-31', search } });
const readTotal = async (search?: string) => (await list(search)).body.meta?.['total'];

describe('withdraw-invoice and restore-invoice', () => {
  it('withdraw-invoice hides an invoice from its supplier, and restore-invoice undoes this', async () => {
    const before = await read('7');
    expect(await withdraw('7')).toEqual({
      code: 0,
      stdout: `Invoice 7 of supplier ${scope.supplierId}: withdrawn by ${userInfo().username}: Imported twice\n`,
      stderr: '',
    });
    const validated = await call('validate-amount', { body: { invoice_id: '7', amount: 1000 } });
    const batch = await call('declare-batch', { body: { declarations: [{ invoice_id: '7', amount: 1000 }] } });
    expect([(await read('7')).status, (await declare('7')).status, validated.status]).toEqual([404, 404, 404]);
    expect(JSON.stringify(batch.body)).toContain('"NOT_FOUND"');
    expect([await readTotal(), await readTotal('SRV')]).toEqual([2, 2]);
    expect((await run('verify')).stdout).toContain('0 differ');

    expect((await restore('7')).code).toBe(0);
    expect((await read('7')).body.data).toEqual(before.body.data);
    expect([await readTotal(), await readTotal('SRV')]).toEqual([3, 3]);
    expect((await declare('7')).status).toBe(200);
    const history = await readStoredStateChanges(portal.engine, scope, '7');
    expect(history).toMatchObject([
      { kind: 'withdrawal', version: 2, from_state: 'PEN', to_state: 'PEN', reason: 'Imported twice' },
      { kind: 'restore', version: 3, from_state: 'PEN', to_state: 'PEN', reason: 'No duplicate' },
    ]);
  });

  it('withdraw-invoice requires --force for a settled invoice, and the seen revision for a declared one', async () => {
    await declare('7', 1000);
    const results = [
      await withdraw('700'),
      await withdraw('7'),
      await withdraw('7', '--revision', '2'),
      await withdraw('700', '--force'),
      await withdraw('7', '--revision', '1'),
    ];
    expect(results.map(({ code }) => code)).toEqual([2, 2, 2, 0, 0]);
    expect(results.map(({ stderr }) => stderr).slice(0, 3)).toEqual([
      'Nothing was changed. The invoice is settled (LIQ). To withdraw it, pass --force.\n',
      'Nothing was changed. The supplier has declared 1000. To withdraw the invoice, pass --revision 1.\n',
      'Nothing was changed. revision: expected 2, but the latest is 1\n',
    ]);
  });

  it('a withdrawn invoice can be neither changed nor withdrawn again, and only a withdrawn invoice can be restored', async () => {
    await withdraw('7');
    const results = [await withdraw('7'), await run('set-state', '7', 'APR', '--reason', 'x'), await restore('70')];
    expect(results.map(({ code, stderr }) => [code, stderr])).toEqual([
      [2, `Invoice 7 of ${scope.tenant} is withdrawn. To restore it, run restore-invoice.\n`],
      [2, `Invoice 7 of ${scope.tenant} is withdrawn. To restore it, run restore-invoice.\n`],
      [2, `Invoice 70 of ${scope.tenant} is not withdrawn.\n`],
    ]);
    const shown = JSON.parse((await run('show', '7', '--json')).stdout) as object;
    expect(shown).toMatchObject({ invoice_id: '7', withdrawn: true });
    expect((await run('history', '7')).stdout).toContain('withdrawal');
  });

  it('an import leaves withdrawn invoices unchanged, and names them', async () => {
    await withdraw('7');
    const records = ['7', '70'].map((invoice_id) => ({
      supplier_id: scope.supplierId,
      service_id: '5',
      invoice_id,
      system_amount: 1,
    }));
    const file = join(await mkdtemp(join(tmpdir(), 'withdraw-')), 'invoices.ndjson');
    await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const { code, stdout } = await runOps(portal.engine.endpoint, 'import-invoices', file, '--tenant', scope.tenant);
    expect([code, stdout]).toEqual([
      0,
      '0 created, 1 changed, 0 unchanged, 0 rejected\n' +
        '1 record ignored, because the invoice is withdrawn (7). See list-withdrawn.\n' +
        '1 system amount changed: 1000 → 1 in total (net -999, absolute 999)\n',
    ]);
    expect((await readStoredInvoices(portal.engine, scope)).get('7')).toMatchObject({
      system_amount: 1000,
      version: 2,
    });
  });
});

it('a declaration on an invoice that was withdrawn after it was read is rejected with NOT_FOUND', async () => {
  const store = createTestDeclarationStore(portal.engine);
  const invoice = (await store.getMany(scope, ['7'])).get('7')!;
  await withdraw('7');
  const request = { invoiceId: '7', amount: 1000 };
  const author = { userId: '1', requestId: 'r', newDeclarationId: newId };
  const context = { tolerance: selectTolerance(null, null), ...author };
  const result = await declareOnInvoice(store, scope, invoice, request, context);
  expect(result).toMatchObject({ kind: 'rejected', error: { code: 'NOT_FOUND' } });
  const results = await declareAmounts(
    { ...store, getMany: async () => new Map([['7', invoice]]) },
    scope,
    [request, request],
    context,
  );
  expect(results).toMatchObject([{ error: { code: 'NOT_FOUND' } }, { error: { code: 'NOT_FOUND' } }]);
});

it('a withdrawal is rejected if another command withdraws the invoice after it was read', async () => {
  const ports = createAdminPorts(portal.engine);
  const found = await findInvoice(ports, { ...scope, invoiceId: '7' });
  await withdraw('7');
  const second = withdrawInvoice(ports, found, { changedBy: 'carol', reason: 'x' }, { force: false });
  await expect(second).rejects.toThrow('another command has withdrawn, restored or erased invoice 7. Run show.');
  expect(await readStoredStateChanges(portal.engine, scope, '7')).toHaveLength(1);
});

it('decide withdraws many invoices with WITHDRAW, and restores those of the sheet of list-withdrawn with RESTORE', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'withdraw-'));
  const decideAll = async (listCommand: string, decision: string) => {
    const { stdout } = await run(listCommand, '--csv');
    const [header = [], ...rows] = parse(stdout);
    const lines = rows.map((row) => [...row.slice(0, header.length - 2), decision, 'Wrong month']);
    const file = join(folder, `${decision}.csv`);
    await writeFile(file, [header, ...lines].map((row) => `${row.join(',')}\n`).join(''));
    return runOps(portal.engine.endpoint, 'decide', file, '--tenant', scope.tenant);
  };
  await declare('7', 1000);
  const withdrawn = await decideAll('list-invoices', 'WITHDRAW');
  expect(withdrawn.stdout).toContain('2 decided, 0 unchanged, 0 without a decision, 1 rejected');
  expect(await readTotal()).toBe(1);
  const listed = JSON.parse((await run('list-withdrawn', '--json')).stdout) as { withdrawn: object[] };
  const by = userInfo().username;
  expect(listed.withdrawn).toMatchObject([
    { invoice_id: '7', revision: 1, withdrawn_by: by, withdrawn_reason: 'Wrong month' },
    { invoice_id: '70', revision: null, withdrawn_by: by, withdrawn_reason: 'Wrong month' },
  ]);
  expect((await decideAll('list-withdrawn', 'APR')).stdout).toContain(
    '0 decided, 0 unchanged, 0 without a decision, 2 rejected',
  );
  const restored = await decideAll('list-withdrawn', 'RESTORE');
  expect(restored.stdout).toContain('2 decided, 0 unchanged, 0 without a decision, 0 rejected');
  expect(await readTotal()).toBe(3);
});
