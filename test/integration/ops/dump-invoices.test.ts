import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
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

const optionalText = fc.option(fc.constantFrom('a', 'Grúa "7"', '\u202eñ\u0085', '😀, b'));
const amount = fc.bigInt({ min: 0n, max: 10n ** 17n }).map((millionths) => decimal(`${millionths}e-6`));
const concept = fc.record({
  conceptId: fc.constantFrom('1', '02'),
  description: fc.constantFrom('Grúa', '"x"'),
  unitAmount: amount.map((value) => value.neg()),
  quantity: amount,
  taxPct: fc.constantFrom(decimal(0), decimal('10.5')),
  total: amount,
});
const importedFields = fc.record({
  serviceId: fc.constantFrom('7', '08'),
  invoiceDate: fc.constantFrom('2026-03-01', '2026-03-02T10:00:00-03:00'),
  serviceCallDate: fc.option(fc.constant('2026-02-28')),
  serviceNumber: optionalText,
  accountName: optionalText,
  city: optionalText,
  systemAmount: amount,
  attachmentUrl: fc.option(fc.constant('https://files.example/a')),
  attachmentFilename: optionalText,
  concepts: fc.array(concept, { maxLength: 2 }),
});
const plan = fc.record({
  before: importedFields,
  damage: importedFields,
  declaredBy: fc.constantFrom('nobody', 'supplier', 'import'),
  isDeclaredLater: fc.boolean(),
});

describe('dump-invoices', () => {
  it('a dump, any damage and an import give the fields as before, and keep declarations of suppliers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 6 }), async (plans) => {
        backup = `Backup${newId()}`;
        const invoices = plans.map((each) => ({ ...each, id: newId() }));
        await seedInvoices(
          engine,
          scope,
          invoices.map(({ before, id }) => buildInvoice({ ...before, invoiceId: id })),
        );
        const imported = invoices.filter(({ declaredBy }) => declaredBy === 'import');
        await importRecords(imported.map(({ id }) => ({ invoice_id: id, declared_amount: 5, declared_notes: 'a' })));
        for (const { id, declaredBy } of invoices) if (declaredBy === 'supplier') await declare(id, 900);
        await restoreTable();

        const original = new Map<string, object>();
        const kept = new Map<string, object>();
        for (const { id, damage, declaredBy, isDeclaredLater } of invoices) {
          const { version: _, sortDate: __, ...fields } = await readInvoice(id);
          original.set(id, fields);
          await changeInvoice(engine, scope, id, { ...damage, ...(declaredBy === 'nobody' && { state: 'REC' }) });
          // The history key of this declaration would be used again by an invoice that is copied back.
          if (isDeclaredLater) await declare(id, 800);
        }
        await importRecords(imported.map(({ id }) => ({ invoice_id: id, declared_amount: 6, declared_notes: null })));
        for (const { id, isDeclaredLater } of invoices) {
          const { declaration, declaredOutcome, providerInvoice, state, requiresManualReview } = await readInvoice(id);
          if (isDeclaredLater)
            kept.set(id, { declaration, declaredOutcome, providerInvoice, state, requiresManualReview });
        }

        const file = join(folder, 'invoices.ndjson');
        expect((await dump('--out', file)).code).toBe(0);
        const options = ['--tenant', scope.tenant, '--allow-zeros', '--force', '--reason', 'Damaged'];
        expect((await run('import-invoices', file, ...options)).code).toBe(0);
        for (const { id, declaredBy } of invoices) {
          const { version: _, sortDate: __, ...fields } = await readInvoice(id);
          const expected = { ...original.get(id), ...kept.get(id) } as typeof fields;
          if (declaredBy === 'import' && !kept.has(id)) {
            // An imported declaration gets a new revision with the values as before.
            expect(fields.declaration?.revision).toBe(3);
            Object.assign(expected.declaration!, { revision: 3 });
          }
          expect(fields).toEqual(expected);
          await declare(id, 700);
          expect((await run('set-state', scope.tenant, id, 'REC', '--reason', 'Seen')).code).toBe(0);
        }
        await readConsistentCounters(engine, scope);
        expect((await run('verify-counters', scope.tenant)).code).toBe(0);
      }),
      { numRuns: 12 },
    );
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
