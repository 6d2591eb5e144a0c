import { type ChildProcess, execFile } from 'node:child_process';
import type { IncomingMessage, RequestListener } from 'node:http';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { beforeEach, expect, it } from 'vitest';
import { DEMO_ACCOUNT } from '../../infra/openapi/sample-requests.ts';
import { buildSuccessBody } from '../support/client/scripted-portal.ts';
import { listCtrlCExitCodes, pressCtrlC } from '../support/processes/press-ctrl-c.ts';
import { runScript, type ScriptRun, type ScriptSetting } from '../support/processes/run-script.ts';
import { useLocalService } from '../support/service/local-service.ts';
import { readBlock } from '../support/guides/readme.ts';
import { withServer } from '../support/service/with-server.ts';
import { createLocalClient, moveClock } from '../support/service/service-client.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sample = join(root, 'lib/declare-csv/invoices.csv');
const directory = mkdtempSync(join(tmpdir(), 'declare-csv-'));
const report = join(directory, 'report.csv');
const unreachableUrl = 'http://127.0.0.1:1';

const service = useLocalService();
beforeEach(() => moveClock(service.url, 61));

function writeInput(name: string, content: string): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}
const oneInvoice = writeInput('one.csv', 'invoice_id,amount\n9012,2480.40\n');
const readRows = (path: string): Record<string, string>[] => parse(readFileSync(path, 'utf8'), { columns: true });
const getInvoice = (id: string) => createLocalClient(service).getInvoice(id);

const { apiKey, password, tenant, email } = DEMO_ACCOUNT;

/** Runs declare-csv with the demo account on a service at this address, in English. */
function runDeclareCsv(url: string, args: readonly string[], setting: ScriptSetting = {}): Promise<ScriptRun> {
  const account = ['--url', url, '--tenant', tenant, '--email', email];
  const env = { LANG: 'en_US.UTF-8', PORTAL_API_KEY: apiKey, PORTAL_PASSWORD: password, ...setting.env };
  return runScript('lib/declare-csv/declare-csv.ts', [...account, ...args], { ...setting, env });
}

/** Runs declare-csv against a server. `respond` returns a status and an envelope, or undefined for no response. */
function runAgainst(
  respond: (request: IncomingMessage) => readonly [status: number, envelope: object] | undefined,
  args: readonly string[],
  setting: ScriptSetting = {},
) {
  const respondAsJson: RequestListener = (request, response) => {
    const [status, envelope] = respond(request) ?? [];
    if (status) response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(envelope));
  };
  return withServer(respondAsJson, (url) => runDeclareCsv(url, args, setting));
}
const buildSuccess = (data: object) => [200, buildSuccessBody(data)] as const;
const tokenResponse = buildSuccess({ authorization: 'token' });

it('declare-csv --hold-review declares only lines that are approved automatically, and reports all lines', async () => {
  expect(await runDeclareCsv(service.url, [sample, '--hold-review', '--report', report])).toMatchObject({ code: 1 });
  const rows = readRows(report);
  expect(rows.map(({ line, outcome, code }) => [line, outcome, code])).toEqual([
    ['2', 'approved', ''],
    ['3', 'approved', ''],
    ['4', 'held', ''],
    ['5', 'rejected', 'NOT_FOUND'],
    ['6', 'rejected', 'VALIDATION_ERROR'],
  ]);
  expect(rows[2]).toMatchObject({ invoice_id: '9009', action: 'REVIEW', difference: '16.68' });
  expect(await getInvoice('9009')).toMatchObject({ state_code: 'PEN', declaration_id: null });
  const declared = { state_code: 'APR', declared_amount: 1050, declaration_id: rows[0]?.['declaration_id'] };
  expect(await getInvoice('9001')).toMatchObject(declared);
});

const guides = 'lib/declare-csv';
// The guide in Spanish repeats the declarations of the guide in English.
it.each([
  ['README.md', 'Try it', 'Toll "Ruta 9" included'],
  ['README.es.md', 'Pruébelo', 'Peaje "Ruta 9" incluido, camión de Peña'],
])('declare-csv declares the file as in %s, and prints the output in the guide', async (name, heading, notes) => {
  const guide = `${guides}/${name}`;
  const withoutNpm = 'npm() { node lib/declare-csv/declare-csv.ts "${@:5}"; }';
  const script = `${withoutNpm}\n${readBlock(guide, heading, 'sh').trim()} --url ${service.url} || [ $? = 1 ]`;
  const env = { ...process.env, LC_ALL: 'C' };
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-ec', script], { cwd: root, env });
  expect(stdout.trimEnd()).toBe(readBlock(guide, heading, 'text').trimEnd());
  const declared = { declared_amount: 350.01, provider_invoice_number: 'A-0001-00002003', declared_notes: notes };
  expect(await getInvoice('9009')).toMatchObject({ state_code: 'REV', ...declared });
});

it('declare-csv ends with 1 if the service rejects the login, and removes control characters from the message', async () => {
  const error = { code: 'UNAUTHORIZED', message: 'No\u001b[2J\u009b2J \u202ewonk\u2028.' };
  const { code, stdout } = await runAgainst(() => [401, { success: false, error }], [oneInvoice]);
  expect(code).toBe(1);
  expect(stdout).toContain('Stopped: UNAUTHORIZED: No [2J 2J wonk .\n');
});

it('declare-csv reports the declared lines after Ctrl-C during a batch', { tags: 'long' }, async () => {
  let child: ChildProcess | undefined;
  const respond = ({ url = '' }: IncomingMessage) => {
    if (!url.endsWith('batch')) return tokenResponse;
    if (child) pressCtrlC(child);
    return undefined;
  };
  const run = await runAgainst(respond, [oneInvoice], { started: (newChild) => (child = newChild) });
  expect(listCtrlCExitCodes(130)).toContain(run.code);
  expect(run.stdout).toMatch(/^Interrupted with Ctrl-C\. The table .*\n[^]*^Not known if declared: .* 1 +2480\.40$/m);
});

it('declare-csv writes the report even if the reader of its output has ended', { tags: 'long' }, async () => {
  rmSync(report, { force: true });
  const { code } = await runDeclareCsv(service.url, [sample, '--report', report], {
    started({ stdout, stderr }) {
      stdout?.destroy();
      stderr?.destroy();
    },
  });
  expect(code).toBe(1);
  expect(readRows(report)).toHaveLength(5);
});

const onTerminal = { NODE_OPTIONS: '--import=data:text/javascript,process.stdin.isTTY=process.stderr.isTTY=true' };
it.each([
  ['s', 0, /^Aprobadas automáticamente +1 +2480,40$/m],
  ['n', 130, /^No se declaró nada\.$/m],
])('on a terminal, declare-csv shows the expected results and asks: the answer is %j', async (answer, code, output) => {
  const setting = { input: `${answer}\r`, env: { ...onTerminal, LANG: 'es_AR.UTF-8' } };
  const run = await runDeclareCsv(service.url, [oneInvoice], setting);
  expect(run).toMatchObject({ code, stdout: expect.stringMatching(output) });
  expect(run.stderr).toMatch(
    /Se aprobarían automáticamente +1 +2480,40[^]*la tolerancia: 0\n[^]*¿Declarar 1 factura\?/,
  );
});

it('declare-csv rejects a report that would overwrite the file', async () => {
  const run = await runDeclareCsv(unreachableUrl, [oneInvoice, '--report', oneInvoice]);
  expect(run).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining('error: The file ') });
});
