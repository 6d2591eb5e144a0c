import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { newId, seedAccount } from '../../support/data/seed.ts';
import { runCli, runOps, runOpsProcess } from '../../support/ops/run-ops.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

const directory = useDirectory();
const portal = useWatchedPortal();

const runCommand = (args: readonly string[]) =>
  runCli(args, { env: { AWS_ENDPOINT_URL_DYNAMODB: portal.engine.endpoint } });

function writeInput(name: string, text: string): string {
  writeFileSync(join(directory, name), text);
  return name;
}

const tenantFile = writeInput('directory.yaml', 'tenants: [{ tenant: cli.example }]');
beforeAll(() => runCommand(['apply', tenantFile, '--local']));

it.each([
  [[], 'Usage: npm run -s ops -- [options] [command]'],
  [['remove'], "error: unknown command 'remove'"],
  [['set-password', 't', 'u', 'as-Argument', '--local'], 'error: too many arguments'],
  [['apply', tenantFile], 'Pass one target: --local or --stack NAME.'],
  [['apply', tenantFile, '--local', '--region', 'eu-west-1'], '--region requires --stack.'],
  [['apply', tenantFile, '--stack', 'prod', '--dynamodb-port', '8000'], '--dynamodb-port requires --local.'],
  [['apply', tenantFile, '--local', '--dynamodb-port', 'x'], 'The value must be a port number.'],
  [['apply', 'x\u001b[2J\u202e\u009bm.yaml', '--local'], 'The file x [2J m.yaml cannot be read: ENOENT'],
  [['apply', writeInput('other.yaml', 'a: 1'), '--local'], 'The file has no list "tenants".'],
  [
    ['import-invoices', tenantFile, '--tenant', 't', '--local'],
    'The extension of the file is not known. Pass --format ndjson, csv or xlsx.',
  ],
  [['import-invoices', 'missing.csv', '--tenant', 't', '--local'], 'The file missing.csv cannot be read: ENOENT'],
  [['import-invoices', '.', '--format', 'csv', '--tenant', 't', '--local'], 'cannot be read: it is not a file'],
  [
    ['import-invoices', '-', '--rejects', 'no/x', '--tenant', 'cli.example', '--local'],
    'The file no/x cannot be written: ENOENT',
  ],
  [
    ['import-invoices', writeInput('i.csv', ''), '--rejects', './i.csv', '--tenant', 't', '--local'],
    'The rejected records would overwrite the input ./i.csv. Name another file with --rejects.',
  ],
])('%j ends with 2 and prints the error', async (args, reason) => {
  expect(await runCommand(args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(reason) });
});

it.each([
  ['set-password', 't', 'u', 'a-Secret', '--local'],
  ['set-password', 't', 'u', '--password=a-Secret', '--local'],
])('the parser does not repeat the values of %j %j %j %j %j', async (...args) => {
  const { code, stderr } = await runCommand(args);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: (too many arguments.* got 3\.|.*'--password')\n/)]);
  expect(stderr).not.toContain('a-Secret');
});

it('a command ends with 2 if no engine responds', async () => {
  const env = { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:7' };
  const advice = 'Start it with npm start, or correct --dynamodb-port or AWS_ENDPOINT_URL_DYNAMODB.';
  const run = await runCli(['list-tenants', '--local'], { env });
  expect(run).toEqual({ code: 2, stdout: '', stderr: `No engine responds at http://127.0.0.1:7. ${advice}\n` });
});

it('--dynamodb-port names the engine, also if AWS_ENDPOINT_URL_DYNAMODB names another', async () => {
  const { port } = new URL(portal.proxy.engine.endpoint);
  const env = { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:7' };
  const run = await runCli(['list-tenants', '--local', '--dynamodb-port', port], { env });
  expect(run).toEqual({ code: 0, stderr: '', stdout: expect.stringContaining('cli.example') });
});

it('a failure of a table ends a command with 3 and one line', async () => {
  portal.proxy.injectFault({ operation: 'BatchGetItem', how: 'error' });
  const run = await runOps(portal.proxy.engine.endpoint, 'suspend-company', 'cli.example', '1');
  expect(run).toEqual({ code: 3, stdout: '', stderr: expect.stringMatching(/^InternalServerError: .+\n$/) });
});

it('failed reads of several suppliers end list-invoices with 3 and one line', async () => {
  const tenant = `t${newId()}.example`;
  for (const _ of [1, 2]) await seedAccount(portal.engine, { tenant: { tenant } });
  portal.proxy.injectFault({ operation: 'Query', table: 'Invoices', how: 'error' });
  const env = { AWS_ENDPOINT_URL_DYNAMODB: portal.proxy.engine.endpoint };
  // An unhandled rejection would end the process.
  const run = await runOpsProcess(['list-invoices', tenant, '--local'], { env });
  expect(run).toEqual({ code: 3, stdout: '', stderr: expect.stringMatching(/^InternalServerError: .+\n$/) });
});
