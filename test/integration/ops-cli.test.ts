import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { dayCounters, storedInvoices } from '../support/stored-invoices.ts';

const cli = fileURLToPath(new URL('../../infra/ops/cli.ts', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'ops-'));
let engine: TestEngine;

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(async () => {
  await engine.close();
  rmSync(directory, { recursive: true });
});

/** Runs the command line against the engine of this test, in a directory of its own. */
function ops(args: readonly string[], { input = '', endpoint = engine.endpoint } = {}) {
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const options = { cwd: directory, env: { PATH: process.env['PATH'], AWS_ENDPOINT_URL_DYNAMODB: endpoint } };
    const child = execFile(process.execPath, [cli, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

function write(name: string, text: string): string {
  writeFileSync(join(directory, name), text);
  return name;
}

const scope = { tenant: 'cli.example', supplierId: '10' };
const tenantFile = write(
  'directory.yaml',
  `
tenants:
  - tenant: cli.example
    companies: [{ company_id: '1', name: Company, status: ACTIVE }]
    suppliers: [{ supplier_id: '10', name: Supplier, company_id: '1' }]
    api_keys:
      - company_id: '1'
        name: ERP
        scope: SUPPLIER_PORTAL
        status: ACTIVE
        valid_from: 2026-01-01
        valid_until: 2026-12-31
`,
);

describe('npm run ops -- apply', () => {
  it('prints a line for each entry and a summary, and shows a generated key once', async () => {
    expect(await ops(['apply', tenantFile, '--local', '--dry-run'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('4 created, 0 changed, 0 left, 0 rejected (dry run: nothing was written)\n'),
    });
    const { code, stdout } = await ops(['apply', tenantFile, '--local']);
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'created   tenant cli.example',
      'created   company 1 of cli.example',
      'created   supplier 10 of cli.example',
      expect.stringMatching(
        /^created {3}API key "ERP" of company 1 of cli\.example: [0-9a-f-]{36} \(shown only this once\)$/,
      ),
      '4 created, 0 changed, 0 left, 0 rejected',
      '',
    ]);
    const again = await ops(['apply', tenantFile, '--local']);
    expect(again.stdout).toContain('left      API key "ERP" of company 1 of cli.example\n0 created, 0 changed, 4 left');
  });

  it('exits with 1 when it rejects entries, names them, and applies the others', async () => {
    const file = write(
      'faulty.json',
      JSON.stringify({
        tenants: [
          {
            tenant: 'cli.example',
            companies: [
              { company_id: '2', name: 'Second', status: 'ACTIVE' },
              { company_id: 'x', name: 'Third', status: 'ACTIVE' },
            ],
          },
        ],
      }),
    );
    expect(await ops(['apply', file, '--local'])).toEqual({
      code: 1,
      stdout:
        'left      tenant cli.example\ncreated   company 2 of cli.example\n1 created, 0 changed, 1 left, 1 rejected\n',
      stderr: 'rejected  tenants[0].companies[1].company_id: must be a string of 1 to 20 digits\n',
    });
  });
});

describe('npm run ops -- import-invoices', () => {
  const header = 'invoice_id,supplier_id,service_id,invoice_date,system_amount,account_name,concepts\n';

  it('imports 10,000 records, once', async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) =>
      JSON.stringify({
        invoice_id: `${100_000 + index}`,
        supplier_id: '10',
        service_id: '5',
        invoice_date: `2026-0${1 + (index % 9)}-${10 + (index % 19)}`,
        system_amount: index / 100,
      }),
    );
    const file = write('large.ndjson', lines.join('\n'));
    const args = ['import-invoices', file, '--tenant', 'cli.example', '--local'];
    expect(await ops(args)).toEqual({
      code: 0,
      stdout: '10000 created, 0 changed, 0 unchanged, 0 rejected\n',
      stderr: expect.stringContaining('1000 records so far\n'),
    });
    expect(await ops(args)).toMatchObject({ stdout: '0 created, 0 changed, 10000 unchanged, 0 rejected\n' });
    expect(await storedInvoices(engine, scope)).toHaveLength(10_000);
    const { stored, counted } = await dayCounters(engine, scope);
    expect(stored).toEqual(counted);
    expect(existsSync(join(directory, 'large.ndjson.rejected.ndjson'))).toBe(false);
  });

  it('writes what it rejects, as it was, to a file beside the first, and exits with 1', async () => {
    const file = write(
      'some.csv',
      `${header}1,10,5,2026-06-01,10.5,"Peña, hijos",[]\n2,404,5,,1.10,,\n3,10,5,,abc,,\n`,
    );
    const result = await ops(['import-invoices', file, '--tenant', 'cli.example', '--local']);
    expect(result).toMatchObject({
      code: 1,
      stdout:
        '1 created, 0 changed, 0 unchanged, 2 rejected\nThe rejected records and the reasons are in some.csv.rejected.ndjson\n',
    });
    const rejects = readFileSync(join(directory, 'some.csv.rejected.ndjson'), 'utf8').trim().split('\n');
    expect(rejects.map((line) => JSON.parse(line))).toEqual([
      {
        line: 3,
        reasons: ['supplier_id: there is no supplier 404 in cli.example'],
        record: expect.objectContaining({ invoice_id: '2', system_amount: '1.10', account_name: null }),
      },
      {
        line: 4,
        reasons: [expect.stringContaining('system_amount')],
        record: expect.objectContaining({ invoice_id: '3' }),
      },
    ]);
    expect((await storedInvoices(engine, scope)).get('1')).toMatchObject({
      account_name: 'Peña, hijos',
      system_amount: 10.5,
    });
  });

  it('reads standard input, as NDJSON unless it is told otherwise, and writes rejects where it is told', async () => {
    const record = { invoice_id: '7', supplier_id: '10', service_id: '5', system_amount: 1 };
    const args = ['import-invoices', '-', '--tenant', 'cli.example', '--local', '--rejects', 'mine.ndjson'];
    const ndjson = await ops(args, { input: `${JSON.stringify(record)}\nno JSON\n` });
    expect(ndjson).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('1 created, 0 changed, 0 unchanged, 1 rejected'),
    });
    expect(JSON.parse(readFileSync(join(directory, 'mine.ndjson'), 'utf8'))).toEqual({
      line: 2,
      reasons: ['record: is not valid JSON'],
      record: 'no JSON',
    });
    const csv = await ops([...args, '--format', 'csv'], { input: `${header}8,10,5,,0,,\n` });
    expect(csv).toMatchObject({ code: 0, stdout: '1 created, 0 changed, 0 unchanged, 0 rejected\n' });
  });
});

describe('wrong use', () => {
  it.each([
    [[], 'Usage: npm run ops -- COMMAND'],
    [['remove'], 'There is no command remove; --help lists them.'],
    [['apply', '--local'], 'Name one file; --help shows how.'],
    [['apply', tenantFile], 'Name one target: --local or --stack NAME.'],
    [['apply', tenantFile, '--local', '--stack', 'prod'], 'Name one target: --local or --stack NAME.'],
    [['apply', tenantFile, '--local', '--force'], "Unknown option '--force'"],
    [['apply', 'missing.yaml', '--local'], 'The file missing.yaml cannot be read: ENOENT'],
    [['apply', write('broken.json', '{'), '--local'], 'The file broken.json cannot be read'],
    [['apply', write('broken.yaml', 'a: [}'), '--local'], 'The file broken.yaml cannot be read'],
    [['apply', write('other.yaml', 'a: 1'), '--local'], 'The file has no list "tenants".'],
    [['import-invoices', tenantFile, '--tenant', 't', '--local'], 'Name the format: --format ndjson or csv.'],
    [['import-invoices', '-', '--local'], 'Name the tenant: --tenant T.'],
    [['import-invoices', '-', '--tenant', 'nobody.example', '--local'], 'There is no tenant nobody.example.'],
    [['import-invoices', 'missing.csv', '--tenant', 't', '--local'], 'The file missing.csv cannot be read: ENOENT'],
  ])('%j exits with 2 and says why', async (args, reason) => {
    expect(await ops(args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(reason) });
  });

  it('of a target that is not there exits with 2 and says so', async () => {
    const endpoint = 'http://127.0.0.1:9';
    expect(await ops(['apply', tenantFile, '--local'], { endpoint })).toEqual({
      code: 2,
      stdout: '',
      stderr: `No engine answers at ${endpoint}; npm start starts one.\n`,
    });
  });

  it('is not to ask for help', async () => {
    const help = await ops(['import-invoices', '--help']);
    expect(help).toEqual({ code: 0, stdout: expect.stringContaining('import-invoices FILE --tenant T'), stderr: '' });
  });
});
