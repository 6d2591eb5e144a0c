import { userInfo } from 'node:os';
import { beforeEach, expect, it } from 'vitest';
import { findInvoice } from '../../../infra/ops/invoice-options.ts';
import { changeState } from '../../../infra/ops/review/set-state.ts';
import { type AdminPorts, createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readStoredInvoices, readStoredStateChanges } from '../../support/data/stored-invoices.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

const portal = usePortal();
type Caller = Awaited<ReturnType<typeof portal.newCaller>>;
let call: Caller['call'];
let scope: Caller['account']['scope'];
let invoice: ReturnType<typeof buildInvoice>;

// The supplier has one invoice in review, and no tolerance.
beforeEach(async () => {
  const caller = await portal.newCaller();
  ({ call } = caller);
  ({ scope } = caller.account);
  invoice = buildInvoice({ state: 'REV' });
  await seedInvoices(portal.engine, scope, [invoice]);
});

const setState = (...args: readonly string[]) =>
  runOps(portal.engine.endpoint, 'set-state', scope.tenant, invoice.invoiceId, ...args);
const readStored = async () => (await readStoredInvoices(portal.engine, scope)).get(invoice.invoiceId);
const readChanges = () => readStoredStateChanges(portal.engine, scope, invoice.invoiceId);
const declare = (amount: number) => call('declare-invoice', { body: { invoice_id: invoice.invoiceId, amount } });
const author = { changedBy: 'carol', reason: 'a test' };

const findOwned = () => findInvoice(createAdminPorts(portal.engine), { ...scope, invoiceId: invoice.invoiceId });

/** Creates ports with another function that commits changes. */
const createPorts = (commit: AdminPorts['commit']) => ({ ...createAdminPorts(portal.engine), commit });

it('set-state changes the state, and records the caller, the name of --by and the reason', async () => {
  const before = await readStored();
  const result = await setState('LIQ', '--reason', ' Paid ', '--by', 'carol');
  const line = `Invoice ${invoice.invoiceId} of supplier ${scope.supplierId}: REV -> LIQ by ${userInfo().username} (carol): Paid\n`;
  expect(result).toEqual({ code: 0, stdout: line, stderr: '' });
  const changed = { state_code: 'LIQ', version: 2, changed_at: expect.any(String) };
  expect(await readStored()).toEqual({ ...before, ...changed });
  expect(await readChanges()).toMatchObject([
    {
      ...{ version: 2, kind: 'state', from_state: 'REV', to_state: 'LIQ', from_system_amount: null, reason: 'Paid' },
      ...{ changed_by: `${userInfo().username} (carol)`, changed_at: (await readStored())?.['changed_at'] },
      ...{ command_id: expect.any(String), old_values: { state_code: 'REV' } },
    },
  ]);
});

it('set-state writes nothing if the invoice already has the state, and prints a message', async () => {
  const before = await readStored();
  const { code, stdout } = await setState('REV', '--reason', 'Again');
  expect([code, stdout]).toEqual([0, expect.stringContaining('is already REV (En revisión). Nothing was written.')]);
  expect(await readStored()).toEqual(before);
  expect(await readChanges()).toEqual([]);
});

it('set-state LIQ prevents declarations, prints a document with --json, and can be reverted only with --force', async () => {
  const { stdout } = await setState('LIQ', '--reason', 'Paid', '--json');
  const printed = { from_state: 'REV', to_state: 'LIQ', changed_by: userInfo().username };
  expect(JSON.parse(stdout)).toMatchObject({ invoice_id: invoice.invoiceId, changed: true, ...printed });
  const rejected = await declare(1);
  expect([rejected.status, rejected.body.error?.details]).toEqual([
    400,
    [{ property: 'invoice_id', constraints: { state: expect.any(String) } }],
  ]);
  const settled = await setState('REC', '--reason', 'The payment came back');
  expect(settled).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is settled (LIQ) and cannot change state. Use --force'),
  });
  await setState('REC', '--reason', 'The payment came back', '--force');
  expect((await declare(1)).status).toBe(200);
  expect((await readChanges()).map((change) => [change['from_state'], change['to_state']])).toEqual([
    ['REV', 'LIQ'],
    ['LIQ', 'REC'],
  ]);
});

it('set-state --revision is rejected if the supplier has declared again, also directly before the write', async () => {
  await declare(1050);
  const rejected = await setState('LIQ', '--reason', 'Paid', '--revision', '0');
  expect([rejected.code, rejected.stderr]).toEqual([
    2,
    expect.stringContaining('the supplier has declared 1050 since (revision 0 → 1)'),
  ]);
  const { commit } = createAdminPorts(portal.engine);
  const ports = createPorts(async (...changed) => {
    await declare(1020);
    return commit(...changed);
  });
  const raced = changeState(ports, await findOwned(), 'LIQ', { ...author, expectedRevision: 1 });
  await expect(raced).rejects.toThrow('the supplier has declared 1020 since (revision 1 → 2)');
  expect(await readChanges()).toEqual([]);
  expect((await setState('LIQ', '--reason', 'Paid', '--revision', '2')).code).toBe(0);
});

it.each([
  [['NON', '--reason', 'r'], 'Allowed choices are PEN, ENV, APR, REV, REC, AJU, LIQ.'],
  [['LIQ'], "required option '--reason <text>' not specified"],
  [['LIQ', '--reason', ' '], '--reason must not be blank.'],
  [['LIQ', '--reason', 'a\ud83d'], '--reason must be well-formed Unicode.'],
  [['LIQ', '--reason', 'r', '--by', 'Ana), root (Leo'], '--by must be a name of at most 64 characters, without paren'],
  [['LIQ', '--reason', 'r', '--revision', '1'], 'revision: expected 1, but the invoice has no declaration'],
  [['LIQ', '--reason', 'r', '--revision', '-1'], 'The value must be the number of a revision, or 0.'],
])('set-state ends with 2 for %j, prints the error, and writes nothing', async (args, reason) => {
  const before = await readStored();
  expect(await setState(...args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(reason) });
  expect(await readStored()).toEqual(before);
});

it('a change of the state fails with an error after repeated conflicts', async () => {
  let attempts = 0;
  const ports = createPorts(async () => {
    attempts++;
    return { kind: 'replan', current: new Map() };
  });
  const changed = changeState(ports, { scope, invoice }, 'LIQ', author);
  await expect(changed).rejects.toThrow('others kept changing the invoice');
  expect(attempts).toBeGreaterThan(5);
});
