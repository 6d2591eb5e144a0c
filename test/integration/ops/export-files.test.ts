import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { createOpsTenant, type OpsTenant } from '../../support/ops/ops-tenant.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let folder: string;
let company: OpsTenant;

// The supplier 10 has declared 1000.5 on the invoice 1 of 1000.
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'export-files-'));
  company = await createOpsTenant(engine);
  await company.importRecords([{ invoice_id: '1' }, { invoice_id: '2' }]);
  await company.declare('1', 1000.5);
});

const toPath = (name: string) => join(folder, name);
const read = (name: string) => readFile(toPath(name), 'utf8');
const runExport = (...args: string[]) =>
  company.run('export-declarations', '--cursor-file', toPath('demo.cursor'), '--csv', ...args);
const listIds = (csv: string) => Array.from(csv.matchAll(/^10,(\d+),/gm), ([, id]) => id);

it('a first export needs --from-start or --since so that a wrong path exports nothing', async () => {
  const { code, stdout, stderr } = await runExport();
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^The cursor file .+ does not exist\. Correct the path or, .*, pass --from-start\.\n$/);
  expect((await readdir(folder)).filter((name) => !name.endsWith('.lock'))).toEqual([]);
  const first = await runExport('--from-start');
  expect(listIds(first.stdout)).toEqual(['1']);
  expect(first.stderr).toMatch(
    /^There is no cursor: the export begins at the first declaration \(after 20.+\)\.\n1 decl/,
  );
  expect((await runExport()).code).toBe(0);
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
  await runExport('--from-start');
  const first = await read('demo.cursor');
  await company.declare('2', 990);
  expect(listIds((await runExport()).stdout)).toEqual(['2']);
  expect(await read('demo.cursor.previous')).toBe(first);
  // A comparison is no export, and changes neither file.
  const second = await read('demo.cursor');
  await runExport('--verify', '7');
  expect([await read('demo.cursor.previous'), await read('demo.cursor')]).toEqual([first, second]);
  await rename(toPath('demo.cursor.previous'), toPath('demo.cursor'));
  expect(listIds((await runExport()).stdout)).toEqual(['2']);
});

it('--totals writes the number and the sum of the exported declarations, also if there are none', async () => {
  const totals = ['--totals', toPath('totals.json')];
  const readTotals = async () => JSON.parse(await read('totals.json')) as object;
  const { stderr } = await runExport('--from-start', ...totals);
  expect(stderr).toContain('1 declaration of 1000.5 in total, until 2');
  const { tenant } = company;
  expect(await readTotals()).toMatchObject({ tenant, declarations: 1, declared_amount: '1000.5' });
  await runExport(...totals);
  expect(await readTotals()).toMatchObject({ declarations: 0, declared_amount: '0' });
});

it('an export without rows never replaces the file of --out if it has content', async () => {
  const out = (...args: string[]) => runExport('--out', toPath('out.csv'), ...args);
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
  const run = await company.run('export-declarations', ...args);
  expect(run).toEqual({ code: 2, stdout: '', stderr: '--out and --totals name the same file.\n' });
  expect([await read('same'), await readdir(folder)]).toEqual(['kept', ['same']]);
});
