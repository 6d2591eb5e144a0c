import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { formatDay } from '../../../lib/domain/date-range.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { declareInNewStore } from '../../support/data/declare-one.ts';
import { saveTables } from '../../support/data/saved-tables.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { createOpsTenant, type OpsTenant } from '../../support/ops/ops-tenant.ts';
import { KEYS, runOnTerminal, runOps } from '../../support/ops/run-ops.ts';
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
const exportNext = (...args: string[]) => runExport('--cursor-file', toPath('demo.cursor'), '--csv', ...args);

/** Returns the declarations of a CSV, such as `1#2` for the second one of invoice 1. */
const listRevisions = (csv: string) =>
  Array.from(csv.matchAll(/^10,(\d+),\d+,(\d+),/gm), ([, id, revision]) => `${id}#${revision}`).toSorted();
const exportRevisions = async (...args: string[]) => listRevisions((await exportNext(...args)).stdout);

it('export-declarations prints all properties as JSON and CSV, the amounts as a table, and the number and the sum', async () => {
  await declareInNewStore(
    engine,
    company.scope,
    { invoiceId: '2', amount: 1050.5, taxPct: 10.5, notes: 'Peaje', invoiceNumber: 'A-7', invoiceDate: '2026-07-31' },
    {
      tolerance: { mode: 'AMB', pct: decimal('2.5'), abs: decimal('30'), autoApprove: true, source: 'global' },
      userId: '7',
      requestId: 'request-1',
      newDeclarationId: () => '9001',
      now: new Date('2026-08-01T10:00Z'),
    },
  );
  // Every property has a different value.
  const row = {
    ...{ supplier_id: '10', invoice_id: '2', declaration_id: '9001', revision: 1 },
    ...{ declared_amount: 1050.5, declared_notes: 'Peaje', declared_tax_pct: 10.5 },
    ...{ provider_invoice_number: 'A-7', provider_invoice_date: '2026-07-31' },
    ...{ system_amount: 1000, within_tolerance: false, difference: 50.5, difference_pct: 5.05, action: 'REVIEW' },
    ...{ held_for_review: false, declared_by: '7', declared_at: '2026-08-01T10:00:00.000Z' },
    ...{ request_id: 'request-1', state_code: 'REV' },
  };
  const notice = { approved_amount: null, message: null, paid_on: null, payment_reference: null };
  const limits = { tolerance_pct: 2.5, tolerance_abs: 30, auto_approve: true };
  const since = ['--since', '2026-07-01'];
  const { stdout, stderr } = await runExport(...since, '--json');
  expect(JSON.parse(stdout)).toEqual({
    tenant: company.tenant,
    declarations: [{ ...row, ...notice, tolerance: { mode: 'AMB', ...limits, source: 'global' } }],
    until: '2026-08-01T10:00:00.000Z',
  });
  expect(stderr).toBe('1 declaration of 1050.5 in total, until 2026-08-01T10:00:00.000Z\n');
  const [header = '', line = ''] = (await runExport(...since, '--csv')).stdout.split('\n');
  const columns = header.split(',').map((name, index) => [name, line.split(',')[index]]);
  const cells = { ...row, ...notice, ...limits, tolerance_mode: 'AMB', tolerance_source: 'global' };
  expect(Object.fromEntries(columns)).toEqual(
    Object.fromEntries(Object.entries(cells).map(([name, value]) => [name, String(value ?? '')])),
  );
  expect((await runExport(...since)).stdout).toMatch(
    /10 +2 +1 +1050\.5 +10\.5 +1000 +50\.5 +5\.05 +REVIEW +REV +2026-.* -\n/,
  );
});

it('--since is the start only if there is no cursor, and includes its time in the zone of --zone', async () => {
  await declareAt('1', 1, '2026-08-02T02:59:59.999Z');
  await declareAt('2', 1, '2026-08-02T03:00:00.000Z');
  expect(await exportRevisions('--since', '2026-08-02', '--zone', '-03:00')).toEqual(['2#1']);
  await declareAt('3', 1, '2026-08-02T02:59:59.999Z');
  await declareAt('2', 2, '2026-08-04T00:00:00.000Z');
  expect(await exportRevisions('--since', '2026-08-30')).toEqual(['2#2']);
});

it('a first export needs --from-start or --since so that a wrong path exports nothing', async () => {
  await company.declare('1', 1000.5);
  const { code, stdout, stderr } = await exportNext();
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^The cursor file .+ does not exist\. Correct the path or, .*, pass --from-start\.\n$/);
  expect((await readdir(folder)).filter((name) => !name.endsWith('.lock'))).toEqual([]);
  const first = await exportNext('--from-start');
  expect(listRevisions(first.stdout)).toEqual(['1#1']);
  expect(first.stderr).toMatch(
    /^There is no cursor: the export begins at the first declaration \(after 20.+\)\.\n1 decl/,
  );
  expect((await exportNext()).code).toBe(0);
});

it('a first export begins a day before the command that created the tenant', async () => {
  const tenants = JSON.stringify({ tenants: [{ tenant: `new-${company.tenant}` }] });
  const file = toPath('tenants.json');
  await writeFile(file, tenants);
  await runOps(engine.endpoint, 'apply', file);
  const { stderr } = await runOps(engine.endpoint, 'export-declarations', `new-${company.tenant}`);
  const [, start = ''] = /\(after (.+)\)/.exec(stderr) ?? [];
  expect(Date.now() - Date.parse(start)).toBeLessThan(25 * 60 * 60_000);
});

it('an export keeps the cursor before it as FILE.previous, from which the same rows can be exported again', async () => {
  await exportNext('--from-start');
  const first = await read('demo.cursor');
  await company.declare('2', 990);
  expect(await exportRevisions()).toEqual(['2#1']);
  expect(await read('demo.cursor.previous')).toBe(first);
  await rename(toPath('demo.cursor.previous'), toPath('demo.cursor'));
  expect(await exportRevisions()).toEqual(['2#1']);
});

it('--totals writes the number and the sum of the exported declarations, also if there are none', async () => {
  const totals = ['--totals', toPath('totals.json')];
  const readTotals = async () => JSON.parse(await read('totals.json')) as object;
  await company.declare('1', 1000.5);
  const { stderr } = await exportNext('--from-start', ...totals);
  expect(stderr).toContain('1 declaration of 1000.5 in total, until 2');
  const { tenant } = company;
  expect(await readTotals()).toMatchObject({ tenant, declarations: 1, declared_amount: '1000.5' });
  await exportNext(...totals);
  expect(await readTotals()).toMatchObject({ declarations: 0, declared_amount: '0' });
});

it('an export without rows never replaces the file of --out if it has content', async () => {
  const out = (...args: string[]) => exportNext('--out', toPath('out.csv'), ...args);
  await company.declare('1', 1000.5);
  await out('--from-start');
  const before = await read('out.csv');
  const empty = await out();
  expect(empty).toEqual({ code: 0, stdout: '', stderr: expect.stringContaining(`There is no new declaration: `) });
  expect(await read('out.csv')).toEqual(before);
  await rm(toPath('out.csv'));
  expect((await out()).stderr).not.toContain('was not replaced');
  expect(await read('out.csv')).toMatch(/^supplier_id,/);
  expect((await readdir(folder)).filter((file) => file.endsWith('.tmp'))).toEqual([]);
});

it('export-declarations ends with 2 if two options name the same file, and writes nothing', async () => {
  await writeFile(toPath('same'), 'kept');
  const args = ['--out', toPath('same'), '--totals', join(folder, '.', 'same'), '--since', '2026-08-01'];
  const run = await runExport(...args);
  expect(run).toEqual({ code: 2, stdout: '', stderr: '--out and --totals name the same file.\n' });
  expect([await read('same'), await readdir(folder)]).toEqual(['kept', ['same']]);
});

/** Returns noon of a day before today. */
const daysAgo = (days: number) => new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - (days - 0.5) * DAY_MS);

it('--verify names the days on which declarations were not exported or are not stored any more, and exports nothing', async () => {
  await declareAt('1', 900, daysAgo(3));
  await declareAt('2', 900, daysAgo(3));
  await declareAt('3', 900, daysAgo(2));
  await exportNext('--from-start');
  await company.declare('4', 900);
  const cursor = await read('demo.cursor');
  const verify = (days: string, ...args: string[]) =>
    runExport('--cursor-file', toPath('demo.cursor'), '--verify', days, ...args);
  const complete = expect.stringMatching(/^\d days compared, 0 differ\.\n$/);
  expect(await verify('5')).toMatchObject({ code: 0, stdout: complete });
  expect([await read('demo.cursor'), await exportRevisions()]).toEqual([cursor, ['4#1']]);
  // The export finds this declaration only more than an hour after its time.
  await declareAt('1', 901, new Date(daysAgo(2).getTime() + 1));
  // An erasure of the invoice 2 also deletes this item.
  const Key = { pk: `${company.tenant}#10#2`, sk: 2 };
  await engine.client.send(new DeleteCommand({ TableName: engine.tables.Declarations, Key }));
  const [lost, erased] = [formatDay(daysAgo(2).getTime()), formatDay(daysAgo(3).getTime())];
  const { code, stdout } = await verify('5');
  expect(code).toBe(1);
  expect(stdout).toMatch(
    new RegExp(
      `^day +exported +stored\n${erased} +2 +1 *\n${lost} +1 +2 *\n\\d days compared, 2 differ\\. More stored:`,
    ),
  );
  const days = expect.arrayContaining([{ day: lost, exported: 1, stored: 2 }]);
  expect(JSON.parse((await verify('5', '--json')).stdout)).toMatchObject({ differing: 2, days });
  // The days before are not compared.
  expect((await verify('1')).code).toBe(0);
});

it('after a restore to an earlier second, the next export contains exactly the declarations made since', async () => {
  for (const id of ['1', '2', '3']) await company.declare(id, 900);
  expect(await exportRevisions('--from-start')).toEqual(['1#1', '2#1', '3#1']);
  const restoreTables = await saveTables(engine);
  for (const id of ['1', '2', '3', '4']) await company.declare(id, 910);
  expect(await exportRevisions()).toEqual(['1#2', '2#2', '3#2', '4#1']);
  await restoreTables();
  for (const id of ['1', '2', '3']) await company.declare(id, 920);
  expect(await exportRevisions()).toEqual(['1#2', '2#2', '3#2']);
  expect(await exportRevisions()).toEqual([]);
});

it('a first export on a terminal asks whether it begins at the first declaration', async () => {
  await company.declare('1', 990);
  const args = ['export-declarations', company.tenant, '--cursor-file', toPath('demo.cursor'), '--csv'];
  const no = await runOnTerminal(engine.endpoint, args, `n${KEYS.enter}`);
  expect([no.code, no.stdout]).toEqual([130, '']);
  expect(no.stderr).toContain('does not exist. Export all declarations from the first one on? [y/N]');
  const yes = await runOnTerminal(engine.endpoint, args, `y${KEYS.enter}`);
  expect([yes.code, listRevisions(yes.stdout)]).toEqual([0, ['1#1']]);
});
