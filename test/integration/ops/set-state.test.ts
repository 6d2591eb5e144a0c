import { userInfo } from 'node:os';
import { beforeEach, describe, expect, it } from 'vitest';
import { findInvoice } from '../../../infra/ops/invoices/invoice-options.ts';
import { changeState } from '../../../infra/ops/invoices/set-state.ts';
import type { OwnedInvoice } from '../../../lib/tables/invoice-table.ts';
import type { StateCode } from '../../../lib/domain/invoice-states.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { type AdminPorts, createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import type { Invoke } from '../../support/service/handlers.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { rightCounters, storedInvoices, storedStateChanges } from '../../support/data/stored-invoices.ts';

const portal = useWatchedPortal();
let scope: SupplierScope;
let call: Invoke;
let invoice: ReturnType<typeof anInvoice>;

beforeEach(async () => {
  const caller = await portal.newCaller();
  ({ scope } = caller.account);
  ({ call } = caller);
  invoice = anInvoice({ state: 'REV' });
  await seedInvoices(portal.engine, scope, [invoice]);
});

const setState = (...args: readonly string[]) =>
  runOps(portal.engine.endpoint, 'set-state', scope.tenant, invoice.invoiceId, ...args);
const stored = async () => (await storedInvoices(portal.engine, scope)).get(invoice.invoiceId);
const changes = () => storedStateChanges(portal.engine, scope, invoice.invoiceId);
const declare = (amount: number) => call('declare-invoice', { body: { invoice_id: invoice.invoiceId, amount } });
const author = { changedBy: 'carol', reason: 'a test' };

const found = () => findInvoice(createAdminPorts(portal.engine), { ...scope, invoiceId: invoice.invoiceId });
const forceState = (start: OwnedInvoice, state: StateCode, engine = portal.engine) =>
  changeState(createAdminPorts(engine), start, state, { ...author, force: true });

/** The ports with another function that commits changes. */
const portsWith = (commit: AdminPorts['commit']) => ({ ...createAdminPorts(portal.engine), commit });

describe('npm run ops -- set-state', () => {
  it('changes the state and its day counter, and records the caller, the name of --by and the reason', async () => {
    const before = await stored();
    const result = await setState('LIQ', '--reason', ' Paid ', '--by', 'carol');
    const line = `Invoice ${invoice.invoiceId} of supplier ${scope.supplierId}: REV -> LIQ by ${userInfo().username} (carol): Paid\n`;
    expect(result).toEqual({ code: 0, stdout: line, stderr: '' });
    expect(await stored()).toEqual({ ...before, state_code: 'LIQ', version: 2 });
    expect(await changes()).toEqual([
      {
        ...{ pk: `${scope.tenant}#${scope.supplierId}`, sk: `STATE#${invoice.invoiceId}#0000000002`, version: 2 },
        ...{ from_state: 'REV', to_state: 'LIQ', from_system_amount: null, to_system_amount: null },
        changed_by: `${userInfo().username} (carol)`,
        reason: 'Paid',
        changed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
    ]);
    expect(await rightCounters(portal.engine, scope)).toEqual({ '2026-03-15 LIQ': 1 });
  });

  it('writes nothing if the invoice already has the state, and reports that', async () => {
    const before = await stored();
    const { code, stdout } = await setState('REV', '--reason', 'Again');
    expect([code, stdout]).toEqual([0, expect.stringContaining('is already REV (En revisión). Nothing was written.')]);
    expect(await stored()).toEqual(before);
    expect(await changes()).toEqual([]);
  });

  it('settles an invoice for its supplier with LIQ, prints that for scripts, and changes a settled invoice only with --force', async () => {
    const { stdout } = await setState('LIQ', '--reason', 'Paid', '--json');
    const printed = { from_state: 'REV', to_state: 'LIQ', changed_by: userInfo().username, version: 2 };
    expect(JSON.parse(stdout)).toMatchObject({ invoice_id: invoice.invoiceId, changed: true, ...printed });
    const refused = await declare(1);
    expect([refused.status, refused.body.error?.details]).toEqual([
      400,
      [{ property: 'invoice_id', constraints: { state: expect.any(String) } }],
    ]);
    const kept = await setState('REC', '--reason', 'The payment came back');
    expect(kept).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is settled (LIQ) and cannot change state. Use --force'),
    });
    await setState('REC', '--reason', 'The payment came back', '--force');
    expect((await declare(1)).status).toBe(200);
    expect((await changes()).map((change) => [change['from_state'], change['to_state']])).toEqual([
      ['REV', 'LIQ'],
      ['LIQ', 'REC'],
    ]);
    await rightCounters(portal.engine, scope);
  });

  it('with --revision is rejected if the supplier has declared again, also directly before the write', async () => {
    await declare(1050);
    const refused = await setState('LIQ', '--reason', 'Paid', '--revision', '0');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('nothing → 1050 (revision 0 → 1)')]);
    const { commit } = createAdminPorts(portal.engine);
    const ports = portsWith(async (...changed) => {
      await declare(1020);
      return commit(...changed);
    });
    const raced = changeState(ports, await found(), 'LIQ', { ...author, revision: 1 });
    await expect(raced).rejects.toThrow('the supplier has declared again: 1050 → 1020 (revision 1 → 2)');
    expect(await changes()).toEqual([]);
    expect((await setState('LIQ', '--reason', 'Paid', '--revision', '2')).code).toBe(0);
  });

  it.each([
    [['NON', '--reason', 'r'], 'Allowed choices are PEN, ENV, APR, REV, REC, AJU, LIQ.'],
    [['LIQ'], "required option '--reason <text>' not specified"],
    [['LIQ', '--reason', ' '], '--reason must not be blank.'],
    [['LIQ', '--reason', 'r', '--by', ' '], '--by must not be blank.'],
    [['LIQ', '--reason', 'r', '--by', 'x'.repeat(499)], 'with the identity of the caller must have at most 500'],
    [['LIQ', '--reason', 'r', '--revision', '1'], 'revision: expected 1, but the invoice has no declaration'],
    [['LIQ', '--reason', 'r', '--revision', '-1'], 'The value must be the number of a revision, or 0.'],
  ])('ends with 2 for %j, prints the error, and writes nothing', async (args, reason) => {
    const before = await stored();
    expect(await setState(...args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(reason) });
    expect(await stored()).toEqual(before);
  });
});

describe('a change of state', () => {
  it('is made for each of several parallel changes, one after the other', async () => {
    const start = await found();
    const targets = ['PEN', 'ENV', 'APR', 'REC', 'LIQ'] as const;
    await Promise.all(targets.map((state) => forceState(start, state)));
    const history = await changes();
    expect(history.map(({ version }) => version)).toEqual([2, 3, 4, 5, 6]);
    expect(new Set(history.map((change) => change['to_state']))).toEqual(new Set(targets));
    const reached = history.map((change) => change['to_state']);
    expect(history.map((change) => change['from_state'])).toEqual(['REV', ...reached.slice(0, -1)]);
    expect(await stored()).toMatchObject({ state_code: history.at(-1)?.['to_state'], version: 6 });
    await rightCounters(portal.engine, scope);
  });

  it('fails with an error after 10 conflicts', async () => {
    let attempts = 0;
    const ports = portsWith(async () => {
      attempts++;
      return { kind: 'conflict', current: [] };
    });
    const changed = changeState(ports, { scope, invoice }, 'LIQ', author);
    await expect(changed).rejects.toThrow('others kept changing the invoice');
    expect(attempts).toBe(10);
  });
});
