import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { Invoice, SupplierScope } from '../../../lib/domain/invoice.ts';
import { decimal } from '../../../lib/domain/money.ts';
import { declareInNewStore } from '../../support/data/declare-one.ts';
import { importLines } from '../../support/data/import-lines.ts';
import { newId, seedAccount } from '../../support/data/seed.ts';
import { buildInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { parsePrintedRows, runOps } from '../../support/ops/run-ops.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const DAY_MS = 86_400_000;
const engine = useEngine();
let tenant: string;
let ana: SupplierScope;
let bruno: SupplierScope;

beforeEach(async () => {
  tenant = `t${newId()}.example`;
  ana = (await seedAccount(engine, { tenant: { tenant }, supplier: { supplier_id: '10' } })).scope;
  bruno = (await seedAccount(engine, { tenant: { tenant }, supplier: { supplier_id: '20' } })).scope;
});

/** Builds an invoice of 1000 with this id and date. */
const buildDatedInvoice = (invoiceId: string, invoiceDate: string | null, overrides: Partial<Invoice> = {}) =>
  buildInvoice({ invoiceId, invoiceDate, ...overrides });

/** Declares an amount on an invoice at the given time, without a tolerance. */
async function declare(scope: SupplierScope, invoiceId: string, amount: number, at: string, more: object = {}) {
  const newDeclarationId = () => `179541306385296144${invoiceId}`;
  await declareInNewStore(engine, scope, { invoiceId, amount, ...more }, { now: new Date(at), newDeclarationId });
}

const runCommand = (...args: string[]) => runOps(engine.endpoint, ...args);
const list = (...args: string[]) => runCommand('list-invoices', tenant, ...args);
const listIds = async (...args: string[]) =>
  JSON.parse((await list(...args, '--json')).stdout).invoices.map((row: { invoice_id: string }) => row.invoice_id);

/** Seeds three invoices of ana in three months, of which two are declared, one of them twice, and one of bruno. */
async function seedSomeInvoices() {
  await seedInvoices(engine, ana, [
    buildDatedInvoice('1', '2026-08-31T22:30:00-03:00', { accountName: '=1+1' }),
    buildDatedInvoice('2', '2025-12-24', { state: 'ENV' }),
    buildDatedInvoice('3', '2026-08-31', { systemAmount: decimal('0.1') }),
  ]);
  await seedInvoices(engine, bruno, [buildDatedInvoice('4', '2026-01-01')]);
  await declare(ana, '1', 999, '2026-09-01T10:00:00Z');
  await declare(ana, '1', 1050.25, '2026-09-03T10:00:00Z', {
    taxPct: 10.5,
    notes: 'Tolls;\nwaiting',
    invoiceNumber: '007',
  });
  await declare(ana, '3', 0.3, '2026-09-02T10:00:00Z');
}

it('list-invoices lists the current declarations by supplier, oldest first, with their sums, also as JSON and CSV', async () => {
  await seedSomeInvoices();
  const { code, stdout } = await list();
  expect(code).toBe(0);
  expect(parsePrintedRows(stdout).map((cells) => cells.join(' | '))).toEqual([
    'supplier | invoice | date | system | declared | tax % | difference | % | state | declared at | revision | version | approved',
    '10 | 2 | 2025-12-24 | 1000 | - | - | - | - | ENV | - | - | 1 | -',
    '10 | 3 | 2026-08-31 | 0.1 | 0.3 | - | 0.2 | 200 | REV | 2026-09-02T10:00:00.000Z | 1 | 2 | -',
    '10 | 1 | 2026-08-31T22:30:00-03:00 | 1000 | 1050.25 | 10.5 | 50.25 | 5.025 | REV | 2026-09-03T10:00:00.000Z | 2 | 3 | -',
    '20 | 4 | 2026-01-01 | 1000 | - | - | - | - | PEN | - | - | 1 | -',
    '4 invoices (2 declared): system 3000.1, declared 1050.55, difference 50.45, to pay 0',
    '',
  ]);
  const { invoices, ...others } = JSON.parse((await list('--supplier', '10', '--state', 'REV', '--json')).stdout);
  const totals = { count: 2, declared_count: 2, system_amount: 1000.1, declared_amount: 1050.55, difference: 50.45 };
  expect(others).toMatchObject({ tenant, totals });
  expect(invoices[1]).toMatchObject({ invoice_id: '1', declared_notes: 'Tolls;\nwaiting', revision: 2 });
  const file = join(await mkdtemp(join(tmpdir(), 'list-')), 'invoices.csv');
  const sheet = await list('--out', file, '--state', 'REV', '--from', '2026-09-01');
  expect(sheet).toMatchObject({
    stderr: '1 invoice (1 declared): system 1000, declared 1050.25, difference 50.25, to pay 0\n',
  });
  expect(await readFile(file, 'utf8')).toBe(
    'supplier_id,invoice_id,invoice_date,service_number,account_name,system_amount,declared_amount,declared_tax_pct,' +
      'difference,difference_pct,state_code,declared_at,provider_invoice_number,provider_invoice_date,declared_notes,' +
      'declaration_id,revision,version,same_number,approved_amount,message,paid_on,payment_reference,decision,reason\n' +
      "10,1,2026-08-31T22:30:00-03:00,SRV-7001,'=1+1,1000,1050.25,10.5,50.25,5.025,REV," +
      '2026-09-03T10:00:00.000Z,007,,"Tolls;\nwaiting",1795413063852961441,2,3,,,,,,,\n',
  );
});

it('list-invoices filters the list by its options', async () => {
  await seedSomeInvoices();
  const chosen = {
    '--supplier 20': '4',
    '--state REV': '3 1',
    '--state LIQ': '',
    '--from 2026-01-01 --to 2026-08-31': '3 4',
    '--to 2025-12-23': '',
    '--from 2026-08-31 --zone -03:00': '1',
    '--from 2026-09-01T01:30:00Z --to 2026-09-01T01:30:00Z': '1',
  };
  for (const [options, ids] of Object.entries(chosen))
    expect((await listIds(...options.split(' '))).join(' '), options).toBe(ids);
});

it.each(['csv', 'xlsx'])('list-invoices writes a .%s file whose import changes no text and no date', async (ending) => {
  const texts = ['=1+1', "'=1+1", 'a;-b,@c', 'two\nlines', '\u200e٣', '007', '2026-09-01', 'null', "'null"];
  const dates = [
    '2026-08-31T22:30:00-03:00',
    '2026-08-31T10:00:00',
    '2026-08-31',
    '2026-08-31T10:15:30.750Z',
    '1850-01-01T10:00:00Z',
    '2026-08-31T00:00:00+05:30',
    null,
  ];
  const record = { supplier_id: '10', service_id: '5', system_amount: 1, declared_amount: 2, state_code: 'REV' };
  const records = texts.map((text, index) => {
    const fields = {
      account_name: text,
      service_number: text,
      declared_notes: text,
      provider_invoice_number: text,
    };
    // An import rejects an invoice_date before 2000.
    const [invoice_date, provider_invoice_date] = [dates[index]?.replace('1850', '2000'), dates.at(index - 1)];
    return { ...record, invoice_id: `${index + 1}`, ...fields, invoice_date, provider_invoice_date };
  });
  await importLines(engine, tenant, records);
  const file = join(await mkdtemp(join(tmpdir(), 'list-')), `invoices.${ending}`);
  await list('--out', file);
  const { code, stdout } = await runCommand('import-invoices', file, '--tenant', tenant);
  expect([code, stdout]).toEqual([0, expect.stringContaining('0 created, 0 changed, 9 unchanged, 0 rejected')]);
});

it.each<[name: string, content: string, isReplaced: boolean]>([
  ['review.csv', 'supplier_id,invoice_id,decision\n', false],
  ['review.xlsx', 'PK', false],
  ['empty.csv', '', true],
  ['table.txt', 'supplier  invoice\n', true],
])('list-invoices --out %s replaces the file only if it is no sheet, or with --overwrite', async (...args) => {
  const [name, content, isReplaced] = args;
  const file = join(await mkdtemp(join(tmpdir(), 'list-')), name);
  await writeFile(file, content);
  const { code, stderr } = await list('--out', file);
  expect(code).toBe(isReplaced ? 0 : 2);
  const message = `--out: ${file} already exists, and can contain decisions. Name another file, or pass --overwrite.\n`;
  if (!isReplaced) expect([stderr, await readFile(file, 'utf8')]).toEqual([message, content]);
  expect(await list('--out', file, '--overwrite')).toMatchObject({ code: 0 });
  expect(await readFile(file, 'utf8')).not.toBe(content);
});

it.each([
  [['--from', 'yesterday'], '--from must be an existing date in the form'],
  [['--json', '--out', 'a.XLSX'], '--out: a.XLSX is the name of a sheet. Omit --json, or use another extension.\n'],
])('list-invoices ends with 2 for %j, and prints no list', async (args, message) => {
  expect(await list(...args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
});

const formatDaysAgo = (days: number) => new Date(Date.now() - days * DAY_MS - 60_000).toISOString();

it('summary adds up a month by state and by supplier', async () => {
  await seedInvoices(engine, ana, [
    buildDatedInvoice('1', '2026-08-01'),
    buildDatedInvoice('2', '2026-08-31T23:59:59Z'),
    buildDatedInvoice('3', '2026-08-10', { state: 'LIQ' }),
    buildDatedInvoice('4', '2026-09-01'),
  ]);
  await seedInvoices(engine, bruno, [
    buildDatedInvoice('5', formatDaysAgo(40), { sortDate: '2026-08-15T00:00:00.000Z', state: 'ENV' }),
    buildDatedInvoice('6', '2026-08-20', { isWithdrawn: true }),
    buildDatedInvoice('7', '2026-09-20', { isWithdrawn: true }),
  ]);
  await declare(ana, '1', 1100, formatDaysAgo(12));
  await declare(ana, '2', 999.5, formatDaysAgo(30));
  await declare(ana, '2', 990.5, formatDaysAgo(3));

  const { code, stdout } = await runCommand('summary', tenant, '--month', '2026-08');
  expect(code).toBe(0);
  const numbers = ['invoices', 'system', 'declared', 'difference', 'to pay'];
  expect(parsePrintedRows(stdout)).toEqual([
    ['state', ...numbers],
    ['ENV Enviada', '1', '1000', '0', '0', '0'],
    ['REV En revisión', '2', '2000', '2090.5', '90.5', '0'],
    ['LIQ Liquidada', '1', '1000', '0', '0', '0'],
    [''],
    ['supplier', ...numbers],
    ['10', '3', '3000', '2090.5', '90.5', '0'],
    ['20', '1', '1000', '0', '0', '0'],
    [''],
    ['4 invoices (2 declared): system 4000, declared 2090.5, difference 90.5, to pay 0'],
    ['Withdrawn: 1 invoice (0 declared): system 1000, declared 0, difference 0, to pay 0'],
    [''],
  ]);
  const document = JSON.parse((await runCommand('summary', tenant, '--month', '2026-08', '--json')).stdout);
  const state = { state_code: 'ENV', state_name: 'Enviada', count: 1, system_amount: 1000 };
  expect(document).toMatchObject({
    tenant,
    month: '2026-08',
    zone: 'Z',
    totals: { count: 4 },
    withdrawn: { count: 1, system_amount: 1000 },
  });
  expect(document.states[0]).toMatchObject(state);
  expect(document.suppliers[1]).toMatchObject({ supplier_id: '20', count: 1 });
});

it('summary includes a month of a zone from its first to its last instant, and prints a month without invoices', async () => {
  const dates = ['2026-09-01T00:00', '2026-09-30T23:59:59', '2026-08-31T23:59:59', '2026-10-01T00:00'];
  const invoices = dates.map((date, index) => buildDatedInvoice(`${index}`, `${date}-03:00`));
  await seedInvoices(engine, ana, invoices);
  const runSummary = async (...args: string[]) =>
    JSON.parse((await runCommand('summary', tenant, '--json', ...args)).stdout);
  expect((await runSummary('--month', '2026-09', '--zone', '-03:00')).totals.count).toBe(2);
  expect(await runSummary('--month', '2026-02')).toMatchObject({
    states: [],
    suppliers: [],
    totals: { count: 0 },
  });
});
