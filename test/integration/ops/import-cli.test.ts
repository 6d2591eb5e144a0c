import { closeSync, existsSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openInput } from '../../../infra/ops/import/import-files.ts';
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
const toArguments = (args: readonly string[]) => ['import-invoices', ...args, '--tenant', scope.tenant, '--local'];

const runImport = (args: readonly string[], input?: string) =>
  runCli(toArguments(args), { env: env(), ...(input && { input }) });

async function importAsJson(args: readonly string[], input?: string) {
  const { code, stdout, stderr } = await runImport([...args, '--json'], input);
  return { code, stderr, ...JSON.parse(stdout) };
}

function write(name: string, content: string | Buffer): string {
  writeFileSync(join(directory, name), content);
  return name;
}

const read = (name: string) => readFileSync(join(directory, name), 'utf8');

const aRecord = (index: number, overrides: object = {}) => ({
  invoice_id: `${100_000 + index}`,
  supplier_id: scope.supplierId,
  service_id: '5',
  system_amount: index / 100,
  ...overrides,
});
const toLines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');

describe('a file of records', () => {
  it('import-invoices imports a CSV up to a misplaced quote, and prints the line from which to continue', async () => {
    const rows = [1, 2, 3].map((id) => `${id},${scope.supplierId},5,1\r\n`);
    const head = `invoice_id,supplier_id,service_id,system_amount\r\n${rows.join('')}`;
    const tail = `8,${scope.supplierId},5,1\r\n`;
    const file = write('broken.csv', `${head}9,${scope.supplierId},5,"1\r\n${tail}`);
    const error = 'Line 5 is no CSV: a quote is inside a cell, or a quote that is opened here is never closed.';
    expect(await runImport([file])).toMatchObject({
      code: 1,
      stdout: 'Read as UTF-8, separated by commas.\n3 created, 0 changed, 0 unchanged, 0 rejected\n',
      stderr: expect.stringContaining(`${error} Correct the file, and pass --from-line 5.`),
    });
    expect(await importAsJson([file])).toMatchObject({ code: 1, unchanged: 3, last_line: 4, error, from_line: 5 });
    write('broken.csv', `${head}9,${scope.supplierId},5,"1"\r\n${tail}`);
    expect(await importAsJson([file, '--from-line', '5'])).toMatchObject({ code: 0, created: 2, unchanged: 0 });
  });

  it('import-invoices prints no line from which to continue for a file that it cannot read', async () => {
    const file = write('old.csv', Buffer.from('d0cf11e0', 'hex'));
    expect(await runImport([file])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/The file is a workbook of Excel 97: [^]* Nothing was imported\.\n$/),
    });
  });

  it('import-invoices reads standard input in the format of --format, prints its progress, and writes or removes --rejects', async () => {
    const args = ['-', '--rejects', 'mine.ndjson'];
    const reason = 'record: is not valid JSON';
    expect(await importAsJson(args, `${toLines([aRecord(7)])}no JSON\n`)).toEqual({
      ...{ code: 1, stderr: '', created: 1, changed: 0, unchanged: 0, rejected: 1, repeated: 0, last_line: 2 },
      ...{ interrupted: false, rejects_file: 'mine.ndjson', frequent_reasons: [{ reason, records: 1 }] },
      system_amounts_changed: { count: 0, before: 0, after: 0, absolute: 0 },
      states_not_taken_over: { count: 0, first: [] },
    });
    expect(JSON.parse(read('mine.ndjson'))).toEqual({ line: 2, reasons: [reason], record: 'no JSON' });
    const header = 'invoice_id,supplier_id,service_id,system_amount\n';
    const csv = await runImport([...args, '--format', 'csv'], `${header}8,${scope.supplierId},5,0\n`);
    expect(csv).toMatchObject({ code: 0, stdout: expect.stringContaining('\n1 created, 0 changed') });
    expect(csv.stderr).toContain('100% | 1 records');
    expect(existsSync(join(directory, 'mine.ndjson'))).toBe(false);
  });

  it('import-invoices begins at --from-line, and keeps the rejected records of the earlier run', async () => {
    const file = write('part.ndjson', toLines([aRecord(1), aRecord(2), aRecord(3, { system_amount: 'x' })]));
    const rejectsFile = write('part.ndjson.rejected.ndjson', '{"earlier":true}\n');
    expect(await importAsJson([file, '--from-line', '2'])).toMatchObject({ created: 1, rejected: 1 });
    expect([...(await storedInvoices(engine, scope)).keys()]).toEqual([aRecord(2).invoice_id]);
    expect(read(rejectsFile)).toMatch(/^\{"earlier":true\}\n\{"line":/);
  });

  it('import-invoices prints after an interruption the line from which to continue, and loses and repeats nothing', async () => {
    const rows = Array.from({ length: 3000 }, (_, index) => `${index},${scope.supplierId},5,1\n`);
    const file = write('many.csv', `invoice_id,supplier_id,service_id,system_amount\n${rows.join('')}`);
    const hasStored = () =>
      vi.waitUntil(async () => (await storedInvoices(engine, scope)).size > 0, { timeout: 30_000 });
    const { code, stdout } = await runOpsProcess(toArguments([file, '--json']), {
      env: env(),
      cwd: directory,
      started: (child) => void hasStored().finally(() => pressCtrlC(child)),
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
  return write('erp.csv', Buffer.from(rows.map((row) => `${row}\r\n`).join(''), 'latin1'));
};
const FORMAT = ['--decimal', 'comma', '--day-first', '--encoding', 'windows-1252'];

describe('the file of an ERP', () => {
  it('import-invoices reads other headings, Windows-1252, decimal commas and dates with their day first', async () => {
    const args = [writeErpFile(), '--map', write('map.yaml', MAP), ...FORMAT];
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
    const first = { account_name: 'Peña; Hijos', system_amount: 1050, invoice_date: '2026-09-01' };
    expect([stored.get('1'), stored.get('3')]).toMatchObject([first, { system_amount: 12_300 }]);
    expect(await importAsJson(args)).toMatchObject({ unchanged: 2, rejected: 1, left_out: ['Moneda'] });
  });

  it('import-invoices reads a workbook by the types of its cells', async () => {
    const rows = [
      ['Factura', 'Prestador', 'Orden', 'Importe', 'Fecha'],
      ['1', scope.supplierId, '5', { number: '1050.5' }, { number: '46265', format: 'date' as const }],
      ['2', scope.supplierId, '5', '1.050', null],
    ];
    const { code, stdout } = await runImport([write('erp.xlsx', workbookOf({ Hoja1: rows }))]);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^Read from the sheet "Hoja1"\.\n[^]*\n1 created,/)]);
    const stored = await storedInvoices(engine, scope);
    expect(stored.get('1')).toMatchObject({ system_amount: 1050.5, invoice_date: '2026-08-31' });
    expect(JSON.parse(read('erp.xlsx.rejected.ndjson'))).toMatchObject({
      line: 3,
      reasons: [expect.stringContaining('may be 1050 or')],
    });
  });

  it.each([
    [['--map', 'missing.yaml'], 'The file missing.yaml cannot be read: ENOENT'],
    [
      ['--map', 'unknown.yaml'],
      'The map of columns cannot be used:\n  numero: is not a known property\n  The fields are ',
    ],
    [['--format', 'ndjson', '--day-first'], '--day-first and --encoding require a CSV or a workbook.\n'],
  ])(
    'import-invoices ends with 2 for %j, and changes no rejected records of an earlier run',
    async (options, reason) => {
      write('unknown.yaml', 'numero: A\n');
      const file = writeErpFile();
      write(`${file}.rejected.ndjson`, 'earlier\n');
      const run = await runImport([file, ...options]);
      expect(run).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(reason) });
      expect(read(`${file}.rejected.ndjson`)).toBe('earlier\n');
    },
  );

  it.each(['erp.csv', 'map.yaml'])(
    'ends with 2 if --rejects is a link to %s, and overwrites nothing',
    async (target) => {
      const args = [writeErpFile(), '--map', write('map.yaml', MAP), ...FORMAT];
      const before = read(target);
      rmSync(join(directory, 'link'), { force: true });
      symlinkSync(target, join(directory, 'link'));
      const { code, stderr } = await runImport([...args, '--rejects', 'link']);
      expect([code, stderr]).toEqual([2, expect.stringContaining('Name another file with --rejects.')]);
      expect(read(target)).toBe(before);
    },
  );
});

it.each([
  ['the file of rejected records', 'stdin.ndjson', 'Name another file with --rejects.'],
  ['a directory', '.', 'Standard input cannot be read: it is a directory'],
])('an import from standard input rejects %s', async (_, name, error) => {
  write('stdin.ndjson', '{}\n');
  const stdin = Object.assign(new Readable(), { fd: openSync(join(directory, name), 'r') });
  const { signal } = new AbortController();
  await expect(openInput('-', { rejects: 'stdin.ndjson' }, stdin, signal)).rejects.toThrow(error);
  closeSync(stdin.fd);
});
