import { EventEmitter } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { selectTolerance } from '../../../lib/domain/tolerance.ts';
import { lockFile } from '../../../infra/process/lock-file.ts';
import { declareAmounts } from '../../../lib/invoices/declare-amounts.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { type Key, scanPages } from '../../../lib/tables/dynamodb/reads.ts';
import { createTestDeclarationStore, declareInNewStore } from '../../support/data/declare-one.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { readConsistentCounters } from '../../support/data/stored-invoices.ts';
import { newId } from '../../support/data/seed.ts';
import { type EngineProxy, startEngineProxy } from '../../support/engine/engine-proxy.ts';
import { useSmallDisk } from '../../support/fakes/small-disk.ts';
import { company, supplier, applyFile } from '../../support/ops/apply-lists.ts';
import { KEYS, runCli, runOnTerminal, runOps } from '../../support/ops/run-ops.ts';
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
  folder = join(await mkdtemp(join(tmpdir(), 'archive-')), 'archive');
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
const buildArchive = (before = '2016-01') => [tenant, '--before', before, '--to', folder];
const archive = () => run('archive', ...buildArchive());
const restore = () => run('restore-archive', folder, '--tenant', tenant);
const DONE =
  'Left, because an invoice is not settled: 2015-04\nArchived: 3 invoices (system 3000.370368, declared 1803) in 2 files\n';

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
  const fileNames = ['5001-2015-03.ndjson', '6001-2015-03.ndjson', 'manifest.json', 'manifest.json.lock'];
  expect((await readdir(folder)).toSorted()).toEqual(fileNames);
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

it('neither archive nor restore-archive changes anything if a file is damaged', async () => {
  await archive();
  await restore();
  const before = await readItems();
  const path = join(folder, '6001-2015-03.ndjson');
  await writeFile(path, (await readFile(path, 'utf8')).replace('1000.123456', '1000.123457'));
  const error = `Nothing was changed: the file ${path} is damaged: its SHA-256 is not that of the manifest.\n`;
  for (const command of [archive, restore]) expect(await command()).toMatchObject({ code: 3, stderr: error });
  expect(await readItems()).toEqual(before);
});

it('a second archive with the same folder is rejected until the first has ended', async () => {
  await mkdir(folder);
  const release = lockFile(join(folder, 'manifest.json.lock'));
  const error = `Another command is running with the file ${join(folder, 'manifest.json')}.\n`;
  expect(await archive()).toEqual({ code: 3, stdout: '', stderr: error });
  expect(await countArchived()).toBe(3);
  release?.();
  expect((await archive()).stdout).toBe(DONE);
});

it('Ctrl-C ends archive after the current invoices, and another run continues it', async () => {
  const host = new EventEmitter();
  proxy.onCall = (operation, input) =>
    void (operation === 'TransactWriteItems' && JSON.stringify(input).includes('#5001') && host.emit('SIGINT'));
  const env = { AWS_ENDPOINT_URL_DYNAMODB: proxy.engine.endpoint };
  const stopped = await runCli(['archive', ...buildArchive(), '--yes', '--local'], { env, host });
  expect([stopped.code, stopped.stdout]).toEqual([130, expect.stringContaining('Interrupted. Run the command again')]);
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
  expect((await restore()).stderr).toBe(`${folder} is not an archive: it contains no manifest.json.\n`);
  const no = await runOnTerminal(engine.endpoint, ['archive', ...buildArchive()], `n${KEYS.enter}`);
  expect([no.code, no.stderr]).toEqual([130, expect.stringContaining('Its settled invoices are deleted')]);
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
