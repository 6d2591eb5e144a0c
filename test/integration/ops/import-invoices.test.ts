import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import type { DeclarationRequest } from '../../../lib/domain/declaration.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { declareInNewStore } from '../../support/data/declare-one.ts';
import { seedAccount } from '../../support/data/seed.ts';
import { buildInvoice } from '../../support/data/seed-invoices.ts';
import { readStoredInvoices, readStoredStateChanges } from '../../support/data/stored-invoices.ts';
import { runCli, runOpsProcess } from '../../support/ops/run-ops.ts';
import { listCtrlCExitCodes, pressCtrlC } from '../../support/processes/press-ctrl-c.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const directory = useDirectory();
const engine = useEngine();
let scope: SupplierScope;

beforeEach(async () => {
  ({ scope } = await seedAccount(engine));
  rmSync(join(directory, 'rejects'), { force: true });
});

type Fields = Readonly<Record<string, unknown>>;

const buildEnv = () => ({ AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint });
const toArguments = (args: readonly string[]) => ['import-invoices', ...args, '--tenant', scope.tenant, '--local'];

const runImport = (args: readonly string[], input?: string) =>
  runCli(toArguments(args), { env: buildEnv(), ...(input && { input }) });

async function importAsJson(args: readonly string[], input?: string) {
  const { code, stdout, stderr } = await runImport([...args, '--json'], input);
  return { code, stderr, ...JSON.parse(stdout) };
}

/** Imports records with default fields from a file, or a text from standard input. */
function importAll(records: readonly Fields[] | string, ...options: string[]) {
  const args = ['--rejects', 'rejects', ...options];
  if (typeof records === 'string') return runImport(['-', ...args], records);
  return runImport([writeInput('some.ndjson', toLines(records)), ...args]);
}

function writeInput(name: string, content: string | Buffer): string {
  writeFileSync(join(directory, name), content);
  return name;
}

const readText = (name: string) => readFileSync(join(directory, name), 'utf8');

/** Reads the line and the errors of each rejected record. */
function readRejects() {
  const entries = readText('rejects').trimEnd().split('\n');
  return entries.map((entry) => {
    const { line, reasons } = JSON.parse(entry) as { line: number; reasons: string[] };
    return [line, ...reasons];
  });
}

const toLines = (records: readonly Fields[]) =>
  records
    .map((fields) => ({ supplier_id: scope.supplierId, service_id: '5', system_amount: 100, ...fields }))
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('');

const readStored = () => readStoredInvoices(engine, scope);
const createMany = (count: number) => Array.from({ length: count }, (_, index) => ({ invoice_id: `${1000 + index}` }));
const declare = (request: DeclarationRequest) => declareInNewStore(engine, scope, request, { userId: '77' });

it('an import of a file with a misplaced quote ends with 2, and writes nothing', async () => {
  const header = 'invoice_id,supplier_id,service_id,system_amount\n';
  const rows = `1,${scope.supplierId},5,1\n2,${scope.supplierId},5,"1\n`;
  const reason = 'there is text after a closing quote, or a quote that opens here is never closed';
  const stderr = `Line 3 is not valid CSV: ${reason}. Nothing was imported.\n`;
  expect(await importAll(header + rows, '--format', 'csv')).toEqual({ code: 2, stdout: '', stderr });
  expect((await readStored()).size).toBe(0);
});

it('an import reads standard input in the format of --format, and writes or removes --rejects', async () => {
  const args = ['-', '--rejects', 'mine.ndjson'];
  const reason = 'record: is not valid JSON';
  expect(await importAsJson(args, `${toLines(createMany(1))}no JSON\n`)).toMatchObject({
    ...{ code: 1, stderr: '', created: 1, rejected: 1, repeated: 0, withdrawn: 0 },
    ...{ interrupted: false, rejects_file: 'mine.ndjson', first_rejected: [`line 2: ${reason}`] },
  });
  expect(JSON.parse(readText('mine.ndjson'))).toEqual({ line: 2, reasons: [reason], record: 'no JSON' });
  const header = 'invoice_id,supplier_id,service_id,system_amount\n';
  const csv = await runImport([...args, '--format', 'csv'], `${header}8,${scope.supplierId},5,0\n`);
  expect(csv).toMatchObject({ code: 0, stdout: expect.stringContaining('\n1 created, 0 changed'), stderr: '' });
  expect(existsSync(join(directory, 'mine.ndjson'))).toBe(false);
});

it('an import that is interrupted ends after a batch, and another run loses and repeats no record', async () => {
  const rows = Array.from({ length: 2000 }, (_, index) => `${index},${scope.supplierId},5,1\n`);
  const file = writeInput('many.csv', `invoice_id,supplier_id,service_id,system_amount\n${rows.join('')}`);
  const hasStored = () => vi.waitUntil(async () => (await readStored()).size > 0, { timeout: 30_000 });
  const { code, stdout } = await runOpsProcess(toArguments([file, '--json']), {
    env: buildEnv(),
    cwd: directory,
    started: (child) => void hasStored().finally(() => pressCtrlC(child)),
  });
  const { created, interrupted } = JSON.parse(stdout);
  expect([created % 1000, interrupted]).toEqual([0, true]);
  expect(listCtrlCExitCodes(130)).toContain(code);
  expect(await readStored()).toHaveLength(created);
  expect(await importAsJson([file])).toMatchObject({ code: 0, created: 2000 - created, unchanged: created });
});

const MAP = `
invoice_id: Comprobante
supplier_id: Prestador
service_id: Orden
account_name: Cliente
system_amount: Importe
invoice_date: Fecha
`;
/** Writes a file as an ERP in Argentina exports it: three invoices, of which the second is invalid. */
const writeErpFile = () => {
  const { supplierId } = scope;
  const rows = [
    'Comprobante;Prestador;Orden;Cliente;Importe;Fecha;Moneda',
    `1;${supplierId};5;"Peña; Hijos";1.050,00;1/9/2026;ARS`,
    `2;${supplierId};5;x;1050.00;;ARS`,
    `3;${supplierId};5;;12.300;;ARS`,
  ];
  return writeInput('erp.csv', Buffer.from(rows.map((row) => `${row}\r\n`).join(''), 'latin1'));
};
const FORMAT = ['--decimal', 'comma', '--day-first'];

it('import-invoices reads other headings, Windows-1252, decimal commas and dates with their day first', async () => {
  const totals = ['--expect-records', '3', '--expect-total', '13350,00'];
  const args = [writeErpFile(), '--map', writeInput('map.yaml', MAP), ...FORMAT, ...totals];
  const { code, stdout } = await runImport(args);
  const format = 'Read as Windows-1252, separated by semicolons, dates day/month/year.\n';
  const columns = 'invoice_date from "Fecha", "Moneda" left out.\n2 created, 0 changed, 0 unchanged, 1 rejected\n';
  expect([code, stdout]).toEqual([1, expect.stringMatching(new RegExp(`^${format}[^]*${columns}`))]);
  const stored = await readStored();
  const first = { account_name: 'Peña; Hijos', system_amount: 1050, invoice_date: '2026-09-01' };
  expect([stored.get('1'), stored.get('3')]).toMatchObject([first, { system_amount: 12_300 }]);
  expect(await importAsJson(args)).toMatchObject({ unchanged: 2, rejected: 1 });
});

it.each([
  [['--format', 'ndjson', '--day-first'], '--decimal and --day-first require a CSV or a workbook.\n'],
  [['--expect-records', '4', '--map', 'map.yaml', ...FORMAT], 'expected 4, but the file has 3 records. Nothing'],
  [
    ['--expect-total', '5,31', '--map', 'map.yaml', ...FORMAT],
    'expected 5,31, but system_amount adds up to 13350. Nothing',
  ],
  [['--map', 'map.yaml', '--rejects', 'map.yaml'], '--map and --rejects name the same file.\n'],
  [['--force'], '--force requires --reason. '],
  [['--reason', 'x'], ' --reason and --by require --force.\n'],
])('import-invoices ends with 2 for %j, and writes nothing', async (options, reason) => {
  writeInput('map.yaml', MAP);
  writeInput('rejects', 'earlier\n');
  const run = await runImport([writeErpFile(), '--rejects', 'rejects', ...options]);
  expect(run).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(reason) });
  expect([readText('rejects'), (await readStored()).size]).toEqual(['earlier\n', 0]);
});

it('an import stores every field of an invoice under its name, with its zone, and a second run writes nothing', async () => {
  const concept = { concept_id: '1', description: 'Tow', unit_amount: 1.1, quantity: 2, tax_pct: 21, total: 2.662 };
  const fields = {
    ...{ service_id: '5', service_number: 'S-1', account_name: 'Córdoba', city: 'Salta', state_code: 'ENV' },
    ...{ invoice_date: '2026-06-10', service_call_date: '2026-06-09T10:00:00Z', concepts: [concept] },
    ...{ system_amount: 1234.5678, attachment_url: 'https://x.example/a.pdf', attachment_filename: 'a.pdf' },
  };
  const records = [{ ...fields, invoice_id: '7', state_name: 'ignored' }];
  const zone = ['--zone', '-03:00'];
  expect((await importAll(records, ...zone)).stdout).toBe('1 created, 0 changed, 0 unchanged, 0 rejected\n');
  const stored = await readStored();
  const dates = { invoice_date: '2026-06-10T00:00:00-03:00', sort_date: '2026-06-10T03:00:00.000Z' };
  expect(stored.get('7')).toMatchObject({ ...fields, ...dates, version: 1 });
  expect((await importAll(records, ...zone)).stdout).toBe('0 created, 0 changed, 1 unchanged, 0 rejected\n');
  expect(await readStored()).toEqual(stored);
});

it('an import rejects only an invoice that leaves no space for the largest declaration', async () => {
  const line = { concept_id: '1', description: 'x'.repeat(1000), unit_amount: 1, quantity: 1, tax_pct: 0, total: 1 };
  const createSized = (id: number, characters: number) => {
    const full = Array.from({ length: Math.floor(characters / 1000) }, () => line);
    const rest = { ...line, description: 'x'.repeat(characters % 1000) };
    return { invoice_id: `${id}`, invoice_date: '2026-06-10T10:00:00Z', concepts: [...full, rest] };
  };
  // The table would accept the larger record, but not its declaration.
  const sizes = [1, 364_000, 345_000, 1];
  const { stdout } = await importAll(sizes.map((size, index) => createSized(1 + index, size)));
  expect(stdout).toMatch(/^3 created, 0 changed, 0 unchanged, 1 rejected\n/);
  const error = expect.stringMatching(/^record: is 4\d{5} bytes with .*; the maximum is 409600 bytes$/);
  expect(readRejects()).toEqual([[2, error]]);
  const invoiceNumber = '\u{16d6a}'.repeat(60);
  await declare({
    ...{ invoiceId: '3', amount: 999999999998.9999, notes: '\u{1f600}'.repeat(2000), taxPct: 99.999999 },
    ...{ invoiceNumber, invoiceDate: '2026-01-01T00:00:00.123456789+00:00' },
  });
  expect((await readStored()).get('3')).toMatchObject({ version: 2, provider_invoice_number: invoiceNumber });
  // The history contains the old concepts, which are as large as the new ones.
  expect((await importAll([createSized(3, 344_000)])).stdout).toContain('0 created, 1 changed, 0 unchanged, 0 rej');
});

it('records of one invoice in different batches are rejected if they differ, and imported once if they are equal', async () => {
  const between = Array.from({ length: 1000 }, () => ({ invoice_id: 'x' }));
  const [one, two] = [{ invoice_id: '1' }, { invoice_id: '2' }];
  const { code, stdout } = await importAll(toLines([one, two, ...between, { ...one, city: 'Salta' }, two, two]));
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/^1 created, .* 1002 rejected\n2 repetitions of equal records skipped\n/),
  ]);
  const different = 'invoice_id: the file contains this invoice with different values in lines 1, 1003';
  expect([readRejects().at(0), readRejects().at(-1)]).toEqual([
    [1, different],
    [1003, different],
  ]);
  expect([...(await readStored()).keys()]).toEqual(['2']);
});

it('an id that differs from a stored id only in leading zeros is rejected, unless --allow-zeros is passed', async () => {
  await importAll([{ invoice_id: '0080101' }, { invoice_id: '7' }]);
  const others = [{ invoice_id: '80101' }, { invoice_id: '00000000000000000007' }, { invoice_id: '8' }];
  expect((await importAll(others)).stdout).toMatch(/^1 created, 0 changed, 0 unchanged, 2 rejected\n/);
  expect(readRejects().map(([line]) => line)).toEqual([1, 2]);
  expect((await importAll(others, '--allow-zeros')).stdout).toMatch(/^2 created, 0 changed, 1 unchanged, 0 rejected/);
  // An id that is stored with exactly these zeros is accepted without --allow-zeros.
  expect((await importAll(others)).stdout).toMatch(/^0 created, 0 changed, 3 unchanged, 0 rejected/);
});

it('--force changes protected amounts, keeps declarations, and records author and reason', async () => {
  await importAll([{ invoice_id: '1' }, { invoice_id: '4' }]);
  await declare({ invoiceId: '1', amount: 105 });
  const changed = [
    { invoice_id: '1', system_amount: 120 },
    { invoice_id: '4', system_amount: 101 },
  ];
  const { code } = await importAll(changed, '--force', '--reason', 'Corrected', '--by', 'carol');
  expect(code).toBe(0);
  const stored = await readStored();
  expect(stored.get('1')).toMatchObject({ system_amount: 120, declared_amount: 105, state_code: 'REV', version: 3 });
  const by = { changed_by: `${userInfo().username} (carol)`, reason: 'Corrected' };
  const readChanges = (id: string) => readStoredStateChanges(engine, scope, id);
  expect(await readChanges('1')).toMatchObject([{ from_system_amount: 100, to_system_amount: 120, ...by }]);
  // Without a protected field, --force is not the reason of the change.
  expect(await readChanges('4')).toMatchObject([{ to_system_amount: 101, changed_by: 'import' }]);
  expect((await readChanges('4'))[0]).not.toHaveProperty('reason');
});

it('an invoice contains the id of the command that created it, and a later import does not change this id', async () => {
  const importAndReadId = async (...records: Fields[]) => {
    await importAll(records);
    const { stdout } = await runCli(['audit', scope.tenant, '--json', '--local'], { env: buildEnv() });
    return (JSON.parse(stdout) as { entries: { id: string }[] }).entries[0]?.id;
  };
  const first = await importAndReadId({ invoice_id: '1' });
  const second = await importAndReadId({ invoice_id: '1', city: 'Salta' }, { invoice_id: '2' });
  const stored = await readStored();
  expect(stored.get('1')).toMatchObject({ created_by: first, version: 2 });
  expect(stored.get('2')).toMatchObject({ created_by: second, version: 1 });
});

it('a command never sends a change that is older than 20 seconds, but has it planned again', async () => {
  const { commit } = createAdminPorts(engine);
  const buildChange = (ageMs: number) => {
    return { before: null, after: buildInvoice({ changedAt: new Date(Date.now() - ageMs).toISOString() }) };
  };
  const [recent, old] = [buildChange(0), buildChange(20_000)];
  expect(await commit(scope, [recent, old])).toEqual({ kind: 'replan', current: new Map() });
  expect((await readStored()).size).toBe(0);
  expect(await commit(scope, [recent])).toEqual({ kind: 'committed' });
});
