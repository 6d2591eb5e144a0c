import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { findInvoice } from '../../../infra/ops/invoice-options.ts';
import { decideOnInvoice } from '../../../infra/ops/review/decide-on-invoice.ts';
import { type AdminPorts, createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import { declareAmounts, declareOnInvoice } from '../../../lib/invoices/declare-amounts.ts';
import { selectTolerance } from '../../../lib/domain/tolerance.ts';
import { createTestDeclarationStore } from '../../support/data/declare-one.ts';
import { newId } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readStoredInvoices, readStoredStateChanges } from '../../support/data/stored-invoices.ts';
import { runCli, runOps } from '../../support/ops/run-ops.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

useDirectory();
const portal = usePortal();
type Caller = Awaited<ReturnType<typeof portal.newCaller>>;
let call: Caller['call'];
let scope: Caller['account']['scope'];

// The supplier has the invoice 7 in review, the pending invoice 70, and the settled invoice 700. It has no tolerance.
beforeEach(async () => {
  const caller = await portal.newCaller({ tenant: { tenant: `t${newId()}.example` } });
  ({ call } = caller);
  ({ scope } = caller.account);
  await seedInvoices(portal.engine, scope, [
    buildInvoice({ invoiceId: '7', state: 'REV' }),
    buildInvoice({ invoiceId: '70' }),
    buildInvoice({ invoiceId: '700', state: 'LIQ' }),
  ]);
});

const run = (command: string, ...args: readonly string[]) =>
  runOps(portal.engine.endpoint, command, scope.tenant, ...args);
const setState = (...args: readonly string[]) => run('set-state', '7', ...args);
const withdraw = (id: string, ...args: readonly string[]) =>
  run('withdraw-invoice', id, '--reason', 'Imported twice', ...args);
const restore = (id: string) => run('restore-invoice', id, '--reason', 'No duplicate');
const declare = (id: string, amount = 1000) => call('declare-invoice', { body: { invoice_id: id, amount } });
const read = (id: string) => call('get-invoice', { path: `/apidev/v1/supplier-portal/invoices/${id}` });
const readTotal = async (search = '') => {
  const { body } = await call('list-invoices', { query: { startdate: '2026-03-01', enddate: '2026-03-31', search } });
  return body.meta?.['total'];
};
const readStored = async (id = '7') => (await readStoredInvoices(portal.engine, scope)).get(id);
const readChanges = (id = '7') => readStoredStateChanges(portal.engine, scope, id);

const author = { changedBy: 'carol', reason: 'a test' };
const find7 = () => findInvoice(createAdminPorts(portal.engine), { ...scope, invoiceId: '7' });
/** Creates ports with another function that commits changes. */
const createPorts = (commit: AdminPorts['commit']) => ({ ...createAdminPorts(portal.engine), commit });

it('set-state changes the state, and records the caller, the name of --by and the reason', async () => {
  const before = await readStored();
  const by = `${userInfo().username} (carol)`;
  const result = await setState('LIQ', '--reason', ' Paid ', '--by', 'carol');
  const line = `Invoice 7 of supplier ${scope.supplierId}: REV -> LIQ by ${by}: Paid\n`;
  expect(result).toEqual({ code: 0, stdout: line, stderr: '' });
  expect(await readStored()).toEqual({ ...before, state_code: 'LIQ', version: 2, changed_ms: expect.any(Number) });
  expect(await readChanges()).toMatchObject([
    {
      ...{ version: 2, kind: 'state', from_state: 'REV', to_state: 'LIQ', from_system_amount: null, reason: 'Paid' },
      ...{ changed_by: by, changed_at: new Date((await readStored())?.['changed_ms'] as number).toISOString() },
      ...{ command_id: expect.any(String), old_values: { state_code: 'REV' } },
    },
  ]);
  expect((await declare('7')).status).toBe(400);
});

it('set-state writes nothing if the invoice already has the state, and needs --force for a settled invoice', async () => {
  const before = await readStored();
  const { code, stdout } = await setState('REV', '--reason', 'Again');
  expect([code, stdout]).toEqual([0, expect.stringContaining(': already REV. Nothing was changed.')]);
  expect(await readStored()).toEqual(before);
  const settled = await run('set-state', '700', 'REC', '--reason', 'Returned');
  const error = 'Nothing was changed: the invoice is settled (LIQ); only set-state --force can change it\n';
  expect(settled).toEqual({ code: 2, stdout: '', stderr: error });
  const forced = await run('set-state', '700', 'REC', '--reason', 'Returned', '--force', '--json');
  const printed = { from_state: 'LIQ', to_state: 'REC', changed_by: userInfo().username, withdrawn: false };
  expect(JSON.parse(forced.stdout)).toMatchObject({ invoice_id: '700', changed: true, ...printed });
});

it('--revision is rejected if the supplier has declared again, also directly before the write', async () => {
  await declare('7', 1050);
  const rejected = await setState('LIQ', '--reason', 'Paid', '--revision', '0');
  const error = 'the supplier has declared 1050 since (revision 0 → 1)';
  expect([rejected.code, rejected.stderr]).toEqual([2, expect.stringContaining(error)]);
  const { commit } = createAdminPorts(portal.engine);
  const ports = createPorts(async (...changed) => {
    await declare('7', 1020);
    return commit(...changed);
  });
  const raced = decideOnInvoice(ports, await find7(), 'LIQ', { author, revision: 1 });
  await expect(raced).rejects.toThrow('the supplier has declared 1020 since (revision 1 → 2)');
  expect(await readChanges()).toEqual([]);
  expect((await setState('LIQ', '--reason', 'Paid', '--revision', '2')).code).toBe(0);
});

it.each([
  [['LIQ', '--reason', ' '], '--reason: must not be blank.'],
  [['LIQ', '--reason', 'a\ud83d'], '--reason: must be well-formed Unicode.'],
  [['LIQ', '--reason', 'r', '--by', 'Ana), root (Leo'], '--by: must be a name of at most 64 characters, without @, pa'],
  [['LIQ', '--reason', 'r', '--revision', '-1'], 'The value must be the number of a revision, or 0.'],
])('set-state ends with 2 for %j, prints the error, and writes nothing', async (args, reason) => {
  const before = await readStored();
  expect(await setState(...args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(reason) });
  expect(await readStored()).toEqual(before);
});

it('a change of an invoice fails with an error after repeated conflicts', async () => {
  const ports = createPorts(async () => ({ kind: 'replan', current: new Map() }));
  const changed = decideOnInvoice(ports, await find7(), 'LIQ', { author });
  await expect(changed).rejects.toThrow('others kept changing the invoice');
});

it('withdraw-invoice hides an invoice from its supplier, and restore-invoice undoes this', async () => {
  const before = await read('70');
  expect(await withdraw('70')).toEqual({
    code: 0,
    stdout: `Invoice 70 of supplier ${scope.supplierId}: withdrawn by ${userInfo().username}: Imported twice\n`,
    stderr: '',
  });
  const validated = await call('validate-amount', { body: { invoice_id: '70', amount: 1000 } });
  const batch = await call('declare-batch', { body: { declarations: [{ invoice_id: '70', amount: 1000 }] } });
  expect([(await read('70')).status, (await declare('70')).status, validated.status]).toEqual([404, 404, 404]);
  expect(JSON.stringify(batch.body)).toContain('"NOT_FOUND"');
  expect([await readTotal(), await readTotal('SRV')]).toEqual([2, 2]);
  expect(JSON.parse((await run('show', '70', '--json')).stdout)).toMatchObject({ withdrawn: true });
  expect((await run('verify')).stdout).toContain('0 differ');

  expect((await restore('70')).stdout).toContain(': restored by ');
  expect((await read('70')).body.data).toEqual(before.body.data);
  expect([await readTotal(), await readTotal('SRV')]).toEqual([3, 3]);
  expect((await declare('70')).status).toBe(200);
  expect(await readChanges('70')).toMatchObject([
    { kind: 'withdrawal', version: 2, from_state: 'PEN', to_state: 'PEN', reason: 'Imported twice' },
    { kind: 'restore', version: 3, from_state: 'PEN', to_state: 'PEN', reason: 'No duplicate' },
  ]);
});

it('withdraw-invoice requires --force for a settled invoice, and the seen revision for a declared one', async () => {
  await declare('70', 1000);
  const results = [
    await withdraw('700'),
    await withdraw('70'),
    await withdraw('700', '--force'),
    await withdraw('70', '--revision', '1'),
  ];
  expect(results.map(({ code, stderr }) => [code, stderr])).toEqual([
    [2, 'Nothing was changed: the invoice is settled (LIQ); only withdraw-invoice --force can change it\n'],
    [2, 'Nothing was changed: revision: the supplier has declared 1000 since (revision 0 → 1)\n'],
    [0, ''],
    [0, ''],
  ]);
});

it('a withdrawn invoice cannot be changed, and a repeated withdrawal or restore changes nothing', async () => {
  await withdraw('7');
  const error = 'Nothing was changed: the invoice is withdrawn; to restore it, run restore-invoice or decide RESTORE\n';
  expect(await setState('APR', '--reason', 'x')).toEqual({ code: 2, stdout: '', stderr: error });
  const { supplierId } = scope;
  const results = [await withdraw('7'), await restore('70')];
  expect(results.map(({ code, stdout }) => [code, stdout])).toEqual([
    [0, `Invoice 7 of supplier ${supplierId}: already WITHDRAW. Nothing was changed.\n`],
    [0, `Invoice 70 of supplier ${supplierId}: already RESTORE. Nothing was changed.\n`],
  ]);
});

it('a declaration on an invoice that was withdrawn after it was read is rejected with NOT_FOUND', async () => {
  const store = createTestDeclarationStore(portal.engine);
  const invoices = await store.getMany(scope, ['7']);
  await withdraw('7');
  const request = { invoiceId: '7', amount: 1000 };
  const requestAuthor = { userId: '1', requestId: 'r', newDeclarationId: newId };
  const context = { tolerance: selectTolerance(null, null), ...requestAuthor };
  const result = await declareOnInvoice(store, scope, invoices.get('7')!, request, context);
  expect(result).toMatchObject({ kind: 'rejected', error: { code: 'NOT_FOUND' } });
  const batchStore = { ...store, getMany: async () => invoices };
  const results = await declareAmounts(batchStore, scope, [request, request], context);
  expect(results).toMatchObject([{ error: { code: 'NOT_FOUND' } }, { error: { code: 'NOT_FOUND' } }]);
});

it('decide withdraws many invoices with WITHDRAW, and restores those of the sheet of list-withdrawn with RESTORE', async () => {
  const decideAll = async (decision: string, list = 'list-invoices') => {
    const { invoices } = JSON.parse((await run(list, '--json')).stdout) as { invoices: object[] };
    const rows = invoices.map((row) => `${JSON.stringify({ ...row, decision, reason: 'Wrong month' })}\n`);
    const env = { AWS_ENDPOINT_URL_DYNAMODB: portal.engine.endpoint };
    const args = ['decide', '-', '--tenant', scope.tenant, '--rejects', join(tmpdir(), `${newId()}.xlsx`), '--local'];
    const { stdout } = await runCli(args, { env, input: rows.join('') });
    return /\d+ decided, .*rejected/.exec(stdout)?.[0];
  };
  await declare('70', 1000);
  expect(await decideAll('WITHDRAW')).toBe('2 decided, 0 unchanged, 0 without a decision, 1 rejected');
  expect(await readTotal()).toBe(1);
  const listIds = async (...filter: string[]) => {
    const { stdout } = await run('list-withdrawn', '--json', ...filter);
    const { invoices } = JSON.parse(stdout) as { invoices: { invoice_id: string }[] };
    return invoices.map(({ invoice_id: id }) => id);
  };
  expect(await listIds('--from', '2026-03-15', '--to', '2026-03-15')).toEqual(['7', '70']);
  expect(await listIds('--to', '2026-03-14')).toEqual([]);
  expect(await decideAll('RESTORE', 'list-withdrawn')).toBe('2 decided, 0 unchanged, 0 without a decision, 0 rejected');
  expect(await readTotal()).toBe(3);
});
