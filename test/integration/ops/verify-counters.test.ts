import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { counterSortKey, invoicePartition } from '../../../lib/storage/items/keys.ts';
import type { Invoke } from '../../support/service/handlers.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { newId } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { spoil } from '../../support/data/spoiled-rows.ts';
import { dayCounters } from '../../support/data/stored-invoices.ts';

const portal = useWatchedPortal();
let scope: SupplierScope;
let call: Invoke;

beforeEach(async () => {
  ({ call, scope } = await newSupplier());
});

/** A supplier with three pending invoices of 15 March, and the calls of its user. */
async function newSupplier() {
  const caller = await portal.newCaller();
  await seedInvoices(portal.engine, caller.account.scope, [anInvoice(), anInvoice(), anInvoice()]);
  return { call: caller.call, scope: caller.account.scope };
}

/** Adds to a counter behind the service's back. */
const corrupt = (owner: SupplierScope, ...addition: Parameters<ReturnType<typeof spoil>['addTo']>) =>
  spoil(portal.engine, owner).addTo(...addition);

const verify = (...args: string[]) => runOps(portal.engine.endpoint, 'verify-counters', ...args);

async function listedTotal() {
  const { body } = await call('list-invoices', { query: { startdate: '2026-02-01', enddate: '2026-04-30' } });
  return body.meta?.total;
}

describe('verify-counters', () => {
  it('finds nothing wrong with what the service counted', async () => {
    expect(await verify(scope.tenant)).toEqual({
      code: 0,
      stdout: '1 suppliers, 3 invoices counted, 0 differences, 0 repaired\n',
      stderr: '',
    });
  });

  it('reports a corrupted counter, and repairs it when it is told to [meta/total]', async () => {
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

  it('repairs missing and negative counters, and those of days and months without invoices', async () => {
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
    expect((await dayCounters(portal.engine, scope)).stored).toEqual({ '2026-03-15 PEN': 3 });
  });

  it('verifies every supplier of every tenant, or the one that is named', async () => {
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

  it(
    'reports a month that is changed all the time as busy, and neither as right nor as wrong',
    { tags: 'long' },
    async () => {
      const done = new AbortController();
      const storm = (async () => {
        while (!done.signal.aborted) await seedInvoices(portal.engine, scope, [anInvoice({ invoiceId: newId() })]);
      })();
      portal.proxy.delayMs = 50;
      const run = await runOps(portal.proxy.engine.endpoint, 'verify-counters', scope.tenant, '--repair');
      portal.proxy.delayMs = 0;
      done.abort();
      await storm;
      expect(run).toEqual({
        code: 1,
        stdout: '1 suppliers, 0 invoices counted, 0 differences, 0 repaired\n',
        stderr: `busy      supplier ${scope.supplierId} of ${scope.tenant}, 2026-03: kept being changed while it was read\n`,
      });
    },
  );

  it.each([
    [['nobody.example'], 'There is no tenant nobody.example.\n'],
    [['--supplier', '1'], '--supplier belongs to a tenant: name it.\n'],
  ])('refuses %j', async (args, reason) => {
    expect(await verify(...args)).toEqual({ code: 2, stdout: '', stderr: reason });
  });

  it('refuses a supplier that the tenant does not have', async () => {
    const stderr = `There is no supplier 1 in ${scope.tenant}.\n`;
    expect(await verify(scope.tenant, '--supplier', '1')).toEqual({ code: 2, stdout: '', stderr });
  });
});
