import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandNames, runCli, runOps } from '../../support/ops/run-ops.ts';
import { changeRecord } from '../../support/data/seed.ts';
import { anInvoice, seedInvoices } from '../../support/data/seed-invoices.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

const directory = useDirectory();
const portal = useWatchedPortal();

const ops = (args: readonly string[]) => runCli(args, { env: { AWS_ENDPOINT_URL_DYNAMODB: portal.engine.endpoint } });

function write(name: string, text: string): string {
  writeFileSync(join(directory, name), text);
  return name;
}

const tenantFile = write('directory.yaml', 'tenants: [{ tenant: cli.example }]');
beforeAll(() => ops(['apply', tenantFile, '--local']));

describe('wrong use', () => {
  it.each([
    [[], 'Usage: npm run -s ops -- [options] [command]'],
    [['remove'], "error: unknown command 'remove'"],
    [['apply', '--local'], "error: missing required argument 'file'"],
    [['apply', tenantFile, tenantFile, '--local'], 'error: too many arguments'],
    [['set-password', 't', 'u', 'as-Argument', '--local'], 'error: too many arguments'],
    [['verify-counters', '--dry-run', '--local'], '--dry-run belongs to --repair: without it nothing is written.'],
    [['apply', tenantFile], 'Name one target: --local or --stack NAME.'],
    [['apply', tenantFile, '--local', '--stack', 'prod'], 'Name one target: --local or --stack NAME.'],
    [['apply', tenantFile, '--local', '--region', 'eu-west-1'], '--region belongs to --stack.'],
    [['apply', tenantFile, '--local', '--force'], "error: unknown option '--force'"],
    [['apply', 'missing.yaml', '--local'], 'The file missing.yaml cannot be read: ENOENT'],
    [['apply', write('other.yaml', 'a: 1'), '--local'], 'The file has no list "tenants".'],
    [['import-invoices', tenantFile, '--tenant', 't', '--local'], 'Name the format: --format ndjson, csv or xlsx.'],
    [['import-invoices', '-', '--local'], "error: required option '--tenant <tenant>' not specified"],
    [['import-invoices', '-', '--tenant', 'nobody.example', '--local'], 'There is no tenant nobody.example.'],
    [['import-invoices', 'missing.csv', '--tenant', 't', '--local'], 'The file missing.csv cannot be read: ENOENT'],
    [['import-invoices', '.', '--format', 'csv', '--tenant', 't', '--local'], 'cannot be read: it is a directory'],
    [
      ['import-invoices', '-', '--rejects', 'no/x', '--tenant', 'cli.example', '--local'],
      'The file no/x cannot be written: ENOENT',
    ],
    [
      ['import-invoices', write('i.csv', ''), '--rejects', './i.csv', '--tenant', 't', '--local'],
      'The file i.csv cannot be read: it is where --rejects would go',
    ],
    [['import-invoices', '-', '--from-line', '0', '--tenant', 't', '--local'], 'It is a line number, from 1.'],
  ])('%j ends with 2 and says why', async (args, reason) => {
    expect(await ops(args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(reason) });
  });

  it('of a target that is not there ends with 2 and says so', async () => {
    const endpoint = 'http://127.0.0.1:9';
    expect(await runOps(endpoint, 'rotate-signing-key')).toEqual({
      code: 2,
      stdout: '',
      stderr: `No engine answers at ${endpoint}; npm start starts one.\n`,
    });
  });
});

describe('a failure on the way', () => {
  it('ends with 3, and says what it was in one line', async () => {
    portal.proxy.fail({ operation: 'BatchGetItem', how: 'error' });
    const run = await runOps(portal.proxy.engine.endpoint, 'suspend-company', 'cli.example', '1');
    expect(run).toEqual({ code: 3, stdout: '', stderr: expect.stringMatching(/^InternalServerError: .+\n$/) });
  });
});

describe('help', () => {
  it.each(commandNames)('of %s ends with 0 and shows an example', async (name) => {
    expect(await ops([name, '--help'])).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        new RegExp(
          String.raw`^Usage: npm run -s ops -- ${name} [\s\S]*\nExample:\n  \$ (.+ \| )?npm run -s ops -- ${name}`,
        ),
      ),
      stderr: '',
    });
  });

  it('is not needed to tell the version', async () => {
    const version = expect.stringMatching(/^\d+\.\d+\.\d+\n$/);
    expect(await ops(['--version'])).toEqual({ code: 0, stdout: version, stderr: '' });
  });

  it('lists every command, and the exit codes', async () => {
    const { code, stdout } = await ops(['--help']);
    expect(code).toBe(0);
    for (const name of commandNames) expect(stdout).toContain(`  ${name} `);
    expect(stdout).toContain('130 interrupted');
  });
});

// Clears the screen, in seven bits and in eight; sets the title of the window; shows what follows from right to left;
// hides.
const accountName =
  'Seguros\u001b[2J\u001b[H \u009b2JLa\u0085 \u001b]0;x\u0007\u202e4500.00 \u200b\u2066Pampa\u{e0041}\u2028\u007f';
const shownName = 'Seguros [2J [H  2JLa   ]0;x 4500.00 Pampa';
/** What a terminal does not show, but may obey. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const lines = (text: string) => text.replaceAll('\n', '');

describe('what the data bring along', () => {
  it('does nothing to a terminal, and is escaped in a document for scripts, which says the same', async () => {
    const { account, call } = await portal.newCaller();
    await seedInvoices(portal.engine, account.scope, [anInvoice({ invoiceId: '77', accountName })]);
    await changeRecord(portal.engine, account.keys.user, { email: 'eve\u202emoc.latrop@' });
    await call('declare-invoice', { body: { invoice_id: '77', amount: 1050, notes: accountName } });
    const stdoutOf = async (command: string, ...options: string[]) => {
      const { stdout } = await runOps(portal.engine.endpoint, command, account.scope.tenant, '77', ...options);
      expect(lines(stdout)).not.toMatch(unseen);
      return stdout;
    };
    expect(await stdoutOf('show')).toContain(shownName);
    expect(await stdoutOf('history')).toContain('evemoc.latrop@');
    const shown = JSON.parse(await stdoutOf('show', '--json'));
    expect(shown).toMatchObject({ account_name: accountName, declared_notes: accountName });
    expect(await stdoutOf('history', '--json')).toContain(String.raw`eve\u202emoc.latrop@`);
  });

  it('does nothing to a terminal when it is the reason of a failure', async () => {
    const { code, stderr } = await ops(['apply', 'x\u001b[2J\u202e\u009bm.yaml', '--local']);
    expect(code).toBe(2);
    expect(stderr).toContain('The file x [2J m.yaml cannot be read');
    expect(lines(stderr)).not.toMatch(unseen);
  });

  it('is escaped in the file of rejected records, which is imported again as it was', async () => {
    const record = { invoice_id: '78', supplier_id: '1', account_name: accountName, system_amount: 1 };
    // As a program writes it that escapes only what it must.
    const file = write('invoices.ndjson', `${JSON.stringify(record)}\n{"account_name": "\u009b2J\u202e"\n`);
    const { code } = await runOps(portal.engine.endpoint, 'import-invoices', file, '--tenant', 'cli.example');
    expect(code).toBe(1);
    const rejected = readFileSync(`${file}.rejected.ndjson`, 'utf8');
    expect(lines(rejected)).not.toMatch(unseen);
    const [first, second] = rejected
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { record: unknown });
    expect(first?.record).toEqual(record);
    expect(second?.record).toBe('{"account_name": "\u009b2J\u202e"');
  });
});
