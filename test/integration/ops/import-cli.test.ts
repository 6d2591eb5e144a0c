import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { SupplierScope } from '../../../lib/domain/invoice.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { endsAfterCtrlC, pressCtrlC } from '../../support/processes/press-ctrl-c.ts';
import { runCli, runOpsProcess } from '../../support/ops/run-ops.ts';
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

function write(name: string, text: string, encoding: BufferEncoding = 'utf8'): string {
  writeFileSync(join(directory, name), text, encoding);
  return name;
}

const read = (name: string) => readFileSync(join(directory, name), 'utf8');
const fileExists = (name: string) => existsSync(join(directory, name));
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
    expect(fileExists('some.ndjson.rejected.ndjson')).toBe(false);
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
        'Line 5 is no CSV: a quote that is opened here is never closed. Mend it, and go on with --from-line 5',
      ),
    });
    expect(await importAsJson([file])).toMatchObject({
      code: 1,
      unchanged: 3,
      last_line: 4,
      error: 'Line 5 is no CSV: a quote that is opened here is never closed.',
      from_line: 5,
    });
    write('broken.csv', `${head}9,${scope.supplierId},5,"1"\r\n${tail}`);
    expect(await importAsJson([file, '--from-line', '5'])).toMatchObject({ code: 0, created: 2, unchanged: 0 });
  });

  it('names no line to go on from when nothing of the file can be read', async () => {
    const file = write('old.csv', '\xd0\xcf\x11\xe0', 'latin1');
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

describe('an import that is interrupted', () => {
  it('says from which line to go on, and loses and doubles nothing', async () => {
    const rows = (from: number, to: number) =>
      some(to)
        .slice(from)
        .map((record) => `${record.invoice_id},${record.supplier_id},5,${record.system_amount}\n`)
        .join('');
    const columns = 'invoice_id,supplier_id,service_id,system_amount\n';
    const { code, stdout } = await runOpsProcess(importing(['-', '--format', 'csv', '--json']), {
      env: env(),
      cwd: directory,
      input: null,
      started(child) {
        // Enough for one step and a part of the next, and then nothing more comes.
        child.stdin?.write(columns + rows(0, 1100));
        void vi
          .waitUntil(async () => (await storedInvoices(engine, scope)).size === 1000, { timeout: 30_000 })
          .finally(() => pressCtrlC(child));
      },
    });
    expect(JSON.parse(stdout)).toMatchObject({ created: 1000, last_line: 1001, interrupted: true });
    expect(endsAfterCtrlC(130)).toContain(code);
    expect(await storedInvoices(engine, scope)).toHaveLength(1000);

    const rest = await importAsJson(['-', '--format', 'csv', '--from-line', '1002'], columns + rows(0, 1200));
    expect(rest).toMatchObject({ code: 0, created: 200, unchanged: 0, interrupted: false });
    await rightCounters(engine, scope);
  });
});
