import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Invoice } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { createInvoiceTable } from '../../../lib/tables/invoice-table.ts';
import { copyTable } from '../../support/data/copy-table.ts';
import { declareInNewStore } from '../../support/data/declare-one.ts';
import { buildInvoice, changeInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { type Account, newId, seedAccount } from '../../support/data/seed.ts';
import { readConsistentCounters } from '../../support/data/stored-invoices.ts';
import { useSmallDisk } from '../../support/fakes/small-disk.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let scope: Account['scope'];
let folder: string;
let backup: string;

beforeEach(async () => {
  ({ scope } = await seedAccount(engine));
  folder = await mkdtemp(join(tmpdir(), 'dump-'));
  backup = `Backup${newId()}`;
});

const run = (command: string, ...args: readonly string[]) => runOps(engine.endpoint, command, ...args);
const dump = (...args: readonly string[]) => run('dump-invoices', scope.tenant, '--from-table', backup, ...args);
const restoreTable = () => copyTable(engine, engine.tables.Invoices, backup);
const readInvoice = async (id: string) =>
  (await createInvoiceTable(engine.client, engine.tables.Invoices).get(scope, id))!;
const declare = (invoiceId: string, amount: number) => declareInNewStore(engine, scope, { invoiceId, amount });

async function importRecords(records: readonly object[]) {
  const file = join(folder, 'records.ndjson');
  const lines = records.map((record) => `${JSON.stringify({ supplier_id: scope.supplierId, ...record })}\n`);
  await writeFile(file, lines.join(''));
  expect((await run('import-invoices', file, '--tenant', scope.tenant)).code).toBe(0);
}

const [concept] = buildInvoice().concepts;
const FILLED = {
  accountName: 'Grúa "7", \u202eñ\u0085😀',
  systemAmount: decimal('98765432109.123456'),
  concepts: [{ ...concept!, unitAmount: decimal('-0.000001') }, concept!],
};
const CLEARED = {
  ...{ invoiceDate: '2026-03-02T10:00:00-03:00', serviceId: '08', systemAmount: decimal(0), concepts: [] },
  ...{ serviceCallDate: null, serviceNumber: null, accountName: null, city: null },
  ...{ attachmentUrl: null, attachmentFilename: null },
};

describe('dump-invoices', () => {
  it('a dump, any damage and an import give the fields as before, and keep declarations of suppliers', async () => {
    const cases = [
      { before: FILLED, damage: CLEARED },
      { before: CLEARED, damage: FILLED },
    ].flatMap((fields) =>
      ['nobody', 'supplier', 'import'].flatMap((declaredBy) =>
        [false, true].map((isDeclaredLater) => ({ ...fields, declaredBy, isDeclaredLater, id: newId() })),
      ),
    );
    const imported = cases.filter(({ declaredBy }) => declaredBy === 'import');
    await seedInvoices(
      engine,
      scope,
      cases.map(({ before, id }) => buildInvoice({ ...before, invoiceId: id })),
    );
    await importRecords(imported.map(({ id }) => ({ invoice_id: id, declared_amount: 5, declared_notes: 'a' })));
    for (const { id, declaredBy } of cases) if (declaredBy === 'supplier') await declare(id, 900);
    await restoreTable();

    const original = new Map<string, Invoice>();
    for (const { id, damage, declaredBy, isDeclaredLater } of cases) {
      original.set(id, await readInvoice(id));
      await changeInvoice(engine, scope, id, { ...damage, ...(declaredBy === 'nobody' && { state: 'REC' }) });
      // If the item were copied back, the next declaration would have the history key of this one.
      if (isDeclaredLater) await declare(id, 800);
    }
    await importRecords(imported.map(({ id }) => ({ invoice_id: id, declared_amount: 6, declared_notes: null })));
    const damaged = new Map<string, Invoice>();
    for (const { id } of cases) damaged.set(id, await readInvoice(id));

    const file = join(folder, 'invoices.ndjson');
    expect((await dump('--out', file)).code).toBe(0);
    const options = ['--tenant', scope.tenant, '--allow-zeros', '--force', '--reason', 'Damaged'];
    expect((await run('import-invoices', file, ...options)).code).toBe(0);
    for (const { id, declaredBy, isDeclaredLater } of cases) {
      const { declaration, declaredOutcome, providerInvoice, state, requiresManualReview } = damaged.get(id)!;
      const kept = isDeclaredLater
        ? { declaration, declaredOutcome, providerInvoice, state, requiresManualReview }
        : {};
      const expected = { ...original.get(id)!, ...kept };
      const restored = await readInvoice(id);
      // An imported declaration gets a new revision with the values as before.
      const isImported = declaredBy === 'import' && !isDeclaredLater;
      if (isImported) Object.assign(expected, { declaration: { ...expected.declaration, revision: 3 } });
      expect(restored).toEqual({ ...expected, version: restored.version });
      await declare(id, 700);
      expect((await run('set-state', scope.tenant, id, 'REC', '--reason', 'Seen')).code).toBe(0);
    }
    await readConsistentCounters(engine, scope);
  });

  it('--against lists what only the service has, and decide withdraws the listed invoices', async () => {
    await seedInvoices(
      engine,
      scope,
      ['1', '2'].map((invoiceId) => buildInvoice({ invoiceId })),
    );
    await run('withdraw-invoice', scope.tenant, '2', '--reason', 'Twice');
    await restoreTable();
    await run('restore-invoice', scope.tenant, '2', '--reason', 'Once');
    await seedInvoices(
      engine,
      scope,
      ['3', '4'].map((invoiceId) => buildInvoice({ invoiceId })),
    );
    await declare('4', 1000);
    const file = join(folder, 'added.csv');
    expect((await dump('--against', '--out', file)).code).toBe(0);
    const ids = (await readFile(file, 'utf8')).split('\n').map((line) => line.split(',')[1]);
    expect(ids).toEqual(['invoice_id', '3', '4', undefined]);
    const { stdout } = await run('decide', file, '--tenant', scope.tenant, '--reason', 'Bad file');
    expect(stdout).toContain('2 decided, 0 unchanged, 0 without a decision, 0 rejected');
    const document = JSON.parse((await dump('--against', '--json')).stdout) as object;
    expect(document).toEqual({ tenant: scope.tenant, invoices: [], from_table: backup });
  });

  it.each<[what: string, table: () => string, args: string[], code: number, error: string]>([
    ['a missing table', () => 'Missing', [], 3, 'check the target (--local or --stack) or --from-table'],
    ['a table of other items', () => engine.tables.Directory, [], 2, 'has no invoice of'],
    ['a table of other items, against it', () => engine.tables.DayIndexes, ['--against'], 2, 'has no invoice of'],
    ['a CSV for import', () => engine.tables.Invoices, ['--csv'], 2, 'Omit --json and --csv, or pass --against.'],
    ['an unknown supplier', () => engine.tables.Invoices, ['--supplier', '404'], 2, 'Supplier 404 of '],
  ])('dump-invoices rejects %s, and prints nothing', async (_, table, args, code, error) => {
    await seedInvoices(engine, scope, [buildInvoice()]);
    backup = table();
    const { stdout, ...done } = await dump(...args);
    expect([done.code, stdout]).toEqual([code, '']);
    expect(done.stderr).toContain(error);
  });

  it('a disk that becomes full keeps an existing file', async () => {
    await seedInvoices(engine, scope, [buildInvoice(), buildInvoice()]);
    await restoreTable();
    await writeFile(join(folder, 'kept.ndjson'), 'kept');
    useSmallDisk(300);
    const { code, stderr } = await dump('--out', join(folder, 'kept.ndjson'));
    vi.restoreAllMocks();
    expect([code, stderr]).toEqual([3, expect.stringContaining('ENOSPC')]);
    expect(await readFile(join(folder, 'kept.ndjson'), 'utf8')).toBe('kept');
    expect(await readdir(folder)).toEqual(['kept.ndjson']);
  });
});
