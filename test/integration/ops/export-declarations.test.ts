import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { buildDeclarationItems } from '../../../lib/tables/history-items.ts';
import { declareAt, declareInNewStore } from '../../support/data/declare-one.ts';
import { newId, seedAccount } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { buildRevision } from '../../support/data/stream-records.ts';
import { applyFile, lists } from '../../support/ops/apply-lists.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let folder: string;
let tenant: string;
let scope: SupplierScope;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'export-'));
  tenant = `t${newId()}.example`;
  ({ scope } = await seedAccount(engine, { tenant: { tenant }, supplier: { supplier_id: '10' } }));
  const invoices = ['1', '2', '3'].map((invoiceId) => buildInvoice({ invoiceId, systemAmount: decimal(1000) }));
  await seedInvoices(engine, scope, invoices);
});

const declare = (invoiceId: string, amount: number, more: { notes?: string; at?: string } = {}) =>
  declareAt(engine, scope, { invoiceId, amount, ...more });

const runCommand = (...args: string[]) => runOps(engine.endpoint, 'export-declarations', tenant, ...args);

interface Exported {
  readonly declarations: readonly Readonly<Record<string, unknown>>[];
  readonly cursor: string;
}
async function runExport(...args: string[]): Promise<Exported> {
  const { code, stdout, stderr } = await runCommand(...args, '--json');
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^Next cursor: /)]);
  return JSON.parse(stdout) as Exported;
}
const formatRevisions = ({ declarations }: Exported) =>
  declarations.map(({ invoice_id: id, revision }) => `${String(id)}#${String(revision)}`);

describe('export-declarations', () => {
  it('export-declarations prints all properties as JSON and CSV, the amounts as a table, and the next cursor', async () => {
    const provider = { invoiceNumber: 'A-7', invoiceDate: '2026-07-31' };
    await declareInNewStore(
      engine,
      scope,
      { invoiceId: '2', amount: 1050.5, taxPct: 10.5, notes: 'Peaje', ...provider },
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
      supplier_id: '10',
      invoice_id: '2',
      declaration_id: '9001',
      revision: 1,
      declared_amount: 1050.5,
      declared_notes: 'Peaje',
      declared_tax_pct: 10.5,
      provider_invoice_number: 'A-7',
      provider_invoice_date: '2026-07-31',
      system_amount: 1000,
      within_tolerance: false,
      difference: 50.5,
      difference_pct: 5.05,
      action: 'REVIEW',
      held_for_review: false,
      declared_by: '7',
      declared_at: '2026-08-01T10:00:00.000Z',
      request_id: 'request-1',
      state_code: 'REV',
    };
    const limits = { tolerance_pct: 2.5, tolerance_abs: 30, auto_approve: true };
    const { declarations, cursor } = await runExport();
    expect(declarations).toEqual([{ ...row, tolerance: { mode: 'AMB', ...limits, source: 'global' } }]);
    const [header = '', line = ''] = (await runCommand('--csv')).stdout.split('\n');
    const columns = header.split(',').map((name, index) => [name, line.split(',')[index]]);
    const cells = { ...row, ...limits, tolerance_mode: 'AMB', tolerance_source: 'global' };
    expect(Object.fromEntries(columns)).toEqual(
      Object.fromEntries(Object.entries(cells).map(([name, value]) => [name, String(value)])),
    );
    expect((await runCommand()).stdout).toMatch(/10 +2 +1 +1050\.5 +10\.5 +1000 +50\.5 +5\.05 +REVIEW +REV +2026-/);
    expect(cursor).toMatch(new RegExp(`^1:${tenant}:`));
    expect(formatRevisions(await runExport('--since', cursor))).toEqual([]);
  });

  it('export-declarations saves the cursor in a file, and uses a time only in the first run', async () => {
    const file = join(folder, `${tenant}.cursor`);
    const run = () => runExport('--cursor-file', file, '--since', '2026-08-02', '--zone', '-03:00');
    await declare('1', 1, { at: '2026-08-02T02:59:59.999Z' });
    await declare('2', 1, { at: '2026-08-02T03:00:00.000Z' });
    const first = await run();
    expect(formatRevisions(first)).toEqual(['2#1']);
    expect(await readFile(file, 'utf8')).toBe(`${first.cursor}\n`);
    await declare('3', 1, { at: '2026-07-01T00:00:00.000Z' });
    expect(formatRevisions(await run())).toEqual(['3#1']);
    expect(formatRevisions(await run())).toEqual([]);
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('export-declarations prints the declarations of all shards in the order of their times', async () => {
    const declared = ['1#1', '2#1', '3#1', '1#2', '2#2', '3#2'];
    for (const [index, entry] of declared.entries())
      await declare(entry.split('#')[0]!, index, { at: `2026-08-0${index + 1}` });
    expect(formatRevisions(await runExport())).toEqual(declared);
  });

  it.each<[what: string, args: (file: string) => string[], error: string]>([
    ['a cursor of another tenant', () => ['--since', '1:other.example:0'], 'The cursor is of other.example, not of t'],
    ['a cursor of other data', () => ['--since', `1:${tenant}:5`], 'it is ahead of the declarations of this service'],
    [
      'a cursor of more shards',
      () => ['--since', `1:${tenant}:${'0.'.repeat(256)}0`],
      'it is ahead of the declarations',
    ],
    ['an incomplete cursor', () => ['--since', `1:${tenant}:1.`], 'export-declarations did not print it'],
    ['an invalid time', () => ['--since', 'ayer'], '--since ayer is not an ISO 8601 date'],
    [
      'a cursor and a file',
      (file) => ['--since', `1:${tenant}:0`, '--cursor-file', file],
      'cannot be used with --cursor-file',
    ],
    ['a file with other content', (file) => ['--cursor-file', file], 'export-declarations did not print it'],
    ['a folder as a file', () => ['--cursor-file', folder], 'cannot be read: EISDIR'],
  ])('export-declarations ends with 2 for %s, and prints nothing', async (_what, args, error) => {
    const file = join(folder, 'other.txt');
    await writeFile(file, 'other');
    const { code, stdout, stderr } = await runCommand(...args(file));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(error);
    expect(await readFile(file, 'utf8')).toBe('other');
    expect((await readdir(folder)).filter((name) => !name.endsWith('.lock'))).toEqual(['other.txt']);
  });

  it('a cursor file of version 1.1.0 continues in a log of 256 shards', async () => {
    // The file that version 1.1.0 wrote after six declarations, and the positions of these declarations.
    const cursor = '1:recorded.example:0.0.0.0.0.0.0.0.0.0.1.0.1.1.1.0.0.1.0.0.0.0.1.0.0.0.0.0.0.0.0.0\n';
    const recorded = ['1#1 22#1', '1#2 14#1', '1#3 17#1', '2#1 10#1', '3#1 13#1', '3#2 12#1'];
    tenant = 'recorded.example';
    await seedAccount(engine, { tenant: { tenant } });
    const write = async (entry: string) => {
      const [invoiceId = '', revision, shard, number] = entry.split(/[# ]/);
      const position = { shard: Number(shard), number: Number(number) };
      const declaration = buildRevision({ invoiceId, revision: Number(revision) });
      const items: object[] = buildDeclarationItems({ tenant, supplierId: '10' }, [declaration], position);
      if (position.number === 1 && position.shard >= 32) items.push({ pk: `LOG#${tenant}`, sk: position.shard });
      const TableName = engine.tables.Declarations;
      for (const Item of items) await engine.client.send(new PutCommand({ TableName, Item }));
    };
    for (const entry of recorded) await write(entry);
    const file = join(folder, 'recorded.cursor');
    await writeFile(file, cursor);
    expect(formatRevisions(await runExport('--cursor-file', file))).toEqual([]);
    expect(await readFile(file, 'utf8')).toBe(cursor.replace(/(?:\.0)+\n/, '\n'));
    await writeFile(file, cursor);
    // During a deployment, version 1.1.0 continues in the first shards.
    for (const entry of ['2#2 255#1', '2#3 10#2', '1#4 40#1', '2#4 40#2', '3#3 12#2']) await write(entry);
    const { declarations, cursor: next } = await runExport('--cursor-file', file);
    const exported = formatRevisions({ declarations, cursor: next });
    expect(exported.toSorted()).toEqual(['1#4', '2#2', '2#3', '2#4', '3#3']);
    expect(exported.filter((text) => text.startsWith('2#'))).toEqual(['2#2', '2#3', '2#4']);
    expect(next.split(':').at(-1)?.split('.')).toHaveLength(256);
    expect(formatRevisions(await runExport('--cursor-file', file))).toEqual([]);
  });

  it('a new epoch rejects earlier cursors, also those of version 1, and its own cursors work', async () => {
    await applyFile(engine, tenant, lists);
    const file = join(folder, 'old.cursor');
    await writeFile(file, `1:${tenant}:0\n`);
    await declare('1', 1);
    expect(formatRevisions(await runExport('--cursor-file', file))).toEqual(['1#1']);
    expect(await readFile(file, 'utf8')).toMatch(/^1:/);
    const startEpoch = () => runOps(engine.endpoint, 'restore-check', tenant, '--new-epoch');
    await startEpoch();
    const rejected = await runCommand('--cursor-file', file, '--since', '2026-01-01');
    expect([rejected.code, rejected.stdout]).toEqual([2, '']);
    expect(rejected.stderr).toContain('Export again without it, with --since TIME');
    const { cursor, ...all } = await runExport('--since', '2026-01-01');
    expect(formatRevisions({ ...all, cursor })).toEqual(['1#1']);
    await declare('2', 1);
    expect(formatRevisions(await runExport('--since', cursor))).toEqual(['2#1']);
    await startEpoch();
    expect((await runCommand('--since', cursor)).code).toBe(2);
    expect((await runCommand('--since', cursor.replace(/^2/, '1'))).stderr).toContain('did not print it');
  });

  it('export-declarations exports in exactly one of two parallel runs with the same cursor file', async () => {
    const file = join(folder, 'demo.cursor');
    await declare('1', 1020);
    const runs = await Promise.all([1, 2].map(() => runCommand('--csv', '--cursor-file', file)));
    const [done, failed] = runs.toSorted((a, b) => Number(a.code) - Number(b.code));
    expect([done?.code, done?.stdout.split('\n')]).toEqual([
      0,
      expect.arrayContaining([expect.stringMatching(/^10,1,/)]),
    ]);
    expect(failed).toEqual({ code: 3, stdout: '', stderr: expect.stringMatching(/^Another command is running .+\n$/) });
    expect(await readdir(folder)).toEqual(['demo.cursor', 'demo.cursor.lock']);
  });

  it('export-declarations rejects an unknown tenant, and writes no cursor', async () => {
    tenant = 'absent.example';
    const run = await runCommand('--cursor-file', join(folder, 'absent.cursor'));
    expect(run).toEqual({ code: 2, stdout: '', stderr: 'Tenant absent.example does not exist.\n' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('export-declarations ends with 3 before it prints anything if the cursor cannot be written', async () => {
    const { code, stdout, stderr } = await runCommand('--csv', '--cursor-file', join(folder, 'missing', 'demo.cursor'));
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/^The cursor file .+demo\.cursor cannot be written, or .+\.lock is not a lock: ENOENT.+\n$/);
  });
});
