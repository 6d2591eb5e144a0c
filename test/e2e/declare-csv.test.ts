import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { beforeEach, describe, expect, it } from 'vitest';
import { listen } from '../../infra/local/ports.ts';
import { runDeclareCsv } from '../support/processes/declare-csv.ts';
import { startLocalService } from '../support/service/local-service.ts';
import { useStarted } from '../support/setup/use-started.ts';
import { blockAfter } from '../support/guides/readme.ts';
import { clientOf, moveClock } from '../support/service/service-client.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sample = join(root, 'lib/client/examples/declare-csv/invoices.csv');
const directory = mkdtempSync(join(tmpdir(), 'declare-csv-'));
const report = join(directory, 'report.csv');

const service = useStarted(() => startLocalService({ demo: true }));
beforeEach(() => moveClock(service.url, 61));

function write(name: string, text: string | Buffer): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}
const rowsOf = (path: string): Record<string, string>[] => parse(readFileSync(path, 'utf8'), { columns: true });
const invoice = (id: string) => clientOf(service).getInvoice(id);

describe('npm run declare-csv', () => {
  it('changes nothing with --check', async () => {
    const before = await Promise.all(['9001', '9003', '9009'].map(invoice));
    const { code, stdout } = await runDeclareCsv(service.url, [sample, '--check', '--report', report]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('Would be sent to review') });
    expect(rowsOf(report).map(({ outcome }) => outcome)).toEqual([
      'would_be_approved',
      'would_be_approved',
      'would_go_to_review',
      'rejected',
      'rejected',
    ]);
    expect(rowsOf(report)[4]).toMatchObject({
      invoice_id: '9008',
      code: 'VALIDATION_ERROR',
      message: 'invoice_id: a settled invoice (LIQ) cannot be declared',
    });
    expect(await Promise.all(['9001', '9003', '9009'].map(invoice))).toEqual(before);
  });

  it('with --hold-review declares only what is approved automatically', async () => {
    const { code } = await runDeclareCsv(service.url, [sample, '--hold-review', '--report', report]);
    expect(code).toBe(1);
    expect(rowsOf(report)[2]).toMatchObject({
      invoice_id: '9009',
      outcome: 'held',
      action: 'REVIEW',
      difference: '16.68',
    });
    expect(await invoice('9009')).toMatchObject({ state_code: 'PEN', declaration_id: null });
    expect(await invoice('9001')).toMatchObject({ state_code: 'APR', declared_amount: 1050 });
  });

  const guides = 'lib/client/examples/declare-csv';
  it.each([
    ['README.md', 'Try it'],
    ['README.es.md', 'Pruébelo'],
  ])('as %s prints it prints what the guide shows', async (name, heading) => {
    const guide = `${guides}/${name}`;
    const script = `${blockAfter(guide, heading, 'sh').trim()} --url ${service.url} || [ $? = 1 ]`;
    const env = { ...process.env, LC_ALL: 'C' };
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-ec', script], { cwd: root, env });
    expect(stdout.trimEnd()).toBe(blockAfter(guide, heading, 'text').trimEnd());
  });

  it('reads the file that the guide in Spanish shows', () => {
    const shown = blockAfter(`${guides}/README.es.md`, 'Pruébelo', 'csv').replaceAll('\n', '\r\n');
    expect(readFileSync(join(root, guides, 'facturas.csv'), 'latin1')).toBe(shown);
  });

  it('declares everything that is in the file, says what became of every line, and can be run again', async () => {
    const first = await runDeclareCsv(service.url, [sample, '--report', report]);
    const rows = rowsOf(report);
    expect(rows.map(({ line, outcome, code }) => [line, outcome, code])).toEqual([
      ['2', 'approved', ''],
      ['3', 'approved', ''],
      ['4', 'review', ''],
      ['5', 'rejected', 'NOT_FOUND'],
      ['6', 'rejected', 'VALIDATION_ERROR'],
    ]);
    expect(await invoice('9009')).toMatchObject({
      state_code: 'REV',
      declaration_id: rows[2]?.['declaration_id'],
      declared_amount: 350.01,
      declared_notes: 'Toll "Ruta 9" included',
      provider_invoice_number: 'A-0001-00002003',
      provider_invoice_date: '2026-08-31',
    });
    const withoutRequests = (all: typeof rows) => all.map((row) => ({ ...row, request_id: '' }));
    expect(await runDeclareCsv(service.url, [sample, '--report', report])).toMatchObject({ stdout: first.stdout });
    expect(withoutRequests(rowsOf(report))).toEqual(withoutRequests(rows));
  });

  it('leaves what a cell leaves out as it is, ends with 0 when nothing was rejected, and shows how far it is', async () => {
    const short = write('short.csv', 'invoice_id;amount;notes\r\n9009;340,5;\r\n');
    expect(await runDeclareCsv(service.url, [short])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/Checking 1 of 1\n.*Declaring 1 of 1\n/s),
    });
    expect(await invoice('9009')).toMatchObject({ declared_amount: 340.5, declared_notes: 'Toll "Ruta 9" included' });
  });

  it('ends with 1 when it is unknown what became of a line', async () => {
    const check = { action: 'AUTO_APPROVE', difference: 0, difference_pct: 0 };
    const server = createServer(({ url = '' }, response) => {
      const data = url.endsWith('/login') ? { authorization: 'token' } : { ...check, results: [] };
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ success: true, data, meta: {} }));
    });
    const address = `http://127.0.0.1:${await listen(server, 0)}`;
    const file = write('one.csv', 'invoice_id,amount\n9012,2480.40\n');
    // What this one answers is not in the OpenAPI document, and is not to be.
    const { code, stdout } = await runDeclareCsv(address, [file], { env: { NODE_OPTIONS: '' } });
    server.close();
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^Unknown: .* 1 +2480\.40$/m) });
  });

  it('speaks the language of the environment, and asks the service for it', { tags: 'long' }, async () => {
    const asked: unknown[] = [];
    const server = createServer(({ url = '', headers }, response) => {
      asked.push(headers['accept-language']);
      const error = { code: 'NOT_FOUND', message: 'No se encontró la factura.' };
      const answer = url.endsWith('/login')
        ? { success: true, data: { authorization: 'token' }, meta: {} }
        : { success: false, error };
      const status = answer.success ? 200 : 404;
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
    });
    const address = `http://127.0.0.1:${await listen(server, 0)}`;
    const bytes = Buffer.from('Factura;Importe;Señas\n9012;2.480,40;x\n', 'latin1');
    const file = write('una.csv', bytes);
    const args = [file, '--ignore', 'Señas', '--report', report];
    const run = await runDeclareCsv(address, args, { env: { NODE_OPTIONS: '', LANG: 'es_AR.UTF-8' } });
    server.close();
    expect(asked).toEqual(['es', 'es']);
    expect(run).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Verificando 1 de 1$/m) });
    expect(run.stdout).toContain('Leído como Windows-1252, separado por punto y coma, coma decimal, puntos de miles.');
    expect(run.stdout).toContain('    2  9012     2480,40  NOT_FOUND      No se encontró la factura.\n');
    // A spreadsheet reads accents by its mark.
    expect(readFileSync(report, 'utf8')).toMatch(/^\ufeffline;.*\r\n2;9012;"2480,4";rejected;.*No se encontró/);
  });

  it('does nothing to a terminal with what the service says', { tags: 'long' }, async () => {
    const error = { code: 'UNAUTHORIZED', message: 'No\u001b[2J\u009b2J \u202ewonk\u2028.' };
    const server = createServer((_, response) =>
      response.writeHead(401, { 'Content-Type': 'application/json' }).end(JSON.stringify({ success: false, error })),
    );
    const address = `http://127.0.0.1:${await listen(server, 0)}`;
    const { stdout, stderr } = await runDeclareCsv(address, [sample], { env: { NODE_OPTIONS: '' } });
    server.close();
    expect(stdout).toContain('Stopped: UNAUTHORIZED: No [2J 2J wonk .\n');
    expect((stdout + stderr).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });

  it('writes the report, and ends as ever, when nobody reads what it prints', { tags: 'long' }, async () => {
    rmSync(report, { force: true });
    const { code } = await runDeclareCsv(service.url, [sample, '--report', report], {
      started({ stdout, stderr }) {
        stdout?.destroy();
        stderr?.destroy();
      },
    });
    expect(code).toBe(1);
    expect(rowsOf(report)).toHaveLength(5);
  });

  it.runIf(existsSync('/dev/full'))('still says what became of the lines when the disk is full', async () => {
    const file = write('one.csv', 'invoice_id,amount\n9012,2480.40\n');
    const { code, stdout, stderr } = await runDeclareCsv(service.url, [file, '--report', '/dev/full']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^Total +1 +2480\.40$/m) });
    expect(stderr).toMatch(/\nerror: The report \/dev\/full cannot be written: ENOSPC[^\n]*\n$/);
  });
});

describe('a service that lets nobody in', () => {
  it('is named, with what was not declared', async () => {
    const run = await runDeclareCsv(service.url, [sample], { env: { PORTAL_PASSWORD: 'wrong' } });
    const reason = 'Stopped: UNAUTHORIZED: Invalid email or password. (request ';
    expect(run).toMatchObject({ code: 1, stdout: expect.stringContaining(reason) });
    expect(run.stdout).toMatch(/^Not declared +5 /m);
    expect(run.stdout).not.toMatch(/^Approved/m);
  });

  it('is named too when nobody is there, after how long a file of many lines takes', async () => {
    const many = Array.from({ length: 2000 }, (_, index) => `${index + 1},1\n`).join('');
    const run = await runDeclareCsv('http://127.0.0.1:1', [write('many.csv', `invoice_id,amount\n${many}`)]);
    expect(run).toMatchObject({ code: 1, stdout: expect.stringContaining('Stopped: NETWORK_ERROR: ') });
    expect(run.stderr).toContain('2000 invoices take about 67 min');
  });
});

describe('a file with faults', () => {
  it('is not sent, and every fault is named with line and column', async () => {
    const before = await invoice('9013');
    const file = write('faults.csv', 'invoice_id;amount;tax_pct\n9013;0,01;21\n9013;1.050;101\nA1;1;2;3\n');
    expect(await runDeclareCsv(service.url, [file, '--report', report])).toEqual({
      code: 1,
      stderr: '',
      stdout: `Read as UTF-8, separated by semicolons, decimal comma.
Nothing was sent: ${file} has 4 faults.
line 3, amount: 1.050 may be 1050 or 1,0500: write one of these
line 3, tax_pct: must be at most 100
line 3, invoice_id: is on line 2 already
line 4: has 4 columns, and the first line 3
`,
    });
    expect(await invoice('9013')).toEqual(before);
  });
});

describe('wrong use', () => {
  it.each([
    [[sample, '--lang', 'es', '--url', 'x'], "el valor 'x' de la opción '--url <url>' no es válido. Debe empezar con"],
    [['nada.csv', '--lang', 'es'], 'No se puede leer el archivo nada.csv: ENOENT: no existe'],
    [
      [write('libro.csv', Buffer.from('504b0304', 'hex'))],
      'The file begins like a workbook (.xlsx), and cannot be read as one.',
    ],
    [[sample, '--report', sample], 'cannot be written: it is the file of invoices'],
    [[sample, '--report', '/nowhere/report.csv'], 'The report /nowhere/report.csv cannot be written: ENOENT'],
  ])('%j ends with 2', async (args, message) => {
    const { code, stdout, stderr } = await runDeclareCsv(service.url, args, { cwd: directory });
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('is also a missing password where there is no terminal to ask on', async () => {
    const run = await runDeclareCsv(service.url, [sample], { env: { PORTAL_PASSWORD: '' } });
    expect(run).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining('PORTAL_PASSWORD is not set') });
  });
});
