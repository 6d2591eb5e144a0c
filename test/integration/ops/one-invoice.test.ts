import { userInfo } from 'node:os';
import { beforeEach, describe, expect, it } from 'vitest';
import { findInvoice } from '../../../infra/ops/invoice-options.ts';
import { changeState } from '../../../infra/ops/review/set-state.ts';
import { type AdminPorts, createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import type { OwnedInvoice } from '../../../lib/tables/invoice-table.ts';
import type { StateCode } from '../../../lib/domain/invoice-states.ts';
import { changeRecord, deleteRecord } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import {
  readConsistentCounters,
  readStoredInvoices,
  readStoredStateChanges,
} from '../../support/data/stored-invoices.ts';
import { parsePrintedRows, runOps } from '../../support/ops/run-ops.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

const portal = usePortal();
const when = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
type Caller = Awaited<ReturnType<typeof portal.newCaller>>;
let account: Caller['account'];
let call: Caller['call'];
let scope: Caller['account']['scope'];
let invoice: ReturnType<typeof buildInvoice>;

// The supplier has the pending invoice 77 of 1000, one in review, and a tolerance of 5 % that approves automatically.
beforeEach(async () => {
  const tolerance = { mode: 'PCT', tolerance_pct: 5, auto_approve: true } as never;
  ({ account, call } = await portal.newCaller({ supplier: { tolerance } }));
  ({ scope } = account);
  invoice = buildInvoice({ state: 'REV' });
  await seedInvoices(portal.engine, scope, [buildInvoice({ invoiceId: '77' }), invoice]);
});

const createRunner =
  (invoiceId: string) =>
  (command: string, ...args: readonly string[]) =>
    runOps(portal.engine.endpoint, command, scope.tenant, invoiceId, ...args);
const runOn77 = createRunner('77');
const setState = (...args: readonly string[]) => createRunner(invoice.invoiceId)('set-state', ...args);
const readStored = async () => (await readStoredInvoices(portal.engine, scope)).get(invoice.invoiceId);
const readChanges = () => readStoredStateChanges(portal.engine, scope, invoice.invoiceId);
const declare = (amount: number) => call('declare-invoice', { body: { invoice_id: invoice.invoiceId, amount } });
const author = { changedBy: 'carol', reason: 'a test' };

const findOwned = () => findInvoice(createAdminPorts(portal.engine), { ...scope, invoiceId: invoice.invoiceId });
const forceState = (start: OwnedInvoice, state: StateCode) =>
  changeState(createAdminPorts(portal.engine), start, state, { ...author, force: true });

/** Creates ports with another function that commits changes. */
const createPorts = (commit: AdminPorts['commit']) => ({ ...createAdminPorts(portal.engine), commit });

describe('npm run ops -- set-state', () => {
  it('set-state changes the state and its day counter, and records the caller, the name of --by and the reason', async () => {
    const before = await readStored();
    const result = await setState('LIQ', '--reason', ' Paid ', '--by', 'carol');
    const line = `Invoice ${invoice.invoiceId} of supplier ${scope.supplierId}: REV -> LIQ by ${userInfo().username} (carol): Paid\n`;
    expect(result).toEqual({ code: 0, stdout: line, stderr: '' });
    expect(await readStored()).toEqual({ ...before, state_code: 'LIQ', version: 2 });
    expect(await readChanges()).toEqual([
      {
        pk: `${scope.tenant}#${scope.supplierId}`,
        sk: `STATE#${invoice.invoiceId}#0000000002`,
        version: 2,
        from_state: 'REV',
        to_state: 'LIQ',
        from_system_amount: null,
        to_system_amount: null,
        changed_by: `${userInfo().username} (carol)`,
        reason: 'Paid',
        changed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      },
    ]);
    expect(await readConsistentCounters(portal.engine, scope)).toEqual({ '2026-03-15 PEN': 1, '2026-03-15 LIQ': 1 });
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
    const printed = { from_state: 'REV', to_state: 'LIQ', changed_by: userInfo().username, version: 2 };
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
    await readConsistentCounters(portal.engine, scope);
  });

  it('set-state --revision is rejected if the supplier has declared again, also directly before the write', async () => {
    await declare(1050);
    const rejected = await setState('LIQ', '--reason', 'Paid', '--revision', '0');
    expect([rejected.code, rejected.stderr]).toEqual([2, expect.stringContaining('nothing → 1050 (revision 0 → 1)')]);
    const { commit } = createAdminPorts(portal.engine);
    const ports = createPorts(async (...changed) => {
      await declare(1020);
      return commit(...changed);
    });
    const raced = changeState(ports, await findOwned(), 'LIQ', { ...author, expectedRevision: 1 });
    await expect(raced).rejects.toThrow('the supplier has declared again: 1050 → 1020 (revision 1 → 2)');
    expect(await readChanges()).toEqual([]);
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
  ])('set-state ends with 2 for %j, prints the error, and writes nothing', async (args, reason) => {
    const before = await readStored();
    expect(await setState(...args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(reason) });
    expect(await readStored()).toEqual(before);
  });
});

describe('a change of state', () => {
  it('parallel changes of the state of an invoice are all made, one after the other', async () => {
    const start = await findOwned();
    const targets = ['PEN', 'ENV', 'APR', 'REC', 'LIQ'] as const;
    await Promise.all(targets.map((state) => forceState(start, state)));
    const history = await readChanges();
    expect(history.map(({ version }) => version)).toEqual([2, 3, 4, 5, 6]);
    expect(new Set(history.map((change) => change['to_state']))).toEqual(new Set(targets));
    const reached = history.map((change) => change['to_state']);
    expect(history.map((change) => change['from_state'])).toEqual(['REV', ...reached.slice(0, -1)]);
    expect(await readStored()).toMatchObject({ state_code: history.at(-1)?.['to_state'], version: 6 });
    await readConsistentCounters(portal.engine, scope);
  });

  it('a change of the state fails with an error after 10 conflicts', async () => {
    let attempts = 0;
    const ports = createPorts(async () => {
      attempts++;
      return { kind: 'conflict', current: new Map() };
    });
    const changed = changeState(ports, { scope, invoice }, 'LIQ', author);
    await expect(changed).rejects.toThrow('others kept changing it');
    expect(attempts).toBe(10);
  });
});

/** Declares an amount on invoice 77, and returns the id of the request. */
async function declare77(amount: number, notes?: string) {
  const { headers } = await call('declare-invoice', { body: { invoice_id: '77', amount, notes } });
  return headers['X-Request-Id'];
}

describe('npm run ops -- show', () => {
  it('show prints the fields with the names of the interface, the tolerance and the concepts', async () => {
    await call('declare-invoice', { body: { invoice_id: '77', amount: 1050.25, notes: 'Tolls', tax_pct: 10.5 } });
    const { code, stdout } = await runOn77('show');
    expect(code).toBe(0);
    const rows = parsePrintedRows(stdout);
    expect(Object.fromEntries(rows)).toMatchObject({
      supplier_id: scope.supplierId,
      invoice_id: '77',
      version: '2',
      revision: '1',
      state_code: 'REV',
      system_amount: '1000',
      declared_amount: '1050.25',
      declared_tax_pct: '10.5',
      difference_pct: '5.025',
      declared_notes: 'Tolls',
      provider_invoice_number: '-',
      tolerance: 'PCT 5 %, auto-approve (proveedor)',
    });
    expect(rows.slice(-3)).toEqual([
      ['concept_id', 'description', 'unit_amount', 'quantity', 'tax_pct', 'total'],
      ['31', 'Grúa', '500', '2', '19', '1190'],
      [''],
    ]);
  });

  it('show --json prints one document with the detail of the interface and the fields for operators', async () => {
    const { body } = await call('get-invoice', { path: '/apidev/v1/supplier-portal/invoices/77' });
    const { stdout } = await runOn77('show', '--json');
    const operatorFields = {
      supplier_id: scope.supplierId,
      version: 1,
      sort_date: '2026-03-15T10:30:00.000Z',
      held_for_review: false,
      withdrawn: false,
      declared_tax_pct: null,
      revision: null,
    };
    expect(JSON.parse(stdout)).toEqual({ ...operatorFields, ...body.data });
  });
});

it('findInvoice rejects an invoice id that several suppliers have unless the supplier is given', async () => {
  const colleague = await portal.newCaller({ tenant: { tenant: scope.tenant } });
  await seedInvoices(portal.engine, colleague.account.scope, [buildInvoice({ invoiceId: '77' })]);
  const owners = [scope.supplierId, colleague.account.scope.supplierId].toSorted().join(', ');
  const name = { tenant: scope.tenant, invoiceId: '77' };
  const ports = createAdminPorts(portal.engine);
  await expect(findInvoice(ports, name)).rejects.toThrow(
    `Several suppliers have an invoice 77: ${owners}. Pass --supplier S.`,
  );
  expect(await findInvoice(ports, { ...name, supplierId: scope.supplierId })).toMatchObject({ scope });
});

describe('npm run ops -- history', () => {
  it('history prints declarations and state changes in the order of time, with rule, author and request', async () => {
    const first = await declare77(1050.25);
    await runOn77('set-state', 'REC', '--reason', 'Not as agreed', '--by', 'carol');
    await changeRecord(portal.engine, account.keys.supplier, { tolerance: undefined });
    const second = await declare77(1000);

    const { code, stdout } = await runOn77('history');

    const who = `${account.reference.userId} ${account.email}`;
    const rule = 'PCT 5 %, auto-approve (proveedor)';
    expect(code).toBe(0);
    expect(parsePrintedRows(stdout)).toEqual([
      ['when', 'what', 'amount', 'system', 'difference', 'outcome', 'rule, or reason', 'who', 'request'],
      [when, 'revision 1', '1050.25', '1000', '50.25 (5.025 %)', 'REVIEW, outside', rule, who, first],
      [when, 'REV -> REC', 'Not as agreed', `${userInfo().username} (carol)`],
      [when, 'revision 2', '1000', '1000', '0 (0 %)', 'REVIEW, within, held', 'none (ninguna)', who, second],
      [''],
    ]);
  });

  it('history --json prints one document, with null for the e-mail of a deleted user', async () => {
    const request_id = await declare77(1050, 'Tolls');
    await runOn77('set-state', 'LIQ', '--reason', 'Paid', '--by', 'carol');
    await deleteRecord(portal.engine, account.keys.user);
    expect(JSON.parse((await runOn77('history', '--json')).stdout)).toEqual({
      tenant: scope.tenant,
      supplier_id: scope.supplierId,
      invoice_id: '77',
      entries: [
        expect.objectContaining({
          type: 'declaration',
          revision: 1,
          declared_amount: 1050,
          declared_notes: 'Tolls',
          request_id,
          declared_by: account.reference.userId,
          declared_by_email: null,
          declared_at: when,
        }),
        {
          type: 'state_change',
          from_state: 'APR',
          to_state: 'LIQ',
          version: 3,
          from_system_amount: null,
          to_system_amount: null,
          changed_by: `${userInfo().username} (carol)`,
          reason: 'Paid',
          changed_at: when,
        },
      ],
    });
  });

  it('history prints a sentence if the history is empty', async () => {
    const stdout = 'The invoice has no declaration, and its state was never changed.\n';
    expect(await runOn77('history')).toEqual({ code: 0, stdout, stderr: '' });
  });
});
