import { DeleteCommand, NumberValue } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { verifySupplier } from '../../../infra/ops/maintenance/verify-counters.ts';
import { createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { buildRows } from '../../../lib/tables/invoice-items.ts';
import { buildCounterSortKey, buildInvoicePartition } from '../../../lib/tables/keys.ts';
import { newId } from '../../support/data/seed.ts';
import { buildDeclaration, buildInvoice, changeInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { createTableEditor } from '../../support/data/spoiled-rows.ts';
import { readConsistentCounters } from '../../support/data/stored-invoices.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import type { Invoke } from '../../support/service/handlers.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { proves } from '../../rules/proves.ts';

const portal = useWatchedPortal();
let scope: SupplierScope;
let call: Invoke;
let invoices: readonly [Invoice, Invoice, Invoice];
let first: Invoice;
let damage: ReturnType<typeof createTableEditor>;

beforeEach(async () => {
  ({ call, scope, invoices } = await createSupplier());
  [first] = invoices;
  damage = createTableEditor(portal.engine, scope);
});

/** Creates a supplier with three pending invoices of 15 March. */
async function createSupplier() {
  const caller = await portal.newCaller();
  const { scope: owner } = caller.account;
  const seeded = await seedInvoices(portal.engine, owner, [buildInvoice(), buildInvoice(), buildInvoice()]);
  return { call: caller.call, scope: owner, invoices: seeded as [Invoice, Invoice, Invoice] };
}

const verifyAll = (...args: string[]) => runOps(portal.engine.endpoint, 'verify-counters', ...args);
const verifyTenant = (...args: string[]) => verifyAll(scope.tenant, ...args);
/** Runs the command through the proxy, which counts calls and can make them fail. */
const verifyByProxy = (...args: string[]) =>
  runOps(portal.proxy.engine.endpoint, 'verify-counters', scope.tenant, ...args);

async function readListTotal() {
  const { body } = await call('list-invoices', { query: { startdate: '2026-02-20', enddate: '2026-04-10' } });
  return body.meta?.total;
}

const DATE = '2026-03-15T10:30:00.000Z';

/** Verifies, repairs and verifies again. Expects exactly the rows `<invoice id>: <error>` in the reports. */
async function expectDifferences(...wrong: readonly string[]) {
  const formatLines = (outcome: string) =>
    wrong.map((row) => `${outcome}supplier ${scope.supplierId} of ${scope.tenant}, invoice ${row}\n`);
  const formatTotal = (differences: number, repaired: number) =>
    `1 suppliers, 3 invoices counted, ${differences} differences, ${repaired} repaired\n`;
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await verifyTenant(...args);
    return { code, stderr, lines: stdout.split(/(?<=\n)/).toSorted() };
  };
  const differs = [formatTotal(wrong.length, 0), ...formatLines('differs   ')].toSorted();
  expect(await run()).toEqual({ code: 1, stderr: '', lines: differs });
  const repaired = [formatTotal(wrong.length, wrong.length), ...formatLines('repaired  ')].toSorted();
  expect(await run('--repair')).toEqual({ code: 0, stderr: '', lines: repaired });
  expect(await run()).toEqual({ code: 0, stderr: '', lines: [formatTotal(0, 0)] });
  await readConsistentCounters(portal.engine, scope);
}

describe('the counters of lists', () => {
  it('verify-counters reports a wrong counter, and repairs it with --repair', async () => {
    proves('meta/total');
    await damage.addToCounter('2026-03', 2, '15PEN', 4);
    const where = `supplier ${scope.supplierId} of ${scope.tenant}, 2026-03-15 PEN: 3 counted, 7 stored\n`;
    expect(await verifyTenant()).toEqual({
      code: 1,
      stdout: `differs   ${where}1 suppliers, 3 invoices counted, 1 differences, 0 repaired\n`,
      stderr: '',
    });
    expect(await readListTotal()).toBe(7);
    expect((await verifyTenant('--repair')).stdout).toMatch(`repaired  ${where}`);
    expect(await readListTotal()).toBe(3);
  });

  it('verify-counters repairs missing and negative counters, also of days and months without invoices', async () => {
    const Key = { pk: buildInvoicePartition(scope), sk: buildCounterSortKey('2026-03', 0) };
    await portal.engine.client.send(new DeleteCommand({ TableName: portal.engine.tables.Invoices, Key }));
    await damage.addToCounter('2026-02', 3, '28APR', -5);
    await damage.addToCounter('2025-12', 1, '31LIQ', 2);
    await damage.addToCounter('2026-04', 0, '01REV', 1);
    await damage.addToCounter('2026-04', 1, '01REV', -1);

    const { code, stdout } = await verifyTenant('--repair', '--json');
    const whose = { tenant: scope.tenant, supplier_id: scope.supplierId, repaired: true };
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      suppliers: 1,
      invoices: 3,
      repaired: 4,
      busy: [],
      differences: [
        { ...whose, kind: 'counter', day: '2025-12-31', state_code: 'LIQ', counted: 0, stored: 2 },
        { ...whose, kind: 'counter', day: '2026-02-28', state_code: 'APR', counted: 0, stored: -5 },
        { ...whose, kind: 'fingerprint', day: '2026-03-15' },
        { ...whose, kind: 'counter', day: '2026-03-15', state_code: 'PEN', counted: 3, stored: 0 },
      ],
    });
    expect(await readConsistentCounters(portal.engine, scope)).toEqual({ '2026-03-15 PEN': 3 });
  });

  it('verify-counters verifies all suppliers of all tenants, or one supplier', async () => {
    const other = await createSupplier();
    await damage.addToCounter('2026-03', 0, '15PEN', 1);
    await createTableEditor(portal.engine, other.scope).addToCounter('2026-03', 0, '15PEN', 1);
    const findDiffering = async (...args: string[]) => {
      const { differences } = JSON.parse((await verifyAll(...args, '--json')).stdout);
      return differences.map((difference: { supplier_id: string }) => difference.supplier_id).toSorted();
    };
    expect(await findDiffering()).toEqual([scope.supplierId, other.scope.supplierId].toSorted());
    expect(await findDiffering(scope.tenant, '--supplier', scope.supplierId)).toEqual([scope.supplierId]);
    await verifyAll('--repair');
    expect(await findDiffering()).toEqual([]);
  });

  it('verify-counters adds up the invoices of all suppliers of a tenant, which it verifies in parallel', async () => {
    const colleague = await portal.newCaller({ tenant: { tenant: scope.tenant } });
    await seedInvoices(portal.engine, colleague.account.scope, [buildInvoice(), buildInvoice()]);
    expect((await verifyTenant()).stdout).toBe('2 suppliers, 5 invoices counted, 0 differences, 0 repaired\n');
  });
});

describe('the rows of lists', () => {
  it('verify-counters repairs missing and differing rows, and rows of another time, state or invoice', async () => {
    proves('service/list');
    const [, second, third] = invoices;
    await damage.deleteRow(first, 0);
    await damage.putRows(second, { city: 'Lima', serviceNumber: 'SRV-1' }, [1]);
    const elsewhere = ['2026-02-28T23:59:59.999Z', '2026-03-15T10:30:00.001Z', '2026-03-20T00:00:00.000Z'];
    // The counter item of this month exists, because the invoice was counted in it before.
    await damage.addToCounter('2026-02', 0, '01PEN', 0);
    for (const sortDate of elsewhere) await damage.putRows(third, { sortDate });
    for (const state of ['LIQ', 'XYZ']) await damage.putRows(third, { state: state as 'LIQ' }, [1]);
    const [after, before] = [buildInvoice({ invoiceId: `9${newId()}` }), buildInvoice({ invoiceId: '0' })];
    await damage.putRows(after, {}, [0]);
    await damage.putRows(before, {}, [1]);
    await expectDifferences(
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

  it('verify-counters compares every attribute of a row, and finds its invoice by its key, also with leading zeros', async () => {
    const declaration = buildDeclaration({ notes: 'Peaje', taxPct: decimal('21') });
    const providerInvoice = { number: 'F-1', date: '2026-03-16' };
    const invoice = buildInvoice({ invoiceId: '007', declaration, providerInvoice });
    await seedInvoices(portal.engine, scope, [invoice, buildInvoice({ invoiceId: '7' })]);
    const [inAll] = buildRows(scope, invoice);
    const { pk: _pk, sk: _sk, ...attributes } = inAll;
    const changes = Object.entries(attributes).flatMap(([name, value]): [string, unknown][] => [
      [name, undefined],
      [name, value instanceof NumberValue ? NumberValue.from('1000.000001') : `${String(value)} `],
    ]);
    expect(Object.keys(attributes)).toHaveLength(19);
    const types = { city: { value: invoice.city }, system_amount: '1000', invoice_id: 7, more: 1 };
    for (const [name, value] of [...changes, ['city', null], ...Object.entries(types)] as const) {
      await damage.changeRow(inAll, { [name]: value });
      const line = /^repaired .*, invoice 007: differing row of \S+ in all\n.* 1 differences, 1 repaired\n$/;
      expect([name, value, (await verifyTenant('--repair')).stdout]).toEqual([
        name,
        value,
        expect.stringMatching(line),
      ]);
    }
    await readConsistentCounters(portal.engine, scope);
  });

  it('verify-counters compares the counters with the invoices, also if rows are wrong, and prints each row with --json', async () => {
    await damage.deleteRow(first, 0);
    await damage.putRows(first, { sortDate: '2026-03-16T00:00:00.000Z' }, [1]);
    await damage.putRows(buildInvoice({ invoiceId: '1' }), {}, [0]);
    await damage.addToCounter('2026-03', 1, '15PEN', 2);
    const { differences } = JSON.parse((await verifyTenant('--json')).stdout);
    const owner = { tenant: scope.tenant, supplier_id: scope.supplierId, repaired: false };
    const row = { ...owner, kind: 'row', invoice_id: first.invoiceId };
    const rows = [
      { ...row, fault: 'missing', list: 'all', date: DATE },
      { ...row, fault: 'stray', list: 'PEN', date: '2026-03-16T00:00:00.000Z' },
      { ...row, fault: 'stray', list: 'all', date: DATE, invoice_id: '1' },
    ];
    const counter = { ...owner, kind: 'counter', day: '2026-03-15', state_code: 'PEN', counted: 3, stored: 5 };
    expect(differences.slice(0, 3)).toEqual(expect.arrayContaining(rows));
    expect(differences.slice(3)).toEqual([counter]);
    expect((await verifyTenant('--repair')).code).toBe(0);
    expect(await readConsistentCounters(portal.engine, scope)).toEqual({ '2026-03-15 PEN': 3 });
  });

  it('verify-counters repairs a row after the table was throttled', { tags: 'long' }, async () => {
    await damage.deleteRow(first, 0);
    portal.proxy.injectFault({ how: 'throttled-item', times: 3 });
    portal.proxy.injectFault({ how: 'throttle', operation: 'TransactGetItems', times: 2 });
    portal.proxy.injectFault({ how: 'throttle', operation: 'Query', times: 1 });
    expect(await verifyByProxy('--repair')).toMatchObject({ code: 0, stderr: '' });
    expect(portal.proxy.hits.get('throttled-item')).toBe(3);
    expect(await readConsistentCounters(portal.engine, scope)).toEqual({ '2026-03-15 PEN': 3 });
  });

  it('verify-counters reports an invoice as busy if every repair conflicts', { tags: 'long' }, async () => {
    await damage.deleteRow(first, 0);
    const endConflicts = portal.proxy.injectFault({ how: 'conflict' });
    expect(await verifyByProxy('--repair')).toEqual({
      code: 1,
      stdout: '1 suppliers, 3 invoices counted, 0 differences, 0 repaired\n',
      stderr:
        `busy      supplier ${scope.supplierId} of ${scope.tenant}, invoice ${first.invoiceId}: ` +
        'not verified, because it changed during every attempt; run the command again\n',
    });
    endConflicts();
  });
});

const RUNS = 20;
const DATES = [DATE, '2026-03-16T00:00:00.000Z', '2026-04-02T00:00:00.000Z'];

const READ_ROWS = 'QueryCommand';
const READ_ROW = 'TransactGetCommand';
const WRITE = 'TransactWriteItemsCommand';

/** Creates an audit whose calls `intercept` can precede, follow or replace. */
function createInterceptedAudit(intercept: (command: string, send: () => Promise<object>, input: object) => unknown) {
  const send = async (command: Parameters<typeof portal.engine.client.send>[0]) =>
    intercept(command.constructor.name, () => portal.engine.client.send(command), command.input);
  const client = new Proxy(portal.engine.client, {
    get: (target, name) => (name === 'send' ? send : Reflect.get(target, name)),
  });
  return createAdminPorts({ client, tables: portal.engine.tables }).lists;
}

/** Verifies the supplier; returns the number of its invoices, and the kinds of all findings. */
async function verifyDirectly(repair: boolean, audit = createAdminPorts(portal.engine).lists) {
  const kinds: string[] = [];
  const counted = await verifySupplier(
    audit,
    scope,
    repair ? audit.repairItems : null,
    (_, { kind }) => void kinds.push(kind),
  );
  return { counted, kinds };
}

/** A change of an invoice by the service, or a new invoice, before a call of the audit. */
const serviceChanges = fc.record({
  before: fc.constantFrom(READ_ROWS, READ_ROWS, READ_ROW, WRITE, WRITE),
  isNew: fc.nat({ max: 5 }).map((number) => number === 0),
  state: fc.constantFrom('PEN' as const, 'APR' as const),
  sortDate: fc.constantFrom(...DATES),
});
/** A row of the invoice that is deleted (no date) or added. */
const rowDamages = fc.record({
  list: fc.constantFrom(0 as const, 1 as const),
  sortDate: fc.constantFrom(undefined, undefined, ...DATES.slice(1)),
});
/** A counter that changes without an invoice. */
const counterDamages = fc.record({ counter: fc.constantFrom('15PEN', '15', '02APR'), added: fc.constantFrom(-1, 1) });
const damages = fc.oneof({ arbitrary: rowDamages, weight: 3 }, { arbitrary: counterDamages, weight: 1 });

it('verify-counters --repair writes no counters of a supplier that is erased at the same time', async () => {
  await seedInvoices(portal.engine, scope, [buildInvoice()]);
  await damage.addToCounter('2026-03', 0, '15PEN', 1);
  const { invoiceRecords, lists } = createAdminPorts(portal.engine);
  let erasures = 0;
  const audit = createInterceptedAudit(async (command, send) => {
    if (command === WRITE && erasures++ === 0) await invoiceRecords.removeRest(scope);
    return send();
  });
  await verifyDirectly(true, audit);
  expect(erasures).toBeGreaterThan(0);
  expect(await lists.months(scope)).toEqual([]);
});

it('verify-counters during writes reports no changes of the service as differences, and leaves exact rows and counters', async () => {
  const property = fc.asyncProperty(
    fc.array(damages, { minLength: 1, maxLength: 2 }),
    fc.array(serviceChanges, { maxLength: 4 }),
    fc.constantFrom(0, 1, 1, 2),
    async (damaged, changed, repairers) => {
      scope = { tenant: scope.tenant, supplierId: newId() };
      const seeds = [buildInvoice(), buildInvoice(), buildInvoice({ invoiceDate: '2026-04-01' })];
      const [invoice] = (await seedInvoices(portal.engine, scope, seeds)) as [Invoice];
      damage = createTableEditor(portal.engine, scope);
      for (const one of damaged) {
        if ('counter' in one) await damage.addToCounter('2026-03', 0, one.counter, one.added);
        else if (one.sortDate === undefined) await damage.deleteRow(invoice, one.list);
        else await damage.putRows(invoice, { sortDate: one.sortDate }, [one.list]);
      }
      const waiting = [...changed];
      const write = async (command: string) => {
        const [change] = waiting.splice(waiting.findIndex(({ before }) => before === command) >>> 0, 1);
        if (!change) return;
        const { state, sortDate, isNew } = change;
        if (isNew) await seedInvoices(portal.engine, scope, [buildInvoice({ state, invoiceDate: sortDate })]);
        else await changeInvoice(portal.engine, scope, invoice.invoiceId, { state, sortDate });
      };
      const calls: string[] = [];
      const audit = createInterceptedAudit(async (command, send) => {
        calls.push(command);
        await write(command);
        return send();
      });
      const runs = Array.from({ length: repairers || 1 }, () => verifyDirectly(repairers > 0, audit));
      const found = (await Promise.all(runs)).flatMap(({ kinds }) => kinds);

      const isRowDamaged = damaged.some((one) => 'list' in one);
      const isCounterDamaged = damaged.some((one) => 'counter' in one);
      for (const kind of found) expect(kind === 'row' ? isRowDamaged : isCounterDamaged).toBe(true);
      if (repairers === 0) {
        expect(calls).not.toContain(WRITE);
        return;
      }
      expect((await verifyDirectly(false)).kinds).toEqual([]);
      await readConsistentCounters(portal.engine, scope);
    },
  );
  await fc.assert(property, { numRuns: RUNS });
});

/** Creates an audit in which `intercept` replaces the counting of the rows of a month. */
function createAuditWithCount(intercept: (count: () => Promise<object>) => Promise<object>) {
  return createInterceptedAudit((_, send, input) =>
    'ProjectionExpression' in input && String(input.ProjectionExpression).includes('search_text')
      ? intercept(send)
      : send(),
  );
}

it('verify-counters does not repair a difference that a second count does not find', async () => {
  let counts = 0;
  // The writes of a transaction become visible one by one, so a first count can miss rows.
  const audit = createAuditWithCount(async (count) => (counts++ === 0 ? {} : count()));
  expect([await verifyDirectly(true, audit), counts]).toEqual([{ counted: 3, kinds: [] }, 2]);
  await readConsistentCounters(portal.engine, scope);
});

it(
  'verify-counters reports a month as busy if it changes and changes back during every count',
  { tags: 'long' },
  async () => {
    const setState = (state: 'APR' | 'PEN') => changeInvoice(portal.engine, scope, first.invoiceId, { state }, 1);
    const audit = createAuditWithCount(async (count) => {
      await setState('APR');
      const counted = await count();
      await setState('PEN');
      return counted;
    });
    expect(await verifyDirectly(true, audit)).toEqual({ counted: 0, kinds: ['busy'] });
  },
);
