import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { selectTolerance } from '../../../lib/domain/tolerance.ts';
import { declareAmounts } from '../../../lib/invoices/declare-amounts.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { type Key, scanPages } from '../../../lib/tables/dynamodb/reads.ts';
import { createTestDeclarationStore, declareInNewStore } from '../../support/data/declare-one.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readConsistentCounters } from '../../support/data/stored-invoices.ts';
import { newId } from '../../support/data/seed.ts';
import type { Fault } from '../../support/engine/engine-faults.ts';
import { type EngineProxy, startEngineProxy } from '../../support/engine/engine-proxy.ts';
import { useSmallDisk } from '../../support/fakes/small-disk.ts';
import { company, supplier, applyFile } from '../../support/ops/apply-lists.ts';
import { KEYS, runCli, runOnTerminal, runOps } from '../../support/ops/run-ops.ts';
import type { ScriptRun } from '../../support/processes/run-script.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let proxy: EngineProxy;
beforeAll(async () => {
  proxy = await startEngineProxy(engine);
});
afterAll(() => proxy.close());

const WRITES = /^(?:TransactWrite|Put|Update|Delete)/;
let tenant: string;
let scope: SupplierScope;
let folder: string;

// March 2015 contains 7 (declared twice, settled), 70 (declared, withdrawn) and 700 of another supplier (settled). April
// 2015 contains 71, which is not settled, and March 2026 contains 8, which is settled.
beforeEach(async () => {
  proxy.reset();
  vi.restoreAllMocks();
  tenant = `t${newId()}.example`;
  scope = { tenant, supplierId: '5001' };
  folder = join(await mkdtemp(join(tmpdir(), 'archive-')), 'Año 2015, 档案');
  const suppliers = ['5001', '6001'].map((id) => ({ ...supplier, supplier_id: id }));
  await applyFile(engine, tenant, { companies: [company], suppliers });
  const build = (invoiceId: string, invoiceDate: string) =>
    buildInvoice({ invoiceId, invoiceDate, systemAmount: decimal('1000.123456') });
  const march = ['7', '70'].map((id) => build(id, '2015-03-15T10:30:00.000Z'));
  await seedInvoices(engine, scope, [...march, build('71', '2015-04-01T00:00:00.000Z'), build('8', '2026-03-01')]);
  await seedInvoices(engine, { tenant, supplierId: '6001' }, [build('700', '2015-03-31T23:59:59.999Z')]);
  // One request declares 7 and 71, so that they have the same entry in the log.
  const context = { tolerance: selectTolerance(null, null), userId: '1', requestId: 'b', now: new Date() };
  const requests = [
    { invoiceId: '7', amount: 900 },
    { invoiceId: '71', amount: 903 },
  ];
  await declareAmounts(createTestDeclarationStore(engine), scope, requests, { ...context, newDeclarationId: newId });
  await declareInNewStore(engine, scope, { invoiceId: '7', amount: 901 });
  await declareInNewStore(engine, scope, { invoiceId: '70', amount: 902 });
  for (const id of ['7', '700', '8']) await run('set-state', tenant, id, 'LIQ', '--reason', 'Paid');
  await run('withdraw-invoice', tenant, '70', '--revision', '1', '--reason', 'Twice');
});

const run = (command: string, ...args: readonly string[]) => runOps(proxy.engine.endpoint, command, ...args);
const buildArchive = (before = '2016-01', to = folder) => [tenant, '--before', before, '--to', to];
const archive = (to = folder) => run('archive', ...buildArchive('2016-01', to));
const restore = () => run('restore-archive', folder, '--tenant', tenant);
const DONE =
  'Not archived, because an invoice is neither settled nor withdrawn: 2015-04\nArchived: 3 invoices (system 3000.370368, declared 1803) in 2 files\n';

/** Reads the items of both tables of the tenant by their keys, without counters. */
async function readItems(): Promise<Record<string, object>> {
  const { client, tables } = engine;
  const names = [tables.Invoices, tables.Declarations];
  const pages = await Promise.all(
    names.map((TableName) => collectPages(scanPages<Key<unknown>>(client, { TableName }))),
  );
  const own = pages.flat().filter(({ pk, sk }) => pk.includes(tenant) && !String(sk).startsWith('COUNT#'));
  return Object.fromEntries(own.map((item) => [`${item.pk} ${String(item.sk)}`, item]));
}
const withoutLog = (items: Record<string, object>) =>
  Object.fromEntries(Object.entries(items).filter(([key]) => !key.startsWith('LOG#')));
const countArchived = async () =>
  Object.keys(await readItems()).filter((key) => /#5001 (WITHDRAWN#)?70?$|#6001 700$/.test(key)).length;

async function exportAmounts() {
  const { stdout } = await run('export-declarations', tenant, '--json');
  const { declarations } = JSON.parse(stdout) as { declarations: Record<string, unknown>[] };
  return declarations.map(({ declared_amount: amount }) => Number(amount)).toSorted((a, b) => a - b);
}

it('archive moves old months to files, the lists and exports stay exact, and restore-archive undoes it', async () => {
  const before = await readItems();
  expect(await archive()).toEqual({ code: 0, stdout: DONE, stderr: '' });
  expect((await readdir(folder)).toSorted()).toEqual([
    '5001-2015-03.ndjson',
    '6001-2015-03.ndjson',
    'archive.lock',
    'manifest.json',
  ]);
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as object;
  const file = { file: '5001-2015-03.ndjson', supplier_id: '5001', month: '2015-03', sha256: expect.any(String) };
  const sums = { system_amount: '2000.246912', declared_amount: '1803' };
  expect(manifest).toMatchObject({
    tenant,
    before: '2016-01',
    files: [{ ...file, invoices: 2, declarations: 3, state_changes: 2, ...sums }, { invoices: 1 }],
  });
  const text = await readFile(join(folder, '5001-2015-03.ndjson'), 'utf8');
  expect(text).toContain('"system_amount":1000.123456');
  expect(text).toContain('"description":"Grúa"');

  const keys = Object.keys(withoutLog(await readItems()));
  const months = ['2015-04', '2026-03'].flatMap((month) => [1, 2].map(() => `${tenant}#5001#${month}`));
  const left = [...months, `${tenant}#5001`, `${tenant}#5001`, `${tenant}#5001`, `${tenant}#5001#71`];
  expect(keys.map((key) => key.replace(/ .*/, '')).toSorted()).toEqual(left.toSorted());
  await readConsistentCounters(engine, scope);
  expect(await exportAmounts()).toEqual([903]);
  expect((await run('find-request', 'b')).stdout).toContain('Request b was saved. Declarations: 1.');

  // An archive of earlier months does not change the months in which imports create no invoices.
  await restore();
  await run('archive', ...buildArchive('2015-04', `${folder} 2`));
  const record = { supplier_id: '5001', service_id: '5', system_amount: 1 };
  const dates = { 1: '2015-12-31', 2: '2016-01-01', 71: '2015-04-02' };
  const lines = Object.entries(dates).map(([id, date]) => ({ ...record, invoice_id: id, invoice_date: date }));
  const input = join(folder, 'input.ndjson');
  await writeFile(input, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const imported = await run('import-invoices', input, '--tenant', tenant, '--dry-run', '--force', '--reason', 'x');
  expect(imported.stdout).toContain('1 created, 1 changed, 0 unchanged, 1 rejected');
  expect(imported.stdout + imported.stderr).toContain(
    'record: is dated 2015-12, but the months before 2016-01 are archived',
  );

  for (const counts of [
    '3 invoices. Unchanged, because they exist: 0',
    '0 invoices. Unchanged, because they exist: 3',
  ]) {
    expect(await restore()).toEqual({ code: 0, stdout: `Restored: ${counts}\n`, stderr: '' });
    expect(withoutLog(await readItems())).toEqual(withoutLog(before));
    await readConsistentCounters(engine, scope);
  }
  expect(await exportAmounts()).toEqual([903]);
  expect((await archive()).code).toBe(0);
  expect(await countArchived()).toBe(0);
});

it.each([0, 100, 3000])(
  'archive deletes nothing if the disk is full after %i bytes, and another run archives',
  async (bytes) => {
    const before = await readItems();
    useSmallDisk(bytes);
    const { code, stderr } = await archive();
    expect([code, stderr]).toEqual([3, expect.stringContaining('ENOSPC')]);
    vi.restoreAllMocks();
    expect(await readItems()).toEqual(before);
    expect((await archive()).stdout).toBe(DONE);
  },
);

it.each(['archive', 'restore-archive'])(
  '%s can end at any write, and another run continues it',
  { tags: 'long' },
  async (name) => {
    const before = await readItems();
    if (name === 'restore-archive') await archive();
    const command = name === 'archive' ? archive : restore;
    let code: unknown;
    for (let runs = 0; code !== 0; runs += 1) {
      let writes = 0;
      proxy.onCall = (operation) => {
        if (WRITES.test(operation) && writes++ === runs) {
          proxy.injectFault({ how: runs % 2 === 0 ? 'close-connection' : 'lose-response' });
        }
      };
      ({ code } = await command());
      proxy.onCall = () => undefined;
      proxy.reset();
      await readConsistentCounters(engine, scope);
      expect(await exportAmounts()).toContain(903);
    }
    if (name === 'archive') await restore();
    expect(withoutLog(await readItems())).toEqual(withoutLog(before));
  },
);

it(
  'an invoice with more history than a transaction can contain is archived, and restored by a second run',
  { tags: 'long' },
  async () => {
    for (let amount = 1; amount <= 120; amount += 1)
      await declareInNewStore(engine, scope, { invoiceId: '71', amount });
    await run('set-state', tenant, '71', 'LIQ', '--reason', 'Paid');
    const before = await readItems();
    expect((await archive()).stdout).toContain('Archived: 4 invoices');
    expect(Object.keys(await readItems()).filter((key) => key.includes('#71'))).toEqual([]);
    let writes = 0;
    proxy.onCall = (operation, input) => {
      const isOfInvoice = operation === 'TransactWriteItems' && JSON.stringify(input).includes('#71"');
      if (isOfInvoice && writes++ === 1) proxy.injectFault({ how: 'close-connection' });
    };
    expect((await restore()).code).toBe(3);
    proxy.onCall = () => undefined;
    proxy.reset();
    expect((await restore()).code).toBe(0);
    expect(withoutLog(await readItems())).toEqual(withoutLog(before));
    await readConsistentCounters(engine, scope);
  },
);

it('an invoice that changes after it was written to its file stays with all its data, and is reported', async () => {
  const change = () => runOps(engine.endpoint, 'set-state', tenant, '7', 'REC', '--force', '--reason', 'Returned');
  let isChanged = false;
  proxy.injectFault({
    how: 'delay-request',
    operation: 'TransactWriteItems',
    mentioning: 'ADD #c0',
    wait: async () => {
      if (isChanged) return;
      isChanged = true;
      await change();
    },
  });
  const { code, stderr } = await archive();
  expect([code, stderr]).toEqual([1, 'left  invoice 7 of supplier 5001: it changed after it was archived\n']);
  expect(await exportAmounts()).toEqual([900, 901, 903]);
  const { stdout } = await run('history', tenant, '7', '--supplier', '5001');
  expect(stdout).toMatch(/900[^]*901[^]*LIQ -> REC/);
  await readConsistentCounters(engine, scope);
  expect((await restore()).stdout).toBe('Restored: 2 invoices. Unchanged, because they exist: 1\n');
});

const FILE = '6001-2015-03.ndjson';

it.each<[what: string, file: string, change: (text: string) => string | null, code: number, error: RegExp]>([
  ['a file changes', FILE, (text) => text.replace('123456', '123457'), 3, /its SHA-256 is not that of the manifest\.$/],
  ['a file is removed', FILE, () => null, 3, /damaged.*: ENOENT: no such file/],
  ['the manifest is truncated', 'manifest.json', (text) => text.slice(0, -9), 2, /cannot be read: Expected/],
  ['the manifest is empty', 'manifest.json', () => '', 2, /cannot be read: Unexpected end of JSON input$/],
  ['the manifest is null', 'manifest.json', () => 'null', 2, /is not the manifest of an archive\.$/],
])('neither archive nor restore-archive changes anything if %s', async (_, file, change, code, error) => {
  await archive();
  await restore();
  const before = await readItems();
  const path = join(folder, file);
  const text = change(await readFile(path, 'utf8'));
  await (text === null ? rm(path) : writeFile(path, text));
  for (const command of [archive, restore]) {
    const { stderr, ...done } = await command();
    expect([done.code, stderr.trimEnd()]).toEqual([code, expect.stringMatching(error)]);
    expect(stderr).toContain(path);
  }
  expect(await readItems()).toEqual(before);
});

it.each([
  ['before it is read back', 'BatchGetItem', '#6001', 3],
  ['before its invoices are deleted', 'TransactWriteItems', 'ADD #c0', 1],
])(
  'archive deletes no invoice of a file that changes %s, and archives it in another folder',
  { tags: 'long' },
  async (_, ...point) => {
    const [operation, mentioning, count] = point;
    const file = operation === 'BatchGetItem' ? '5001-2015-03.ndjson' : FILE;
    const wait = () => writeFile(join(folder, file), 'x');
    proxy.injectFault({ how: 'delay-request', operation, mentioning, times: 1, wait });
    const { code, stderr } = await archive();
    const error = `The file ${join(folder, file)} is damaged, and none of its invoices was changed: its SHA-256`;
    expect([code, stderr]).toEqual([3, expect.stringContaining(error)]);
    expect(await countArchived()).toBe(count);
    expect((await archive(`${folder} 2`)).stdout).toContain(`Archived: ${count} invoices`);
  },
);

/** Runs another command when the archive makes its first call of an operation. Returns the results of both commands. */
async function archiveDuring(operation: string, other: () => Promise<ScriptRun>) {
  let otherRun: Promise<ScriptRun> | undefined;
  const wait = () => (otherRun ??= other());
  proxy.injectFault({ how: 'delay-request', operation, table: 'Invoices', times: 1, wait });
  return [await archive(), await otherRun!] as const;
}
const IN_USE = () => `Another run of archive uses ${folder}. Wait until it ends.\n`;

it.each(['BatchGetItem', 'TransactWriteItems'])(
  'two archives at the same time lose nothing, in one folder or in two (%s)',
  { tags: 'long' },
  async (operation) => {
    const before = withoutLog(await readItems());
    const archiveInto = (to: string) => () => runOps(engine.endpoint, 'archive', ...buildArchive('2016-01', to));
    const [own, rejected] = await archiveDuring(operation, archiveInto(folder));
    expect([own.code, rejected]).toEqual([0, { code: 3, stdout: '', stderr: IN_USE() }]);
    await restore();
    expect(withoutLog(await readItems())).toEqual(before);

    await rm(folder, { recursive: true });
    const other = `${folder} 2`;
    for (const { code } of await archiveDuring(operation, archiveInto(other))) expect(code).toBe(0);
    for (const to of [folder, other]) expect((await archive(to)).code).toBe(0);
    expect(await countArchived()).toBe(0);
    for (const to of [folder, other]) await run('restore-archive', to, '--tenant', tenant);
    expect(withoutLog(await readItems())).toEqual(before);
    await readConsistentCounters(engine, scope);
  },
);
it('archive leaves an invoice whose state changes after it was listed', async () => {
  const change = () => runOps(engine.endpoint, 'set-state', tenant, '7', 'REC', '--force', '--reason', 'Returned');
  const [own] = await archiveDuring('BatchGetItem', change);
  expect([own.code, own.stdout]).toEqual([0, expect.stringContaining('Archived: 2 invoices')]);
  expect(await countArchived()).toBe(1);
});

it(
  'restore-archive writes no invoice that exists with the other key, listed or withdrawn',
  { tags: 'long' },
  async () => {
    await archive();
    const create = (invoiceId: string) => seedInvoices(engine, scope, [buildInvoice({ invoiceId })]);
    await create('7');
    await run('withdraw-invoice', tenant, '7', '--reason', 'Twice');
    const fault = {
      how: 'delay-request',
      operation: 'TransactWriteItems',
      mentioning: 'WITHDRAWN#70',
      times: 1,
    } as const;
    proxy.injectFault({ ...fault, wait: () => create('70') });
    await restore();
    await readConsistentCounters(engine, scope);
    expect((await restore()).code).toBe(0);
    await readConsistentCounters(engine, scope);
  },
);

it.each(['BatchGetItem', 'TransactWriteItems'])(
  'an archive and an erasure at the same time leave no invoice of the erased supplier, and archive the others (%s)',
  { tags: 'long' },
  async (operation) => {
    await run('suspend-company', tenant, company.company_id);
    const erase = () => runOps(engine.endpoint, 'erase-supplier', tenant, '5001', '--yes');
    const [own, erasure] = await archiveDuring(operation, erase);
    expect([own.code, erasure.code]).toEqual([0, 0]);
    expect((await archive()).code).toBe(0);
    expect(Object.keys(await readItems()).filter((key) => key.startsWith(`${tenant}#`))).toEqual([]);
    expect(await readFile(join(folder, FILE), 'utf8')).toContain('"sk":"700"');
  },
);

it.each<[what: string, fault: Fault, isDone: boolean]>([
  ['some calls are throttled', { how: 'throttle', share: 0.2 }, true],
  ['some transactions are throttled', { how: 'throttled-item', table: 'Invoices', times: 5 }, true],
  ['the table Invoices is throttled', { how: 'throttle', table: 'Invoices' }, false],
  ['all transactions are throttled', { how: 'throttle', operation: 'TransactWriteItems' }, false],
])(
  'archive and restore-archive complete, or fail and another run completes, if %s',
  { tags: 'long' },
  async (_, fault, isDone) => {
    const before = await readItems();
    for (const command of [archive, restore]) {
      proxy.injectFault(fault);
      const { code, stderr } = await command();
      expect([code, stderr]).toEqual([isDone ? 0 : 3, isDone ? '' : expect.stringContaining('The level is exceeded.')]);
      proxy.reset();
      expect((await command()).code).toBe(0);
    }
    expect(withoutLog(await readItems())).toEqual(withoutLog(before));
  },
);

it('Ctrl-C ends archive after the current invoices, and another run continues it', async () => {
  const host = new EventEmitter();
  proxy.onCall = (operation, input) =>
    void (operation === 'TransactWriteItems' && JSON.stringify(input).includes('#5001') && host.emit('SIGINT'));
  const env = { AWS_ENDPOINT_URL_DYNAMODB: proxy.engine.endpoint };
  const stopped = await runCli(['archive', ...buildArchive(), '--yes', '--local'], { env, host });
  expect([stopped.code, stopped.stdout]).toEqual([
    130,
    expect.stringContaining('Interrupted. To continue, run the command again'),
  ]);
  expect(await countArchived()).toBeGreaterThan(0);
  expect((await archive()).code).toBe(0);
  expect(await countArchived()).toBe(0);
});

it('archive and restore-archive reject wrong months, folders and tenants, and archive asks', async () => {
  const limit = new Date();
  limit.setUTCMonth(limit.getUTCMonth() - 120, 1);
  const allowed = limit.toISOString().slice(0, 7);
  const early = await run('archive', ...buildArchive('2026-01'));
  expect([early.code, early.stderr]).toEqual([
    2,
    `--before 2026-01 is within the last 120 months. Pass --before ${allowed} or an earlier month, or --keep-months.\n`,
  ]);
  expect((await run('archive', ...buildArchive(allowed), '--dry-run')).code).toBe(0);
  expect((await run('archive', ...buildArchive('2015-01', `${folder} 2`))).stdout).toContain('Archived: 0 invoices');
  expect((await run('audit', tenant)).stdout).not.toContain('archive');
  expect((await restore()).stderr).toBe(`${folder} is not an archive: it contains no manifest.json.\n`);
  for (const to of ['/proc/archive', join(folder, 'a'), import.meta.filename]) {
    const unwritable = await archive(to);
    expect([unwritable.code, unwritable.stderr]).toEqual([3, expect.stringMatching(`^The folder ${to} cannot be .*E`)]);
  }
  for (const args of [['2015-13'], ['2015-1'], ['15-01'], ['2015-01-01'], ['2015-01', '--keep-months', '-1']]) {
    const invalid = await run('archive', ...buildArchive(args[0]), ...args.slice(1));
    expect([invalid.code, invalid.stderr]).toEqual([2, expect.stringContaining('The value must be a')]);
  }
  const unknown = await run('archive', 'x.example', ...buildArchive().slice(1));
  expect(unknown).toMatchObject({ code: 2, stderr: 'Tenant x.example does not exist.\n' });
  expect(existsSync(folder)).toBe(false);
  const no = await runOnTerminal(engine.endpoint, ['archive', ...buildArchive()], `n${KEYS.enter}`);
  expect([no.code, no.stderr]).toEqual([
    130,
    expect.stringContaining('Their settled and withdrawn invoices are deleted.'),
  ]);
  expect(await countArchived()).toBe(3);

  await archive();
  const other = await run('archive', ...buildArchive('2015-12'));
  expect(other.stderr).toContain('contains another archive');
  const wrong = await run('restore-archive', folder, '--tenant', 'x.example');
  expect(wrong.stderr).toBe(`The archive is of ${tenant}, not of x.example.\n`);
  await run('suspend-company', tenant, company.company_id);
  await run('erase-supplier', tenant, '6001');
  expect(await restore()).toMatchObject({ code: 2, stderr: `Supplier 6001 of ${tenant} does not exist.\n` });
});
