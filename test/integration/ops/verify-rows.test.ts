import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verifyRows } from '../../../lib/admin/counters/verify-counters.ts';
import { type AdminPorts, createAdminPorts } from '../../../lib/composition/admin-ports.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { rowsOf } from '../../../lib/storage/items/invoice-items.ts';
import { type EngineProxy, startEngineProxy } from '../../support/engine/engine-proxy.ts';
import { newId } from '../../support/data/seed.ts';
import { aDeclaration, anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { spoil } from '../../support/data/spoiled-rows.ts';
import { expectRightRows } from '../../support/data/stored-rows.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let ports: AdminPorts;
let scope: SupplierScope;

beforeAll(() => {
  ports = createAdminPorts(engine);
});
beforeEach(() => {
  scope = { tenant: 'rows.example', supplierId: newId() };
});

/** Verifies the rows of the supplier. Returns the differences of each invoice, and the result. */
async function verify({ repair = false, audit = ports.rows } = {}) {
  const faults: Record<string, string[]> = {};
  const counted = await ports.counters.months(scope);
  const verified = await verifyRows(audit, scope, counted, {
    repair,
    report: (finding) => {
      if (finding.kind !== 'row') throw new Error(`No row: ${JSON.stringify(finding)}`);
      (faults[finding.invoice_id] ??= []).push(`${finding.fault} ${finding.list}`);
    },
  });
  return { faults, ...verified };
}

describe('verify-counters, of the rows of a supplier', () => {
  it('verify-counters compares every attribute of a row [service/list]', async () => {
    const invoice = anInvoice({
      declaration: aDeclaration({ notes: 'Peaje', taxPct: decimal('21') }),
      providerInvoice: { number: 'F-1', date: '2026-03-16' },
    });
    await seedInvoices(engine, scope, [invoice]);
    const [inAll] = rowsOf(scope, invoice);
    const { pk: _pk, sk: _sk, ...attributes } = inAll;
    const behindItsBack = spoil(engine, scope);
    const changes = Object.entries(attributes).flatMap(([name, value]): [string, unknown][] => [
      [name, undefined],
      [name, value instanceof NumberValue ? NumberValue.from('1000.000001') : `${String(value)} `],
    ]);
    const otherTypes: [string, unknown][] = [
      ['city', null],
      ['city', { value: invoice.city }],
      ['system_amount', '1000'],
    ];
    expect(Object.keys(attributes)).toHaveLength(19);
    for (const [name, value] of [...changes, ...otherTypes, ['more', 1] as const]) {
      await behindItsBack.changeRow(inAll, { [name]: value });
      expect([name, value, (await verify({ repair: true })).faults]).toEqual([
        name,
        value,
        { [invoice.invoiceId]: ['differing all'] },
      ]);
    }
    expect((await verify()).faults).toEqual({});
  });

  it('verify-counters reads the rows of the months of invoices and of counters', async () => {
    const dates = ['2019-12-31T23:59:59.999Z', '2026-05-01T00:00:00Z', '2026-05-31T23:00:00Z', '2031-01-01T00:00:00Z'];
    const invoices = dates.map((invoiceDate) => anInvoice({ invoiceDate }));
    await seedInvoices(engine, scope, invoices);
    const behindItsBack = spoil(engine, scope);
    await behindItsBack.addTo('2026-03', 1, '02PEN', -1);
    const sortDate = '2026-03-02T00:00:00.000Z';
    await behindItsBack.putRows(invoices[0] as Invoice, { sortDate }, [0]);
    expect(await verify()).toEqual({
      faults: { [(invoices[0] as Invoice).invoiceId]: ['stray all'] },
      months: ['2019-12', '2026-03', '2026-05', '2031-01'],
      distrusted: new Set([(invoices[0] as Invoice).invoiceId]),
    });
    const { months } = await verifyRows(ports.rows, scope, [], { repair: false, report: () => {} });
    expect(months).toEqual(['2019-12', '2026-05', '2031-01']);
  });

  it('verify-counters finds the invoice of a row by its key, with the leading zeros of its id [service/list]', async () => {
    const invoices = ['7', '07', '007', '0'].map((invoiceId) => anInvoice({ invoiceId }));
    await seedInvoices(engine, scope, invoices);
    expect((await verify()).faults).toEqual({});
    for (const invoice of invoices) await spoil(engine, scope).changeRow(rowsOf(scope, invoice)[1], { invoice_id: 7 });
    const differing = ['differing PEN'];
    expect((await verify({ repair: true })).faults).toEqual({
      '7': differing,
      '07': differing,
      '007': differing,
      '0': differing,
    });
    await expectRightRows(engine, scope);
  });

  it('verify-counters does not read the rows of another supplier', async () => {
    await seedInvoices(engine, scope, [anInvoice()]);
    const other = { ...scope, supplierId: `${scope.supplierId}0` };
    const [foreign] = await seedInvoices(engine, other, [anInvoice()]);
    await spoil(engine, other).deleteRow(foreign as Invoice, 0);
    expect((await verify({ repair: true })).faults).toEqual({});
  });
});

describe('verifying the rows of several pages', () => {
  let proxy: EngineProxy;
  let invoices: readonly Invoice[];

  /** Verifies and repairs through the proxy; returns the differences, and the calls by their operations. */
  async function countCalls() {
    proxy.reset();
    const { faults } = await verify({ repair: true, audit: createAdminPorts(proxy.engine).rows });
    const calls = Map.groupBy(proxy.calls, ({ operation }) => operation);
    return { faults, calls: Object.fromEntries([...calls].map(([operation, of]) => [operation, of.length])) };
  }

  it('verify-counters sends one call for each page, and two for each row that it repairs', async () => {
    proxy = await startEngineProxy(engine);
    const day = (index: number) => `2026-03-${10 + (index % 17)}T10:00:00Z`;
    invoices = await seedInvoices(
      engine,
      scope,
      Array.from({ length: 700 }, (_, index) => anInvoice({ invoiceDate: day(index) })),
    );
    const clean = await countCalls();
    expect(clean.faults).toEqual({});
    expect(Object.keys(clean.calls)).toEqual(['Query']);
    // 700 invoices and 1,400 rows: pages of at most 1,000 items and 1 MiB.
    expect(clean.calls['Query']).toBe(3);

    const behindItsBack = spoil(engine, scope);
    await behindItsBack.deleteRow(invoices[7] as Invoice, 1);
    await behindItsBack.putRows(invoices[600] as Invoice, { state: 'LIQ' }, [1]);
    const wrong = await countCalls();
    expect(wrong.faults).toEqual({
      [(invoices[7] as Invoice).invoiceId]: ['missing PEN'],
      [(invoices[600] as Invoice).invoiceId]: ['stray LIQ'],
    });
    // The rows of the two days are read again, and each wrong row once more with its invoice.
    expect(wrong.calls).toEqual({ Query: 6, TransactGetItems: 2, TransactWriteItems: 2 });
    await expectRightRows(engine, scope);
    await proxy.close();
  });
});
