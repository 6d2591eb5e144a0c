import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { formatCursor } from '../../../infra/ops/export/cursor-file.ts';
import { createCursor } from '../../../infra/ops/export/export-cursor.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { declareAt, declareInNewStore } from '../../support/data/declare-one.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { createOpsTenant, type OpsTenant } from '../../support/ops/ops-tenant.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let folder: string;
let cursorFile: string;
let company: OpsTenant;

// The supplier 10 has the invoices 1, 2 and 3 of 1000.
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'export-'));
  cursorFile = join(folder, 'demo.cursor');
  company = await createOpsTenant(engine);
  const invoices = ['1', '2', '3'].map((invoiceId) => buildInvoice({ invoiceId, systemAmount: decimal(1000) }));
  await seedInvoices(engine, company.scope, invoices);
});

const declare = (invoiceId: string, amount: number, at: string) =>
  declareAt(engine, company.scope, { invoiceId, amount, at });
const runExport = (...args: string[]) => company.run('export-declarations', ...args);

/** Exports as JSON, and returns the revisions, such as `1#2`. */
async function exportRevisions(...args: string[]): Promise<string[]> {
  const { code, stdout } = await runExport(...args, '--json');
  expect(code).toBe(0);
  const { declarations } = JSON.parse(stdout) as { declarations: { invoice_id: string; revision: number }[] };
  return declarations.map(({ invoice_id: id, revision }) => `${id}#${revision}`);
}

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
  const limits = { tolerance_pct: 2.5, tolerance_abs: 30, auto_approve: true };
  const since = ['--since', '2026-07-01'];
  const { stdout, stderr } = await runExport(...since, '--json');
  expect(JSON.parse(stdout)).toEqual({
    tenant: company.tenant,
    declarations: [{ ...row, tolerance: { mode: 'AMB', ...limits, source: 'global' } }],
    until: '2026-08-01T10:00:00.000Z',
  });
  expect(stderr).toBe('1 declaration of 1050.5 in total, until 2026-08-01T10:00:00.000Z\n');
  const [header = '', line = ''] = (await runExport(...since, '--csv')).stdout.split('\n');
  const columns = header.split(',').map((name, index) => [name, line.split(',')[index]]);
  const cells = { ...row, ...limits, tolerance_mode: 'AMB', tolerance_source: 'global' };
  expect(Object.fromEntries(columns)).toEqual(
    Object.fromEntries(Object.entries(cells).map(([name, value]) => [name, String(value)])),
  );
  expect((await runExport(...since)).stdout).toMatch(
    /10 +2 +1 +1050\.5 +10\.5 +1000 +50\.5 +5\.05 +REVIEW +REV +2026-/,
  );
});

it('--since is the start only if there is no cursor, and includes its time in the zone of --zone', async () => {
  const since = ['--cursor-file', cursorFile, '--since', '2026-08-02', '--zone', '-03:00'];
  await declare('1', 1, '2026-08-02T02:59:59.999Z');
  await declare('2', 1, '2026-08-02T03:00:00.000Z');
  expect(await exportRevisions(...since)).toEqual(['2#1']);
  await declare('3', 1, '2026-08-02T02:59:59.999Z');
  await declare('2', 2, '2026-08-04T00:00:00.000Z');
  expect(await exportRevisions('--cursor-file', cursorFile, '--since', '2026-08-30')).toEqual(['2#2']);
});

it('export-declarations ends with 2 for the cursor of another tenant, prints nothing, and changes no file', async () => {
  const text = formatCursor(createCursor('other.example', '2026-08-01T00:00:00.000Z'));
  await writeFile(cursorFile, text);
  await declare('1', 1, '2026-08-02T10:00Z');
  const { code, stdout, stderr } = await runExport('--csv', '--cursor-file', cursorFile);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('The cursor is of other.example, not of t')]);
  expect(await readFile(cursorFile, 'utf8')).toBe(text);
  expect(await readdir(folder)).toEqual(['demo.cursor', 'demo.cursor.lock']);
});

it('export-declarations exports in exactly one of two parallel runs with the same cursor file', async () => {
  await declare('1', 1020, '2026-08-01T10:00Z');
  const runs = await Promise.all(
    [1, 2].map(() => runExport('--csv', '--cursor-file', cursorFile, '--since', '2026-07-01')),
  );
  const [done, failed] = runs.toSorted((a, b) => Number(a.code) - Number(b.code));
  expect([done?.code, done?.stdout]).toEqual([0, expect.stringMatching(/^10,1,/m)]);
  expect(failed).toEqual({ code: 3, stdout: '', stderr: 'Another command is running with this cursor file.\n' });
  expect(await readdir(folder)).toEqual(['demo.cursor', 'demo.cursor.lock']);
});
