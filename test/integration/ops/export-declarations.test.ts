import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { declareInNewStore } from '../../support/data/declare-one.ts';
import { saveTables } from '../../support/data/saved-tables.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { createOpsTenant, type OpsTenant } from '../../support/ops/ops-tenant.ts';
import { SINCE_YESTERDAY } from '../../support/ops/run-ops.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let folder: string;
let company: OpsTenant;

// The supplier 10 has the invoices 1 to 4 of 1000.
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'export-'));
  company = await createOpsTenant(engine);
  const invoices = ['1', '2', '3', '4'].map((invoiceId) => buildInvoice({ invoiceId, systemAmount: decimal(1000) }));
  await seedInvoices(engine, company.scope, invoices);
});

const toPath = (name: string) => join(folder, name);
const read = (name: string) => readFile(toPath(name), 'utf8');
const declareAt = (invoiceId: string, amount: number, time: string | Date) =>
  company.declare(invoiceId, amount, { now: new Date(time) });

const runExport = (...args: string[]) => company.run('export-declarations', ...args);
const exportNext = (...args: string[]) => runExport('--cursor-file', toPath('demo.cursor'), ...args);

/** Exports the next declarations, and returns, for example, `1#2` for the second one of invoice 1. */
async function exportRevisions(...args: string[]): Promise<string[]> {
  const { stdout } = await exportNext('--json', ...args);
  const { declarations } = JSON.parse(stdout) as { declarations: { invoice_id: string; revision: number }[] };
  return declarations.map(({ invoice_id: id, revision }) => `${id}#${revision}`).toSorted();
}

it('export-declarations prints all properties as JSON and CSV, the amounts as a table, and the number and the sum', async () => {
  const declaredAt = new Date();
  await declareInNewStore(
    engine,
    company.scope,
    { invoiceId: '2', amount: 1050.5, taxPct: 10.5, notes: 'Peaje', invoiceNumber: 'A-7', invoiceDate: '2026-07-31' },
    {
      tolerance: { mode: 'AMB', pct: decimal('2.5'), abs: decimal('30'), autoApprove: true, source: 'global' },
      userId: '7',
      requestId: 'request-1',
      newDeclarationId: () => '9001',
      now: declaredAt,
    },
  );
  // Every property has a different value.
  const row = {
    ...{ supplier_id: '10', invoice_id: '2', declaration_id: '9001', revision: 1 },
    ...{ declared_amount: 1050.5, declared_notes: 'Peaje', declared_tax_pct: 10.5 },
    ...{ provider_invoice_number: 'A-7', provider_invoice_date: '2026-07-31' },
    ...{ system_amount: 1000, within_tolerance: false, difference: 50.5, difference_pct: 5.05, action: 'REVIEW' },
    ...{ held_for_review: false, declared_by: '7', declared_at: declaredAt.toISOString() },
    ...{ request_id: 'request-1', state_code: 'REV' },
  };
  const notice = { approved_amount: null, message: null, paid_on: null, payment_reference: null };
  const limits = { tolerance_pct: 2.5, tolerance_abs: 30, auto_approve: true };
  const { stdout, stderr } = await runExport(...SINCE_YESTERDAY, '--json');
  expect(JSON.parse(stdout)).toEqual({
    tenant: company.tenant,
    declarations: [{ ...row, ...notice, tolerance: { mode: 'AMB', ...limits, source: 'global' } }],
    until: declaredAt.toISOString(),
  });
  expect(stderr).toBe(`1 declaration of 1050.5 in total, until ${declaredAt.toISOString()}\n`);
  await runExport(...SINCE_YESTERDAY, '--out', toPath('all.csv'));
  const [header = '', line = ''] = (await read('all.csv')).split('\n');
  const columns = header.split(',').map((name, index) => [name, line.split(',')[index]]);
  const cells = { ...row, ...notice, ...limits, tolerance_mode: 'AMB', tolerance_source: 'global' };
  expect(Object.fromEntries(columns)).toEqual(
    Object.fromEntries(Object.entries(cells).map(([name, value]) => [name, String(value ?? '')])),
  );
  expect((await runExport(...SINCE_YESTERDAY)).stdout).toMatch(
    /10 +2 +1 +1050\.5 +10\.5 +1000 +50\.5 +5\.05 +REVIEW +REV +2026-.* -\n/,
  );
});

it('--since is the start only if there is no cursor, and includes its time in the zone of --zone', async () => {
  const [dayBefore, yesterday, tomorrow] = [2, 1, -1].map((days) =>
    new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10),
  );
  await declareAt('1', 1, `${dayBefore}T02:59:59.999Z`);
  await declareAt('2', 1, `${dayBefore}T03:00:00.000Z`);
  expect(await exportRevisions('--since', dayBefore!, '--zone', '-03:00')).toEqual(['2#1']);
  await declareAt('3', 1, `${dayBefore}T02:59:59.999Z`);
  await declareAt('2', 2, `${yesterday}T00:00:00.000Z`);
  expect(await exportRevisions('--since', tomorrow!)).toEqual(['2#2']);
});

it('a first export needs --since so that a wrong path exports nothing', async () => {
  await company.declare('1', 1000.5);
  const stderr = 'There is no cursor. Correct --cursor-file or, to begin the first export, pass --since.\n';
  expect(await exportNext()).toEqual({ code: 2, stdout: '', stderr });
  expect((await readdir(folder)).filter((name) => !name.endsWith('.lock'))).toEqual([]);
  expect(await exportRevisions(...SINCE_YESTERDAY)).toEqual(['1#1']);
  expect((await exportNext()).code).toBe(0);
});

it('a cursor contains only the keys of declarations that the next export reads again', async () => {
  const [twoHoursAgo, recently] = [120, 30].map((minutes) => new Date(Date.now() - minutes * 60_000));
  const readKeys = async () => (JSON.parse(await read('demo.cursor')) as { keys: string[] }).keys;
  await declareAt('1', 1000, twoHoursAgo!);
  expect(await exportRevisions(...SINCE_YESTERDAY)).toEqual(['1#1']);
  expect(await readKeys()).toEqual([expect.stringContaining(twoHoursAgo!.toISOString())]);
  await declareAt('2', 1000, recently!);
  await company.declare('3', 1000);
  expect(await exportRevisions()).toEqual(['2#1', '3#1']);
  expect(await readKeys()).toEqual([expect.stringContaining(recently!.toISOString()), expect.any(String)]);
});

it('an export keeps the cursor before it as FILE.previous, from which the same rows can be exported again', async () => {
  await exportNext(...SINCE_YESTERDAY);
  const first = await read('demo.cursor');
  await company.declare('2', 990);
  expect(await exportRevisions()).toEqual(['2#1']);
  expect(await read('demo.cursor.previous')).toBe(first);
  await rename(toPath('demo.cursor.previous'), toPath('demo.cursor'));
  expect(await exportRevisions()).toEqual(['2#1']);
});

it('only an export with rows replaces a file of --out that has content', async () => {
  const out = (...args: string[]) => exportNext('--out', toPath('out.csv'), ...args);
  await company.declare('1', 1000.5);
  await out(...SINCE_YESTERDAY);
  const before = await read('out.csv');
  const empty = await out();
  expect(empty).toEqual({ code: 0, stdout: '', stderr: expect.stringContaining(`There is no new declaration: `) });
  expect(await read('out.csv')).toEqual(before);
  await company.declare('2', 990);
  expect((await out()).stderr).not.toContain('was not replaced');
  expect(await read('out.csv')).toMatch(/^10,2,/m);
  await rm(toPath('out.csv'));
  expect((await out()).stderr).not.toContain('was not replaced');
  expect(await read('out.csv')).toMatch(/^supplier_id,/);
  expect((await readdir(folder)).filter((file) => file.endsWith('.tmp'))).toEqual([]);
});

it('export-declarations ends with 2 if two options name the same file, and writes nothing', async () => {
  await writeFile(toPath('same'), 'kept');
  const args = ['--out', toPath('same'), '--cursor-file', join(folder, '.', 'same'), '--since', '2026-08-01'];
  const run = await runExport(...args);
  expect(run).toEqual({ code: 2, stdout: '', stderr: '--out and --cursor-file name the same file.\n' });
  expect([await read('same'), await readdir(folder)]).toEqual(['kept', ['same']]);
});

it('after a restore to an earlier second, the next export contains exactly the declarations made since', async () => {
  for (const id of ['1', '2', '3']) await company.declare(id, 900);
  expect(await exportRevisions(...SINCE_YESTERDAY)).toEqual(['1#1', '2#1', '3#1']);
  const restoreTables = await saveTables(engine);
  for (const id of ['1', '2', '3', '4']) await company.declare(id, 910);
  expect(await exportRevisions()).toEqual(['1#2', '2#2', '3#2', '4#1']);
  await restoreTables();
  for (const id of ['1', '2', '3']) await company.declare(id, 920);
  expect(await exportRevisions()).toEqual(['1#2', '2#2', '3#2']);
  expect(await exportRevisions()).toEqual([]);
});
