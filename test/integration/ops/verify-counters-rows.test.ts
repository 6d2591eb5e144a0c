import { beforeEach, describe, expect, it } from 'vitest';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { newId } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { spoil } from '../../support/data/spoiled-rows.ts';
import { dayCounters } from '../../support/data/stored-invoices.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

const portal = useWatchedPortal();
let scope: SupplierScope;
let invoices: readonly Invoice[];
let first: Invoice;
let behindItsBack: ReturnType<typeof spoil>;

beforeEach(async () => {
  ({ scope } = (await portal.newCaller()).account);
  invoices = await seedInvoices(portal.engine, scope, [anInvoice(), anInvoice(), anInvoice()]);
  [first] = invoices as [Invoice];
  behindItsBack = spoil(portal.engine, scope);
});

const DATE = '2026-03-15T10:30:00.000Z';

const verify = (...args: string[]) => runOps(portal.engine.endpoint, 'verify-counters', scope.tenant, ...args);

/** Verifies, repairs and verifies again: it must name exactly these rows, each as `<invoice id>: <what is wrong>`. */
async function expectFound(...wrong: readonly string[]) {
  const count = wrong.length;
  const lines = (outcome: string) =>
    wrong.map((row) => `${outcome}supplier ${scope.supplierId} of ${scope.tenant}, invoice ${row}\n`);
  const total = (repaired: number) => `1 suppliers, 3 invoices counted, ${count} differences, ${repaired} repaired\n`;
  const found = async (...args: string[]) => {
    const { stdout, ...rest } = await verify(...args);
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
  expect(await verify()).toMatchObject({
    code: 0,
    stdout: '1 suppliers, 3 invoices counted, 0 differences, 0 repaired\n',
  });
  const { stored, counted } = await dayCounters(portal.engine, scope);
  expect(stored).toEqual(counted);
}

describe('verify-counters, of the rows of lists', () => {
  it.each([
    [0, 'all'],
    [1, 'PEN'],
  ] as const)('finds a row that is missing, and puts it back: row %d [service/list]', async (at, list) => {
    await behindItsBack.deleteRow(first, at);
    await expectFound(`${first.invoiceId}: missing row of ${DATE} in ${list}`);
  });

  it.each([
    [0, 'all'],
    [1, 'PEN'],
  ] as const)('finds a row that holds something else, and sets it right: row %d [service/list]', async (at, list) => {
    await behindItsBack.putRows(first, { city: 'Lima', serviceNumber: 'SRV-1' }, [at]);
    await expectFound(`${first.invoiceId}: differing row of ${DATE} in ${list}`);
  });

  it.each([
    ['another day', { sortDate: '2026-03-20T00:00:00.000Z' }],
    ['another time of the day', { sortDate: '2026-03-15T10:30:00.001Z' }],
    ['another month', { sortDate: '2026-02-28T23:59:59.999Z' }],
  ])('finds rows that were left when an invoice moved: %s [service/list]', async (_, changes) => {
    // The counters of the month are there: the invoice was counted in it.
    await behindItsBack.addTo(changes.sortDate.slice(0, 7), 0, '01PEN', 0);
    await behindItsBack.putRows(first, changes);
    const { sortDate } = changes;
    await expectFound(...['all', 'PEN'].map((list) => `${first.invoiceId}: stray row of ${sortDate} in ${list}`));
  });

  it('finds the row of a state in which the invoice is not, known or not [service/list]', async () => {
    await behindItsBack.putRows(first, { state: 'LIQ' }, [1]);
    await behindItsBack.putRows(first, { state: 'XYZ' as 'LIQ' }, [1]);
    await expectFound(...['LIQ', 'XYZ'].map((list) => `${first.invoiceId}: stray row of ${DATE} in ${list}`));
  });

  it('finds the rows of an invoice that there is not [service/list]', async () => {
    const [known, unknown] = [anInvoice({ invoiceId: `9${newId()}` }), anInvoice({ invoiceId: '0' })];
    await behindItsBack.putRows(known, {}, [0]);
    await behindItsBack.putRows(unknown, {}, [1]);
    await expectFound(
      `${known.invoiceId}: stray row of ${DATE} in all`,
      `${unknown.invoiceId}: stray row of ${DATE} in PEN`,
    );
  });

  it('tells scripts the invoice of each row', async () => {
    await behindItsBack.deleteRow(first, 0);
    await behindItsBack.putRows(first, { sortDate: '2026-03-16T00:00:00.000Z' }, [1]);
    const { code, stdout } = await verify('--json');
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

  it('judges the counters by the invoices, not by wrong rows [meta/total]', async () => {
    await behindItsBack.deleteRow(first, 0);
    await behindItsBack.putRows(anInvoice({ invoiceId: '1' }), {}, [0]);
    await behindItsBack.putRows(invoices[1] as Invoice, { accountName: 'Otra' }, [0]);
    await behindItsBack.addTo('2026-03', 1, '15PEN', 2);
    const { stdout } = await verify();
    expect(stdout).toContain('2026-03-15 PEN: 3 counted, 5 stored\n1 suppliers, 3 invoices counted, 4 differences');
    expect((await verify('--repair')).code).toBe(0);
    expect((await dayCounters(portal.engine, scope)).stored).toEqual({ '2026-03-15 PEN': 3 });
  });

  it('names a fingerprint that is wrong without its digits', async () => {
    await behindItsBack.addTo('2026-03', 1, '15', 7);
    const where = `supplier ${scope.supplierId} of ${scope.tenant}, 2026-03-15: `;
    expect((await verify()).stdout).toContain(`differs   ${where}the fingerprint is not that of its invoices\n`);
    expect((await verify('--repair')).code).toBe(0);
    expect((await dayCounters(portal.engine, scope)).stored).toEqual({ '2026-03-15 PEN': 3 });
  });

  it('repairs although the engine has no room for a while', async () => {
    await behindItsBack.deleteRow(first, 0);
    portal.proxy.fail({ how: 'throttled-item', times: 3 });
    portal.proxy.fail({ how: 'throttle', operation: 'TransactGetItems', times: 2 });
    portal.proxy.fail({ how: 'throttle', operation: 'Query', times: 1 });
    const { endpoint } = portal.proxy.engine;
    expect(await runOps(endpoint, 'verify-counters', scope.tenant, '--repair')).toMatchObject({ code: 0, stderr: '' });
    expect(portal.proxy.hits.get('throttled-item')).toBe(3);
    expect((await dayCounters(portal.engine, scope)).stored).toEqual({ '2026-03-15 PEN': 3 });
  });

  it('reports an invoice that cannot be repaired as busy', async () => {
    await behindItsBack.deleteRow(first, 0);
    const takeBack = portal.proxy.fail({ how: 'conflict' });
    const { endpoint } = portal.proxy.engine;
    expect(await runOps(endpoint, 'verify-counters', scope.tenant, '--repair')).toEqual({
      code: 1,
      stdout: '1 suppliers, 3 invoices counted, 0 differences, 0 repaired\n',
      stderr:
        `busy      supplier ${scope.supplierId} of ${scope.tenant}, invoice ${first.invoiceId}: ` +
        'kept being changed while it was read\n',
    });
    takeBack();
  });
});
