import { EventEmitter } from 'node:events';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { selectTolerance } from '../../../lib/domain/tolerance.ts';
import { declareAmounts } from '../../../lib/invoices/declare-amounts.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { type Key, scanPages } from '../../../lib/tables/dynamodb/reads.ts';
import {
  buildDayIndexKey,
  buildInvoicePartition,
  buildRowPartition,
  buildStateChangePrefix,
} from '../../../lib/tables/keys.ts';
import type { OperatorEntry } from '../../../infra/ops/tables/operator-entries.ts';
import { createTestDeclarationStore, declareInNewStore } from '../../support/data/declare-one.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readConsistentCounters } from '../../support/data/stored-invoices.ts';
import type { Fault } from '../../support/engine/engine-faults.ts';
import { apiKey, applyFile, company, supplier, user } from '../../support/ops/apply-lists.ts';
import { newId } from '../../support/data/seed.ts';
import { KEYS, runCli, runOnTerminal, runOps } from '../../support/ops/run-ops.ts';
import type { ScriptRun } from '../../support/processes/run-script.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

const portal = useWatchedPortal();
const WRITES = /^(?:Transact?Write|Put|Update|Delete)/;
const users = [
  { ...user, supplier_id: '5001' },
  { ...user, user_id: '200', email: 'eva@y.example', username: null, supplier_id: '6001' },
];
let tenant: string;
let erased: SupplierScope;
let other: SupplierScope;

// Supplier 5001 has the invoices 7 (declared twice), 70 (withdrawn after a declaration) and 700 (settled).
beforeEach(async () => {
  tenant = `t${newId()}.example`;
  [erased, other] = ['5001', '6001'].map((supplierId) => ({ tenant, supplierId })) as [SupplierScope, SupplierScope];
  await applyFile(portal.engine, tenant, {
    companies: [company],
    suppliers: ['5001', '6001'].map((supplier_id) => ({ ...supplier, supplier_id })),
    users,
    api_keys: [apiKey],
  });
  const invoices = ['7', '70', '700'].map((invoiceId) => buildInvoice({ invoiceId }));
  await seedInvoices(portal.engine, erased, invoices);
  await seedInvoices(portal.engine, other, invoices);
  for (const [id, amount] of [
    ['7', 900],
    ['7', 901],
    ['70', 902],
  ] as const)
    await declare(erased, id, amount);
  await declare(other, '7', 800);
  await run('withdraw-invoice', '70', '--supplier', '5001', '--revision', '1', '--reason', 'Twice');
  await run('set-state', '700', 'LIQ', '--supplier', '5001', '--reason', 'Paid');
  await run('suspend-company', company.company_id);
  const { client, tables } = portal.engine;
  await client.send(new PutCommand({ TableName: tables.DayIndexes, Item: buildDayIndexKey(erased, '2026-03-15', 0) }));
});

const run = (command: string, ...args: readonly string[]) =>
  runOps(portal.proxy.engine.endpoint, command, tenant, ...args);
const create = (invoiceId: string) => seedInvoices(portal.engine, erased, [buildInvoice({ invoiceId })]);
const declare = (scope: SupplierScope, invoiceId: string, amount: number) =>
  declareInNewStore(portal.engine, scope, { invoiceId, amount }, { requestId: `request-${scope.supplierId}` });

/** Reads the items of all tables whose keys contain this text, except the operator record. */
async function readItems(text: string): Promise<Key<unknown>[]> {
  const { client, tables } = portal.engine;
  const scans = ['Directory', 'Invoices', 'Declarations', 'DayIndexes'] as const;
  const items = scans.map((name) => collectPages(scanPages<Key<unknown>>(client, { TableName: tables[name] })));
  const ownItems = (await Promise.all(items)).flat().filter(({ pk }) => !pk.startsWith('OPERATOR#'));
  return ownItems.filter(({ pk, sk }) => `${pk}#${String(sk)}`.includes(text));
}

async function exportAll(since: readonly string[] = []) {
  const { code, stdout } = await run('export-declarations', ...since, '--json');
  const { declarations, cursor } = JSON.parse(stdout) as { declarations: Record<string, unknown>[]; cursor: string };
  const amounts = declarations.map(({ declared_amount: amount }) => Number(amount)).toSorted((a, b) => a - b);
  return { code, amounts, cursor };
}

it('erase-supplier erases all data of a supplier, and exports, their cursors and other suppliers are unchanged', async () => {
  const earlier = await exportAll();
  const { code, stdout } = await run('erase-supplier', '5001');
  expect([code, stdout.split('\n')[0]]).toEqual([
    0,
    `Erased from supplier 5001 (Supplier) of ${tenant}: 3 invoices, 3 declarations, 2 state changes, 1 users.`,
  ]);
  expect(await readItems(`${tenant}#5001`)).toEqual([]);
  const erasedUser = expect.objectContaining({ user_id: '100', erased_at: expect.anything() });
  expect((await readItems(`TENANT#${tenant}#USER#`))[0]).toEqual(erasedUser);
  expect(JSON.stringify(await readItems(tenant))).not.toMatch(/Ana@x|request-5001/i);
  expect((await run('list-suppliers')).stdout).not.toMatch(/^5001/m);

  expect(earlier.amounts).toEqual([800, 900, 901, 902]);
  expect(await exportAll()).toMatchObject({ code: 0, amounts: [800] });
  await declare(other, '70', 801);
  expect(await exportAll(['--since', earlier.cursor])).toMatchObject({ code: 0, amounts: [801] });
  const findRequest = (id: string) => runOps(portal.engine.endpoint, 'find-request', id);
  expect([(await findRequest('request-5001')).code, (await findRequest('request-6001')).code]).toEqual([1, 0]);
  await readConsistentCounters(portal.engine, other);
  const again = await run('erase-supplier', '5001');
  expect([again.code, again.stderr]).toEqual([2, `The supplier 5001 of ${tenant} does not exist.\n`]);
});

it.each(['close-connection', 'lose-response'] as const)(
  'an erasure that ends at any write (%s) leaves exact lists and a complete log, and another run continues it',
  { tags: 'long' },
  async (how) => {
    let runs = 0;
    let code: unknown;
    // If the last response is lost, another run no longer finds the supplier.
    for (; code !== 0 && code !== 2; runs += 1) {
      portal.proxy.reset();
      let writes = 0;
      portal.proxy.onCall = (operation) => {
        // Each run erases more than the run before. The first write is the entry of the operator record.
        if (WRITES.test(operation) && writes++ === 2) portal.proxy.injectFault({ how });
      };
      ({ code } = await run('erase-supplier', '5001'));
      portal.proxy.onCall = () => undefined;
      portal.proxy.reset();
      await readConsistentCounters(portal.engine, erased);
      expect((await exportAll()).amounts).toContain(800);
    }
    expect(runs).toBeGreaterThan(3);
    expect(await readItems(`${tenant}#5001`)).toEqual([]);
    expect((await exportAll()).amounts).toEqual([800]);
  },
);

it(
  'an erasure that is killed after any write that follows its invoices is continued, and each run leaves an entry',
  { tags: 'long' },
  async () => {
    // A second month of counters, and a row and a state change without an invoice.
    await seedInvoices(portal.engine, erased, [buildInvoice({ invoiceId: '71', invoiceDate: '2026-04-01' })]);
    const { client, tables } = portal.engine;
    const strays = [
      { pk: buildRowPartition(erased, '2026-03'), sk: 'stray' },
      { pk: buildInvoicePartition(erased), sk: `${buildStateChangePrefix('404')}0000000001` },
    ];
    for (const Item of strays) await client.send(new PutCommand({ TableName: tables.Invoices, Item }));
    const codes: unknown[] = [];
    while (codes.at(-1) !== 0 && codes.length < 9) {
      let writes = 0;
      portal.proxy.onCall = (operation, input) => {
        const isRest =
          operation === 'DeleteItem' || (WRITES.test(operation) && JSON.stringify(input).includes(':changes'));
        if (!isRest || writes++ > 0) return;
        portal.proxy.injectFault({ how: 'lose-response', times: 1 });
        portal.proxy.injectFault({ how: 'close-connection' });
      };
      codes.push((await run('erase-supplier', '5001')).code);
      portal.proxy.onCall = () => undefined;
      portal.proxy.reset();
    }
    // One run for each of the five writes: the two strays, the day index, and the counters of two months.
    expect(codes).toEqual([3, 3, 3, 3, 3, 0]);
    expect(await readItems(`${tenant}#5001`)).toEqual([]);
    const { entries } = JSON.parse((await run('audit', '--json')).stdout) as { entries: OperatorEntry[] };
    const statuses = entries.filter(({ command }) => command === 'erase-supplier').map(({ status }) => status);
    expect(statuses).toEqual([...Array<string>(5).fill('started'), 'done']);
  },
);

it.each(['BatchGetItem', 'TransactWriteItems', 'DeleteItem'])(
  'two erasures of a tenant at the same time erase everything, and each ends or prints what to do (%s)',
  { tags: 'long' },
  async (operation) => {
    let otherRun: Promise<ScriptRun> | undefined;
    const wait = () => (otherRun ??= runOps(portal.engine.endpoint, 'erase-tenant', tenant));
    portal.proxy.injectFault({ how: 'delay-request', operation, times: 1, wait });
    const own = await run('erase-tenant');
    expect([(await otherRun)?.code, own.stderr]).toEqual([0, expect.stringMatching(/^$|does not exist\.$|again\.$/m)]);
    expect((await run('erase-tenant')).stderr).toBe(`Tenant ${tenant} does not exist.\n`);
    expect((await readItems(tenant)).filter(({ pk }) => !pk.startsWith('LOG#'))).toEqual([]);
  },
);

it.each<[what: string, fault: Fault, isDone: boolean]>([
  ['some calls are throttled', { how: 'throttle', share: 0.2 }, true],
  ['some transactions are throttled', { how: 'throttled-item', table: 'Invoices', times: 5 }, true],
  ['all transactions are throttled', { how: 'throttle', operation: 'TransactWriteItems' }, false],
])(
  'withdraw-invoice and erase-supplier complete, or fail and another run completes, if %s',
  { tags: 'long' },
  async (_, fault, isDone) => {
    const withdraw = () => run('withdraw-invoice', '7', '--supplier', '6001', '--revision', '1', '--reason', 'x');
    for (const command of [withdraw, () => run('erase-supplier', '5001')]) {
      portal.proxy.injectFault(fault);
      const { code, stderr } = await command();
      const error = 'The level is exceeded. Wait a minute, then run the command again.';
      expect([code, stderr]).toEqual([isDone ? 0 : 3, isDone ? '' : expect.stringContaining(error)]);
      portal.proxy.reset();
      // After a run that completed, the invoice or supplier is no longer found.
      expect((await command()).code).toBe(isDone ? 2 : 0);
    }
  },
);

it('Ctrl-C ends an erasure after the current invoices, and another run continues it', async () => {
  const host = new EventEmitter();
  portal.proxy.onCall = (operation) => void (operation === 'TransactWriteItems' && host.emit('SIGINT'));
  const env = { AWS_ENDPOINT_URL_DYNAMODB: portal.proxy.engine.endpoint };
  const stopped = await runCli(['erase-tenant', tenant, '--yes', '--local'], { env, host });
  expect([stopped.code, stopped.stdout.split('\n')[1]]).toEqual([
    130,
    'Interrupted. To continue, run the command again.',
  ]);
  expect((await run('erase-tenant')).code).toBe(0);
  expect((await readItems(tenant)).filter(({ pk }) => !pk.startsWith('LOG#'))).toEqual([]);
});

it('a declaration that is committed during an erasure is erased, too', async () => {
  portal.proxy.injectFault({
    how: 'delay-request',
    operation: 'TransactWriteItems',
    times: 1,
    wait: () => declare(erased, '7', 903),
  });
  await run('erase-supplier', '5001');
  expect(await readItems(`${tenant}#5001`)).toEqual([]);
  expect((await exportAll()).amounts).toEqual([800]);
});

it('invoices with the same entry in the log are erased at the same time', { tags: 'long' }, async () => {
  await create('71');
  const requests = ['7', '71'].map((invoiceId) => ({ invoiceId, amount: 910 }));
  const context = { tolerance: selectTolerance(null, null), userId: '1', requestId: 'b', now: new Date() };
  const store = createTestDeclarationStore(portal.engine);
  await declareAmounts(store, erased, requests, { ...context, newDeclarationId: newId });
  // All calls overlap.
  portal.proxy.delayMs = 20;
  await run('erase-supplier', '5001');
  portal.proxy.delayMs = 0;
  expect(await exportAll()).toMatchObject({ code: 0, amounts: [800] });
  expect(JSON.stringify(await readItems('LOG#'))).not.toContain(`${tenant}#5001`);
});

it.each([
  ['its company is resumed', '', () => run('resume-company', company.company_id), 'Others have changed the supplier'],
  ['an import creates an invoice', ':changes', () => create('9'), 'Others are writing invoices of the supplier.'],
])(
  'erase-supplier keeps the supplier if %s meanwhile, and another run erases it',
  { tags: 'long' },
  async (_, mentioning, wait, error) => {
    portal.proxy.injectFault({ how: 'delay-request', operation: 'TransactWriteItems', mentioning, times: 1, wait });
    const { code, stderr } = await run('erase-supplier', '5001');
    expect([code, stderr]).toEqual([3, expect.stringContaining(error)]);
    await run('suspend-company', company.company_id);
    expect((await run('erase-supplier', '5001')).code).toBe(0);
    expect(await readItems(`${tenant}#5001`)).toEqual([]);
  },
);

it('erase-supplier erases an invoice with more history than a transaction can contain', { tags: 'long' }, async () => {
  for (let amount = 1; amount <= 60; amount += 1) await declare(erased, '7', amount);
  expect((await run('erase-supplier', '5001')).stdout).toContain('3 invoices, 63 declarations');
  expect(await readItems(`${tenant}#5001`)).toEqual([]);
  expect((await exportAll()).amounts).toEqual([800]);
});

it('erase-tenant erases all data of a tenant, except the numbers of its log', async () => {
  const { cursor } = await exportAll();
  // A user that is already erased does not count.
  await run('erase-user', '200');
  const { code, stdout } = await run('erase-tenant');
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining(`tenant ${tenant}: 6 invoices, 4 declarations, 2 state changes, 1 users.\n`),
  ]);
  const items = await readItems(tenant);
  expect(items.length).toBeGreaterThan(0);
  for (const { pk, sk: _, ...attributes } of items) {
    expect([pk, attributes]).toEqual([expect.stringMatching(/^LOG#/), { declarations: [] }]);
  }
  expect(JSON.stringify(await readItems('APIKEY#'))).not.toContain(tenant);
  // A tenant that is created again continues the log.
  await applyFile(portal.engine, tenant, { companies: [company], suppliers: [{ ...supplier, supplier_id: '5001' }] });
  await seedInvoices(portal.engine, erased, [buildInvoice({ invoiceId: '7' })]);
  await declare(erased, '7', 5);
  expect(await exportAll(['--since', cursor])).toMatchObject({ code: 0, amounts: [5] });
});

it('erase-supplier and erase-tenant reject an unknown supplier or tenant', async () => {
  const runs = [
    ['erase-tenant', 'x.example'],
    ['erase-supplier', 'x.example', '5001'],
    ['erase-supplier', tenant, '404'],
  ];
  const results = await Promise.all(runs.map(([name = '', ...args]) => runOps(portal.engine.endpoint, name, ...args)));
  expect(results.map(({ code, stderr }) => [code, stderr])).toEqual([
    [2, 'Tenant x.example does not exist.\n'],
    [2, 'Tenant x.example does not exist.\n'],
    [2, `The supplier 404 of ${tenant} does not exist.\n`],
  ]);
});

it.each(['erase-supplier', 'erase-tenant'])('%s requires suspended companies and the typed name', async (command) => {
  const before = await readItems(tenant);
  const args = [command, tenant, ...(command === 'erase-supplier' ? ['5001'] : [])];
  const name = args.at(-1)!;
  const ask = (answer: string) =>
    runOnTerminal(portal.engine.endpoint, args, '', { answers: { [`type ${name}:`]: `${answer}${KEYS.enter}` } });
  const no = await ask('y');
  expect([no.code, no.stderr]).toEqual([130, expect.stringMatching(/\? This erases .* No command can undo it\./)]);
  expect(await readItems(tenant)).toEqual(before);

  await run('resume-company', company.company_id);
  const { code, stderr } = await run(command, ...args.slice(2));
  const error = `Nothing was erased: company 1 is not suspended. Run suspend-company ${tenant} 1 first.\n`;
  expect([code, stderr]).toEqual([2, error]);
  await run('suspend-company', company.company_id);
  expect((await ask(name)).code).toBe(0);
});
