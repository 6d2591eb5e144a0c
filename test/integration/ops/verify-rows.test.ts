import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Finding, verifyRows, verifySupplier } from '../../../lib/admin/counters/verify-counters.ts';
import { type AdminPorts, createAdminPorts } from '../../../lib/composition/admin-ports.ts';
import type { RowAudit } from '../../../lib/storage/audit/audits.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { rowsOf } from '../../../lib/storage/items/invoice-items.ts';
import { type EngineProxy, startEngineProxy } from '../../support/engine/engine-proxy.ts';
import { changeInvoice } from '../../support/data/change-invoice.ts';
import { newId } from '../../support/data/seed.ts';
import { aDeclaration, anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { spoil } from '../../support/data/spoiled-rows.ts';
import { rightCounters } from '../../support/data/stored-invoices.ts';
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

/** Verifies the rows of the supplier; gives what is wrong with each invoice, and what was learnt. */
async function verify({ repair = false, audit = ports.rows } = {}) {
  const faults: Record<string, string[]> = {};
  const counted = await ports.counters.months(scope);
  const verified = await verifyRows(audit, scope, counted, {
    repair,
    report: (finding) => {
      if (finding.kind !== 'row') throw new Error(`No row: ${JSON.stringify(finding)}`);
      (faults[finding.invoiceId] ??= []).push(`${finding.fault} ${finding.list}`);
    },
  });
  return { faults, ...verified };
}

describe('the rows of a supplier', () => {
  it('are compared in everything that they hold [service/list]', async () => {
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

  it('are looked for in the months of its invoices and of its counters', async () => {
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

  it('belong to the invoice that their key names, with all zeros before its id [service/list]', async () => {
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

  it('of another supplier are none of its business', async () => {
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

  /** Verifies and repairs through the proxy; gives the faults, and the calls by their operations. */
  async function countCalls() {
    proxy.reset();
    const { faults } = await verify({ repair: true, audit: createAdminPorts(proxy.engine).rows });
    const calls = Map.groupBy(proxy.calls, ({ operation }) => operation);
    return { faults, calls: Object.fromEntries([...calls].map(([operation, of]) => [operation, of.length])) };
  }

  it('takes a call for each page, and some for each invoice that is wrong', async () => {
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
    // Of each row in the two days it reads the invoice, too, first in batches, and then of each wrong row alone.
    expect(wrong.calls).toMatchObject({ TransactGetItems: 2, TransactWriteItems: 2 });
    expect(wrong.calls['BatchGetItem']).toBe(7);
    expect(wrong.calls['Query']).toBe(6);
    await expectRightRows(engine, scope);
    await proxy.close();
  });
});

const ELSEWHERE = { sortDate: '2026-03-20T00:00:00.000Z' };
const change = (invoiceId: string, overrides: Partial<Invoice>, shard?: number) =>
  changeInvoice(engine, scope, invoiceId, overrides, shard);

let seeded: readonly Invoice[];
const seed = async () => {
  const invoices = Array.from({ length: 20 }, () => anInvoice());
  seeded = await seedInvoices(engine, scope, invoices);
};

/** An audit during whose first repair something happens just before it is written. */
function disturbed(happens: () => Promise<unknown>) {
  const repairs: boolean[] = [];
  const audit: RowAudit = {
    ...ports.rows,
    async repair(...args) {
      if (repairs.length === 0) await happens();
      const done = await ports.rows.repair(...args);
      repairs.push(done);
      return done;
    },
  };
  return { audit, repairs };
}

/** Repairs what is wrong with the supplier's rows; gives what was found. */
async function repairRows(audit: RowAudit) {
  const findings: Finding[] = [];
  await verifyRows(audit, scope, [], { repair: true, report: (finding) => findings.push(finding) });
  return findings;
}

describe('repairing the rows of an invoice while it is changed', () => {
  beforeEach(seed);

  it.each([
    [
      'a row that was stray when it was seen, and is right by now',
      ([invoice]: readonly Invoice[]) => invoice,
      (invoice: Invoice) => spoil(engine, scope).putRows(invoice, ELSEWHERE),
      (invoice: Invoice) => change(invoice.invoiceId, ELSEWHERE),
    ],
    [
      'the place of a missing row empty when its invoice has changed since',
      ([invoice]: readonly Invoice[]) => invoice,
      (invoice: Invoice) => spoil(engine, scope).deleteRow(invoice, 0),
      (invoice: Invoice) => change(invoice.invoiceId, { ...ELSEWHERE, state: 'APR' }),
    ],
    [
      'the rows of an invoice that did not exist when they were seen',
      () => anInvoice(),
      (invoice: Invoice) => spoil(engine, scope).putRows(invoice),
      (invoice: Invoice) => seedInvoices(engine, scope, [invoice]),
    ],
  ])('leaves %s [service/list]', async (_what, choose, makeWrong, happens) => {
    const invoice = choose(seeded) as Invoice;
    await makeWrong(invoice);
    const { audit, repairs } = disturbed(() => happens(invoice));
    expect(await repairRows(audit)).toEqual([]);
    expect(repairs).toEqual([false]);
    await expectRightRows(engine, scope);
  });

  it('does no harm, however many repair', async () => {
    const [invoice] = seeded as [Invoice];
    await spoil(engine, scope).deleteRow(invoice, 0);
    const findings = await Promise.all(Array.from({ length: 5 }, () => repairRows(ports.rows)));
    expect(findings.flat().filter(({ kind }) => kind === 'busy')).toEqual([]);
    await expectRightRows(engine, scope);
  });
});

describe('verifying rows and counters while other invoices are changed', () => {
  beforeEach(seed);

  it('finds exactly what is wrong, and takes no counter for wrong because of it', async () => {
    const [quiet, ...others] = seeded as [Invoice, ...Invoice[]];
    // Only months with invoices or counters are looked at.
    await seedInvoices(engine, scope, [anInvoice({ invoiceDate: '2026-04-01' })]);
    const behindItsBack = spoil(engine, scope);
    await behindItsBack.deleteRow(quiet, 0);
    await behindItsBack.putRows(quiet, { sortDate: '2026-04-02T00:00:00.000Z' }, [0]);
    const row = { kind: 'row', invoiceId: quiet.invoiceId, list: 'all', repaired: false };
    const changing = (index: number) =>
      change(others[index]!.invoiceId, { state: 'APR', sortDate: `2026-04-02T0${index}:00:00.000Z` }, index);
    let changes = 0;
    const counters = {
      ...ports.counters,
      async recount(...args: Parameters<typeof ports.counters.recount>) {
        if (changes < 6) await changing(changes++);
        const counted = await ports.counters.recount(...args);
        if (changes < 6) await changing(changes++);
        return counted;
      },
    };
    const findings: Finding[] = [];
    const options = { repair: false, report: (finding: Finding) => findings.push(finding) };
    expect(await verifySupplier({ ...ports, counters }, scope, options)).toBe(21);
    expect(changes).toBe(6);
    expect(findings).toEqual([
      { ...row, fault: 'missing', date: '2026-03-15T10:30:00.000Z' },
      { ...row, fault: 'stray', date: '2026-04-02T00:00:00.000Z' },
    ]);
    await repairRows(ports.rows);
    await rightCounters(engine, scope);
  });
});
