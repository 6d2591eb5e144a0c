import { closeSync, existsSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openInput } from '../../../infra/ops/invoices/import-files.ts';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { endsAfterCtrlC, pressCtrlC } from '../../support/processes/press-ctrl-c.ts';
import { runCli, runOpsProcess } from '../../support/ops/run-ops.ts';
import { workbookOf } from '../../support/data/workbook.ts';
import { seedAccount } from '../../support/data/seed.ts';
import { rightCounters, storedInvoices } from '../../support/data/stored-invoices.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';

const directory = useDirectory();
const engine = useEngine();
let scope: SupplierScope;

beforeEach(async () => {
  ({ scope } = await seedAccount(engine));
});

const env = () => ({ AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint });
const importing = (args: readonly string[]) => ['import-invoices', ...args, '--tenant', scope.tenant, '--local'];

/** Imports into the tenant of this test; what it prints, and what it says of itself with --json. */
const runImport = (args: readonly string[], input?: string) =>
  runCli(importing(args), { env: env(), ...(input && { input }) });

async function importAsJson(args: readonly string[], input?: string) {
  const { code, stdout, stderr } = await runImport([...args, '--json'], input);
  return { code, stderr, ...JSON.parse(stdout) };
}

function write(name: string, content: string | Buffer): string {
  writeFileSync(join(directory, name), content);
  return name;
}

const read = (name: string) => readFileSync(join(directory, name), 'utf8');
const hasRejects = (name: string) => existsSync(join(directory, `${name}.rejected.ndjson`));
const rejects = (name: string) =>
  read(`${name}.rejected.ndjson`)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { line: number; reasons: string[]; record: object });
const aRecord = (index: number, overrides: object = {}) => ({
  invoice_id: `${100_000 + index}`,
  supplier_id: scope.supplierId,
  service_id: '5',
  invoice_date: `2026-0${1 + (index % 9)}-${10 + (index % 19)}`,
  system_amount: index / 100,
  ...overrides,
});
const lines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const some = (count: number) => Array.from({ length: count }, (_, index) => aRecord(index));

describe('npm run ops -- import-invoices', () => {
  it('imports the records of a file once, and says how far it is', async () => {
    const file = write('some.ndjson', lines(some(3)));
    expect(await runImport([file])).toEqual({
      code: 0,
      stdout: '3 created, 0 changed, 0 unchanged, 0 rejected\n',
      stderr: expect.stringContaining('100% | 3 records'),
    });
    expect(await runImport([file])).toMatchObject({ stdout: '0 created, 0 changed, 3 unchanged, 0 rejected\n' });
    expect(hasRejects(file)).toBe(false);
  });

  const header = 'invoice_id,supplier_id,service_id,invoice_date,system_amount,account_name,concepts\n';

  it('imports a CSV up to a broken quote, and names the line from which it can go on once that is mended', async () => {
    const rows = some(3).map((record) => `${record.invoice_id},${scope.supplierId},5,1\r\n`);
    const head = `invoice_id,supplier_id,service_id,system_amount\r\n${rows.join('')}`;
    const tail = `8,${scope.supplierId},5,1\r\n`;
    const file = write('broken.csv', `${head}9,${scope.supplierId},5,"1\r\n${tail}`);
    expect(await runImport([file])).toMatchObject({
      code: 1,
      stdout: 'Read as UTF-8, separated by commas.\n3 created, 0 changed, 0 unchanged, 0 rejected\n',
      stderr: expect.stringContaining(
        'Line 5 is no CSV: a quote is inside a cell, or a quote that is opened here is never closed. Correct the file, and pass --from-line 5.',
      ),
    });
    expect(await importAsJson([file])).toMatchObject({
      code: 1,
      unchanged: 3,
      last_line: 4,
      error: 'Line 5 is no CSV: a quote is inside a cell, or a quote that is opened here is never closed.',
      from_line: 5,
    });
    write('broken.csv', `${head}9,${scope.supplierId},5,"1"\r\n${tail}`);
    expect(await importAsJson([file, '--from-line', '5'])).toMatchObject({ code: 0, created: 2, unchanged: 0 });
  });

  it('an import of a file that cannot be read names no line from which to continue', async () => {
    const file = write('old.csv', Buffer.from('d0cf11e0', 'hex'));
    expect(await runImport([file])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/The file is a workbook of Excel 97: [^]* Nothing was imported\.\n$/),
    });
  });

  it('reads standard input, as NDJSON unless it is told otherwise, and writes rejects where it is told', async () => {
    const args = ['-', '--rejects', 'mine.ndjson'];
    expect(await importAsJson(args, `${lines([aRecord(7)])}no JSON\n`)).toEqual({
      code: 1,
      stderr: '',
      created: 1,
      changed: 0,
      unchanged: 0,
      rejected: 1,
      repeated: 0,
      system_amounts_changed: { count: 0, before: 0, after: 0, absolute: 0 },
      states_not_taken_over: { count: 0, first: [] },
      last_line: 2,
      interrupted: false,
      rejects_file: 'mine.ndjson',
      frequent_reasons: [{ reason: 'record: is not valid JSON', records: 1 }],
    });
    expect(JSON.parse(read('mine.ndjson'))).toEqual({
      line: 2,
      reasons: ['record: is not valid JSON'],
      record: 'no JSON',
    });
    const csv = await runImport([...args, '--format', 'csv'], `${header}8,${scope.supplierId},5,,0,,\n`);
    expect(csv).toMatchObject({
      code: 0,
      stdout: 'Read as UTF-8, separated by commas.\n1 created, 0 changed, 0 unchanged, 0 rejected\n',
    });
  });

  it('begins where it is told, and keeps what was rejected before', async () => {
    const file = write('part.ndjson', lines([aRecord(1), aRecord(2), aRecord(3, { system_amount: 'x' })]));
    const rejectsFile = write('part.ndjson.rejected.ndjson', '{"earlier":true}\n');
    expect(await importAsJson([file, '--from-line', '2'])).toMatchObject({ created: 1, rejected: 1 });
    expect([...(await storedInvoices(engine, scope)).keys()]).toEqual([aRecord(2).invoice_id]);
    expect(read(rejectsFile)).toMatch(/^\{"earlier":true\}\n\{"line":/);
  });
});

describe('the file of rejected records', () => {
  const rejected = () => lines([aRecord(1), aRecord(2, { system_amount: 'x' }), aRecord(3)]);

  it.each([
    ['the file', 'erp.csv'],
    ['the map of columns', 'map.yaml'],
  ])('cannot be a link to %s', async (_, target) => {
    const args = [write('erp.csv', exported()), '--map', write('map.yaml', MAP), ...AS_IT_IS];
    const before = read(target);
    rmSync(join(directory, 'link'), { force: true });
    symlinkSync(target, join(directory, 'link'));
    const { code, stderr } = await runImport([...args, '--rejects', 'link']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Name another file with --rejects.')]);
    expect(read(target)).toBe(before);
  });

  it.each([
    ['the file of rejected records', 'stdin.ndjson', 'Name another file with --rejects.'],
    ['a directory', '.', 'Standard input cannot be read: it is a directory'],
  ])('standard input cannot be %s', async (_, name, says) => {
    write('stdin.ndjson', rejected());
    const stdin = Object.assign(new Readable(), { fd: openSync(join(directory, name), 'r') });
    await expect(openInput('-', { rejects: 'stdin.ndjson' }, stdin, new AbortController().signal)).rejects.toThrow(
      says,
    );
    closeSync(stdin.fd);
  });
});

describe('an import that is interrupted', () => {
  const csvOf = (records: readonly ReturnType<typeof aRecord>[]) =>
    ['invoice_id,supplier_id,service_id,system_amount']
      .concat(records.map((record) => `${record.invoice_id},${record.supplier_id},5,${record.system_amount}`))
      .join('\n')
      .concat('\n');
  const hasStored = (count: number) =>
    vi.waitUntil(async () => (await storedInvoices(engine, scope)).size >= count, { timeout: 30_000 });

  it('says from which line to go on, and loses and doubles nothing', async () => {
    const file = write('many.csv', csvOf(some(3000)));
    const { code, stdout } = await runOpsProcess(importing([file, '--json']), {
      env: env(),
      cwd: directory,
      started: (child) => void hasStored(1).finally(() => pressCtrlC(child)),
    });
    const { created, last_line: lastLine, interrupted } = JSON.parse(stdout);
    expect([created % 1000, lastLine, interrupted]).toEqual([0, created + 1, true]);
    expect(endsAfterCtrlC(130)).toContain(code);
    expect(await storedInvoices(engine, scope)).toHaveLength(created);

    const rest = await importAsJson([file, '--from-line', `${created + 2}`]);
    expect(rest).toMatchObject({ code: 0, created: 3000 - created, unchanged: 0, interrupted: false });
    await rightCounters(engine, scope);
  });
});

const HEADINGS = 'Comprobante;Prestador;Orden;Cliente;Importe;Fecha;Moneda';
const MAP = `
invoice_id: Comprobante
supplier_id: Prestador
service_id: Orden
account_name: Cliente
system_amount: Importe
invoice_date: Fecha
`;
/** A file as the system of a company in Argentina writes it: three invoices, the second of which is not right. */
const exported = (firstSupplier = scope.supplierId) =>
  Buffer.from(
    `${HEADINGS}\r\n1;${firstSupplier};5;"Peña; Hijos";1.050,00;1/9/2026;ARS\r\n` +
      `2;${scope.supplierId};5;x;1050.00;;ARS\r\n3;${scope.supplierId};5;;12.300;;ARS\r\n`,
    'latin1',
  );
const AS_IT_IS = ['--decimal', 'comma', '--day-first', '--encoding', 'windows-1252'];

describe('import-invoices of a CSV of another system', () => {
  it('takes other headings, Windows-1252, decimal commas and dates with their day first, and names what it leaves out', async () => {
    const args = [write('erp.csv', exported()), '--map', write('map.yaml', MAP), ...AS_IT_IS];
    const { code, stdout } = await runImport(args);
    expect([code, stdout]).toEqual([
      1,
      'Read as Windows-1252, separated by semicolons, decimal comma, dates day/month/year.\n' +
        'invoice_id from "Comprobante", supplier_id from "Prestador", service_id from "Orden", ' +
        'account_name from "Cliente", system_amount from "Importe", invoice_date from "Fecha", "Moneda" left out.\n' +
        '2 created, 0 changed, 0 unchanged, 1 rejected\n' +
        'The rejected records and the reasons are in erp.csv.rejected.ndjson\n' +
        '  1 × system_amount: must be written with a decimal comma, such as 1.050,00\n',
    ]);
    const stored = await storedInvoices(engine, scope);
    expect(stored.get('1')).toMatchObject({
      account_name: 'Peña; Hijos',
      system_amount: 1050,
      invoice_date: '2026-09-01',
    });
    expect(stored.get('3')).toMatchObject({ system_amount: 12_300 });
    const json = await importAsJson(args);
    expect(json).toMatchObject({ unchanged: 2, rejected: 1, left_out: ['Moneda'] });
  });

  it.each([
    [['--map', 'missing.yaml'], 'The file missing.yaml cannot be read: ENOENT'],
    [['--map', 'unknown.yaml'], 'The map of columns cannot be used:\n  numero: is not a field; the fields are '],
  ])('ends with 2 for %j, and leaves the rejects of an earlier run alone', async (options, reason) => {
    write('unknown.yaml', 'numero: A\n');
    const file = write('options.csv', exported());
    write(`${file}.rejected.ndjson`, 'earlier\n');
    expect(await runImport([file, ...options])).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(reason),
    });
    expect(read(`${file}.rejected.ndjson`)).toBe('earlier\n');
  });

  it.each([['--map', 'map.yaml'], ['--day-first']])('refuses %s %s for NDJSON', async (...options) => {
    write('map.yaml', MAP);
    const { code, stderr } = await runImport([write('some.ndjson', '{}\n'), ...options]);
    expect([code, stderr]).toEqual([
      2,
      '--map, --separator, --decimal, --day-first and --encoding require a CSV or a workbook.\n',
    ]);
  });

  it('takes a workbook, whose numbers and dates need no guessing', async () => {
    const rows = [
      ['Factura', 'Prestador', 'Orden', 'Importe', 'Fecha'],
      ['1', scope.supplierId, '5', { number: '1050.5' }, { number: '46265', format: 'date' as const }],
      ['2', scope.supplierId, '5', '1.050', null],
    ];
    const { code, stdout } = await runImport([write('erp.xlsx', workbookOf({ Hoja1: rows }))]);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^Read from the sheet "Hoja1"\.\n[^]*\n1 created,/)]);
    const stored = await storedInvoices(engine, scope);
    expect(stored.get('1')).toMatchObject({ system_amount: 1050.5, invoice_date: '2026-08-31' });
    expect(rejects('erp.xlsx')).toMatchObject([{ line: 3, reasons: [expect.stringContaining('may be 1050 or')] }]);
  });
});
