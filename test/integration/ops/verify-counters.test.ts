import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { counterSortKey, invoicePartition } from '../../../lib/storage/items/keys.ts';
import type { Invoke } from '../../support/service/handlers.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { newId } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { spoil } from '../../support/data/spoiled-rows.ts';
import { rightCounters } from '../../support/data/stored-invoices.ts';

const portal = useWatchedPortal();
let scope: SupplierScope;
let call: Invoke;
let invoices: readonly Invoice[];
let first: Invoice;
let behindItsBack: ReturnType<typeof spoil>;

beforeEach(async () => {
  ({ call, scope, invoices } = await newSupplier());
  [first] = invoices as [Invoice];
  behindItsBack = spoil(portal.engine, scope);
});

/** A supplier with three pending invoices of 15 March, and the calls of its user. */
async function newSupplier() {
  const caller = await portal.newCaller();
  const three = [anInvoice(), anInvoice(), anInvoice()];
  const seeded = await seedInvoices(portal.engine, caller.account.scope, three);
  return { call: caller.call, scope: caller.account.scope, invoices: seeded };
}

/** Adds to a counter behind the service's back. */
const corrupt = (owner: SupplierScope, ...addition: Parameters<ReturnType<typeof spoil>['addTo']>) =>
  spoil(portal.engine, owner).addTo(...addition);

const verify = (...args: string[]) => runOps(portal.engine.endpoint, 'verify-counters', ...args);

async function listedTotal() {
  const { body } = await call('list-invoices', { query: { startdate: '2026-02-20', enddate: '2026-04-10' } });
  return body.meta?.total;
}

const DATE = '2026-03-15T10:30:00.000Z';
const verifyOwn = (...args: string[]) => verify(scope.tenant, ...args);

/** Verifies, repairs and verifies again: it must name exactly these rows, each as `<invoice id>: <what is wrong>`. */
async function expectFound(...wrong: readonly string[]) {
  const count = wrong.length;
  const lines = (outcome: string) =>
    wrong.map((row) => `${outcome}supplier ${scope.supplierId} of ${scope.tenant}, invoice ${row}\n`);
  const total = (repaired: number) => `1 suppliers, 3 invoices counted, ${count} differences, ${repaired} repaired\n`;
  const found = async (...args: string[]) => {
    const { stdout, ...rest } = await verifyOwn(...args);
    return { ...rest, lines: stdout.split(/(?<=\n)/).toSorted() };
  };
  expect(await found()).toEqual({
    code: 1,
    stderr: '',
    lines: [total(0), ...lines('differs   ')].toSorted(),
  });
  expect(await found('--repair')).toEqual({
    code: 0,
    stderr: '',
    lines: [total(count), ...lines('repaired  ')].toSorted(),
  });
  expect(await verifyOwn()).toMatchObject({
    code: 0,
    stdout: '1 suppliers, 3 invoices counted, 0 differences, 0 repaired\n',
  });
  await rightCounters(portal.engine, scope);
}

describe('verify-counters', () => {
  it('verify-counters reports a corrupted counter, and repairs it with --repair [meta/total]', async () => {
    await corrupt(scope, '2026-03', 2, '15PEN', 4);
    const where = `supplier ${scope.supplierId} of ${scope.tenant}, 2026-03-15 PEN: 3 counted, 7 stored\n`;
    expect(await listedTotal()).toBe(7);
    expect(await verify(scope.tenant)).toEqual({
      code: 1,
      stdout: `differs   ${where}1 suppliers, 3 invoices counted, 1 differences, 0 repaired\n`,
      stderr: '',
    });
    expect(await listedTotal()).toBe(7);

    expect(await verify(scope.tenant, '--repair')).toEqual({
      code: 0,
      stdout: `repaired  ${where}1 suppliers, 3 invoices counted, 1 differences, 1 repaired\n`,
      stderr: '',
    });
    expect(await listedTotal()).toBe(3);
    expect(await verify(scope.tenant)).toMatchObject({ code: 0 });
  });

  it('verify-counters repairs missing and negative counters, also of days and months without invoices', async () => {
    const Key = { pk: invoicePartition(scope), sk: counterSortKey('2026-03', 0) };
    await portal.engine.client.send(new DeleteCommand({ TableName: portal.engine.tables.Invoices, Key }));
    await corrupt(scope, '2026-02', 3, '28APR', -5);
    await corrupt(scope, '2025-12', 1, '31LIQ', 2);
    await corrupt(scope, '2026-04', 0, '01REV', 1);
    await corrupt(scope, '2026-04', 1, '01REV', -1);

    const { code, stdout } = await verify(scope.tenant, '--repair', '--json');
    const whose = { tenant: scope.tenant, supplier_id: scope.supplierId, repaired: true };
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      suppliers: 1,
      invoices: 3,
      repaired: 4,
      differences: [
        { ...whose, kind: 'counter', day: '2025-12-31', state_code: 'LIQ', counted: 0, stored: 2 },
        { ...whose, kind: 'counter', day: '2026-02-28', state_code: 'APR', counted: 0, stored: -5 },
        { ...whose, kind: 'fingerprint', day: '2026-03-15' },
        { ...whose, kind: 'counter', day: '2026-03-15', state_code: 'PEN', counted: 3, stored: 0 },
      ],
      busy: [],
    });
    expect(await rightCounters(portal.engine, scope)).toEqual({ '2026-03-15 PEN': 3 });
  });

  it('verify-counters verifies all suppliers of all tenants, or one supplier', async () => {
    const other = await newSupplier();
    await corrupt(scope, '2026-03', 0, '15PEN', 1);
    await corrupt(other.scope, '2026-03', 0, '15PEN', 1);
    const differing = async (...args: string[]) => {
      const { differences } = JSON.parse((await verify(...args, '--json')).stdout);
      return differences.map((difference: { supplier_id: string }) => difference.supplier_id).toSorted();
    };
    expect(await differing()).toEqual([scope.supplierId, other.scope.supplierId].toSorted());
    expect(await differing(scope.tenant, '--supplier', scope.supplierId)).toEqual([scope.supplierId]);
    await verify('--repair');
    expect(await differing()).toEqual([]);
  });
});

describe('verify-counters, of the rows of lists', () => {
  it('verify-counters repairs missing and differing rows, and rows of another time, state or invoice [service/list]', async () => {
    const [, second, third] = invoices as [Invoice, Invoice, Invoice];
    await behindItsBack.deleteRow(first, 0);
    await behindItsBack.putRows(second, { city: 'Lima', serviceNumber: 'SRV-1' }, [1]);
    const elsewhere = ['2026-02-28T23:59:59.999Z', '2026-03-15T10:30:00.001Z', '2026-03-20T00:00:00.000Z'];
    // The counters of the month are there: the invoice was counted in it.
    await behindItsBack.addTo('2026-02', 0, '01PEN', 0);
    for (const sortDate of elsewhere) await behindItsBack.putRows(third, { sortDate });
    for (const state of ['LIQ', 'XYZ']) await behindItsBack.putRows(third, { state: state as 'LIQ' }, [1]);
    // Of invoices that there are not.
    const [after, before] = [anInvoice({ invoiceId: `9${newId()}` }), anInvoice({ invoiceId: '0' })];
    await behindItsBack.putRows(after, {}, [0]);
    await behindItsBack.putRows(before, {}, [1]);
    await expectFound(
      `${first.invoiceId}: missing row of ${DATE} in all`,
      `${second.invoiceId}: differing row of ${DATE} in PEN`,
      ...elsewhere.flatMap((date) =>
        ['all', 'PEN'].map((list) => `${third.invoiceId}: stray row of ${date} in ${list}`),
      ),
      ...['LIQ', 'XYZ'].map((list) => `${third.invoiceId}: stray row of ${DATE} in ${list}`),
      `${after.invoiceId}: stray row of ${DATE} in all`,
      `${before.invoiceId}: stray row of ${DATE} in PEN`,
    );
  });

  it('verify-counters --json contains the invoice of each row', async () => {
    await behindItsBack.deleteRow(first, 0);
    await behindItsBack.putRows(first, { sortDate: '2026-03-16T00:00:00.000Z' }, [1]);
    const { code, stdout } = await verifyOwn('--json');
    expect(code).toBe(1);
    const owner = { tenant: scope.tenant, supplier_id: scope.supplierId };
    const row = { kind: 'row', ...owner, invoice_id: first.invoiceId, repaired: false };
    expect(JSON.parse(stdout)).toEqual({
      suppliers: 1,
      invoices: 3,
      repaired: 0,
      differences: [
        { ...row, fault: 'missing', list: 'all', date: DATE },
        { ...row, fault: 'stray', list: 'PEN', date: '2026-03-16T00:00:00.000Z' },
      ],
      busy: [],
    });
  });

  it('verify-counters compares the counters with the invoices, also if rows are wrong [meta/total]', async () => {
    await behindItsBack.deleteRow(first, 0);
    await behindItsBack.putRows(anInvoice({ invoiceId: '1' }), {}, [0]);
    await behindItsBack.putRows(invoices[1] as Invoice, { accountName: 'Otra' }, [0]);
    await behindItsBack.addTo('2026-03', 1, '15PEN', 2);
    const { stdout } = await verifyOwn();
    expect(stdout).toContain('2026-03-15 PEN: 3 counted, 5 stored\n1 suppliers, 3 invoices counted, 4 differences');
    expect((await verifyOwn('--repair')).code).toBe(0);
    expect(await rightCounters(portal.engine, scope)).toEqual({ '2026-03-15 PEN': 3 });
  });

  it('verify-counters repairs a row after the table was throttled', { tags: 'long' }, async () => {
    await behindItsBack.deleteRow(first, 0);
    portal.proxy.fail({ how: 'throttled-item', times: 3 });
    portal.proxy.fail({ how: 'throttle', operation: 'TransactGetItems', times: 2 });
    portal.proxy.fail({ how: 'throttle', operation: 'Query', times: 1 });
    const { endpoint } = portal.proxy.engine;
    expect(await runOps(endpoint, 'verify-counters', scope.tenant, '--repair')).toMatchObject({ code: 0, stderr: '' });
    expect(portal.proxy.hits.get('throttled-item')).toBe(3);
    expect(await rightCounters(portal.engine, scope)).toEqual({ '2026-03-15 PEN': 3 });
  });

  it('verify-counters reports an invoice as busy if every repair conflicts', { tags: 'long' }, async () => {
    await behindItsBack.deleteRow(first, 0);
    const takeBack = portal.proxy.fail({ how: 'conflict' });
    const { endpoint } = portal.proxy.engine;
    expect(await runOps(endpoint, 'verify-counters', scope.tenant, '--repair')).toEqual({
      code: 1,
      stdout: '1 suppliers, 3 invoices counted, 0 differences, 0 repaired\n',
      stderr:
        `busy      supplier ${scope.supplierId} of ${scope.tenant}, invoice ${first.invoiceId}: ` +
        'not verified, because it changed during every attempt; run the command again\n',
    });
    takeBack();
  });
});
