import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { workbookOf } from '../../support/data/workbook.ts';
import { seedAccount } from '../../support/data/seed.ts';
import { storedInvoices } from '../../support/data/stored-invoices.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const directory = useDirectory();
const engine = useEngine();
let scope: SupplierScope;

beforeEach(async () => {
  ({ scope } = await seedAccount(engine));
});

function write(name: string, content: string | Buffer): string {
  writeFileSync(join(directory, name), content);
  return name;
}

const run = (...args: string[]) => runOps(engine.endpoint, 'import-invoices', ...args, '--tenant', scope.tenant);
const rejects = (file: string) =>
  readFileSync(join(directory, `${file}.rejected.ndjson`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { line: number; reasons: string[]; record: object });

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
const exported = (lastSupplier = scope.supplierId) =>
  Buffer.from(
    `${HEADINGS}\r\n1;${scope.supplierId};5;"Peña; Hijos";1.050,00;1/9/2026;ARS\r\n` +
      `2;${scope.supplierId};5;x;1050.00;;ARS\r\n3;${lastSupplier};5;;12.300;;ARS\r\n`,
    'latin1',
  );
const AS_IT_IS = ['--decimal', 'comma', '--day-first', '--encoding', 'windows-1252'];

describe('import-invoices of a CSV of another system', () => {
  it('takes other headings, Windows-1252, decimal commas and dates with their day first, and names what it leaves out', async () => {
    const args = [write('erp.csv', exported()), '--map', write('map.yaml', MAP), ...AS_IT_IS];
    const { code, stdout } = await run(...args);
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
    const json = JSON.parse((await run(...args, '--json')).stdout);
    expect(json).toMatchObject({ unchanged: 2, rejected: 1, left_out: ['Moneda'] });
  });

  it('writes rejects under the names of the fields, so that they are NDJSON to import once they are corrected', async () => {
    const file = write('again.csv', exported('404'));
    const args = [file, '--map', write('map.yaml', MAP), ...AS_IT_IS];
    await run(...args);
    expect(rejects(file)).toEqual([
      {
        line: 3,
        reasons: ['system_amount: must be written with a decimal comma, such as 1.050,00'],
        record: {
          invoice_id: '2',
          supplier_id: scope.supplierId,
          service_id: '5',
          account_name: 'x',
          system_amount: '1050.00',
        },
      },
      {
        line: 4,
        reasons: [`supplier_id: there is no supplier 404 in ${scope.tenant}`],
        record: { invoice_id: '3', supplier_id: '404', service_id: '5', system_amount: '12300' },
      },
    ]);
    const corrected = rejects(file).map(({ record }) => JSON.stringify({ ...record, supplier_id: scope.supplierId }));
    expect((await run(write('corrected.ndjson', corrected.join('\n')))).stdout).toContain('2 created');
    expect((await storedInvoices(engine, scope)).get('3')).toMatchObject({ system_amount: 12_300 });
    write(file, `${HEADINGS}\r\n3;${scope.supplierId};5;;12.300;;ARS\r\n`);
    expect(JSON.parse((await run(...args, '--json')).stdout)).toMatchObject({ unchanged: 1, rejects_file: null });
    expect(existsSync(join(directory, `${file}.rejected.ndjson`))).toBe(false);
  });

  it('says what is wrong with a header, all of it, and how to name columns', async () => {
    const file = write('headings.csv', exported());
    const { code, stderr } = await run(file);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'Every file must have invoice_id, supplier_id; new invoices need service_id, system_amount, too. Nothing was imported.',
    );
    const map = write('other.yaml', MAP.replace('Comprobante', 'Factura').replace('Importe', 'Total'));
    expect((await run(file, '--map', map)).stderr).toContain(
      '--map names the column "Total", which is not in the file.',
    );
    expect(await storedInvoices(engine, scope)).toHaveLength(0);
    expect(existsSync(join(directory, `${file}.rejected.ndjson`))).toBe(false);
  });

  it.each([
    [['--map', 'missing.yaml'], 'The file missing.yaml cannot be read: ENOENT'],
    [['--map', 'broken.yaml'], 'The file broken.yaml cannot be read: '],
    [['--map', 'twice.yaml'], 'cannot be read: duplicate key at line 2, column 1'],
    [['--map', 'unknown.yaml'], 'The map of columns cannot be used:\n  numero: is not a field; the fields are '],
    [['--decimal', 'dot'], 'Allowed choices are comma, point.'],
    [['--encoding', 'ansi'], 'Allowed choices are utf-8, windows-1252.'],
  ])('ends with 2 for %j, and leaves the rejects of an earlier run alone', async (options, reason) => {
    write('broken.yaml', 'city: [');
    write('twice.yaml', 'city: A\ncity: B\n');
    write('unknown.yaml', 'numero: A\n');
    const file = write('options.csv', exported());
    write(`${file}.rejected.ndjson`, 'earlier\n');
    expect(await run(file, ...options)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(reason) });
    expect(readFileSync(join(directory, `${file}.rejected.ndjson`), 'utf8')).toBe('earlier\n');
  });

  it.each([['--map', 'map.yaml'], ['--decimal', 'comma'], ['--day-first'], ['--encoding', 'windows-1252']])(
    'refuses %s %s for NDJSON',
    async (...options) => {
      write('map.yaml', MAP);
      const { code, stderr } = await run(write('some.ndjson', '{}\n'), ...options);
      expect([code, stderr]).toEqual([2, '--map, --separator, --decimal, --day-first and --encoding belong to CSV.\n']);
    },
  );

  it('takes a workbook, whose numbers and dates need no guessing', async () => {
    const rows = [
      ['Factura', 'Prestador', 'Orden', 'Importe', 'Fecha'],
      [
        { number: '1' },
        scope.supplierId,
        { number: '5' },
        { number: '1050.5' },
        { number: '46265', format: 'date' as const },
      ],
      [{ number: '2' }, scope.supplierId, { number: '5' }, '1.050', null],
    ];
    const { code, stdout } = await run(write('erp.xlsx', workbookOf({ Hoja1: rows })));
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^Read from the sheet "Hoja1"\.\n[^]*\n1 created,/)]);
    const stored = await storedInvoices(engine, scope);
    expect(stored.get('1')).toMatchObject({ system_amount: 1050.5, invoice_date: '2026-08-31' });
    expect(rejects('erp.xlsx')).toMatchObject([{ line: 3, reasons: [expect.stringContaining('may be 1050 or')] }]);
  });
});
