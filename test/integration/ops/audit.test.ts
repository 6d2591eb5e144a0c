import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { defineCommand, type Invocation, runCommand } from '../../../infra/ops/command.ts';
import type { HostProcess } from '../../../infra/ops/output/output.ts';
import { type AdminPorts, createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import { keysIn } from '../../../infra/ops/tables/directory-records.ts';
import type { OperatorEntry } from '../../../infra/ops/tables/operator-entries.ts';
import { type Account, readRecord } from '../../support/data/seed.ts';
import type { Fault } from '../../support/engine/engine-faults.ts';
import { apiKey, company, user } from '../../support/ops/apply-lists.ts';
import { parsePrintedRows, runCli, runOps, runOpsProcess } from '../../support/ops/run-ops.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

const directory = useDirectory();
const portal = useWatchedPortal();
const operator = userInfo().username;
let account: Account;
let tenant: string;

beforeEach(async () => {
  ({ account } = await portal.newCaller());
  ({ tenant } = account.scope);
});
afterEach(() => void (portal.proxy.onCall = () => undefined));

const run = (...args: readonly string[]) => runOps(portal.proxy.engine.endpoint, ...args);
const env = () => ({ AWS_ENDPOINT_URL_DYNAMODB: portal.proxy.engine.endpoint });
/** Applies a file with only the tolerance of the tenant. */
const setTolerance = (tolerance: object) => run('apply', writeFile([{ tenant, tolerance }]));
const percentage = { mode: 'PCT', tolerance_pct: 3, auto_approve: true };

type Entry = Omit<OperatorEntry, 'changes'> & { readonly changes: readonly Record<string, unknown>[] };

/** Lists the entries of the operator record, oldest first. */
async function audit(...args: readonly string[]): Promise<Entry[]> {
  const { stdout } = await runOps(portal.engine.endpoint, 'audit', ...args, '--json');
  return (JSON.parse(stdout) as { entries: Entry[] }).entries.toReversed();
}

function writeFile(tenants: readonly object[]): string {
  const path = join(directory, 'tenants.json');
  writeFileSync(path, JSON.stringify({ tenants }));
  return path;
}

it('an entry contains the operator, the command, its result, and the values before and after', async () => {
  await setTolerance(percentage);
  await setTolerance({ mode: 'ABS', tolerance_abs: 7.5, auto_approve: false });
  const time = expect.stringMatching(/^\d{4}-.*Z$/);
  const [, entry] = await audit(tenant);
  expect(entry).toEqual({
    ...{ id: expect.any(String), tenant, time, operator, ended_at: time },
    ...{ command: 'apply', status: 'done', items: 1 },
    arguments: [join(directory, 'tenants.json'), '--local'],
    changes: [{ kind: 'tenant', tenant, outcome: 'changed', changes: expect.any(Array) }],
  });
  expect(new Set(entry!.changes[0]!['changes'] as object[])).toEqual(
    new Set([
      { property: 'tolerance.mode', before: 'PCT', after: 'ABS' },
      { property: 'tolerance.tolerance_pct', before: 3, after: null },
      { property: 'tolerance.auto_approve', before: true, after: false },
      { property: 'tolerance.tolerance_abs', before: null, after: 7.5 },
    ]),
  );
  const { stdout } = await runOps(portal.engine.endpoint, 'audit', tenant);
  expect(stdout).toMatch(/^time +who +command +status +items +reason +change +id\n/);
  expect(stdout).toMatch(new RegExp(`changed tenant ${tenant}.* ${entry!.id}\\n`));
});

it('a command that changes nothing leaves no entry', async () => {
  await run('resume-company', tenant, account.reference.companyId);
  await run('set-state', tenant, '404', 'LIQ', '--reason', 'x');
  expect(await audit(tenant)).toEqual([]);
});

it('ids of a file that contain parts of a key are rejected, and leave no entry', async () => {
  const other = (await portal.newCaller()).account.scope;
  const manipulated = [
    { supplier_id: `${other.supplierId}#1`, invoice_id: '1' },
    { supplier_id: account.scope.supplierId, invoice_id: `1#${other.tenant}` },
    { supplier_id: other.supplierId, invoice_id: '1', tenant: other.tenant },
  ];
  const input = manipulated.map((ids) => JSON.stringify({ ...ids, service_id: '5', system_amount: 1 })).join('\n');
  const args = ['import-invoices', '-', '--tenant', tenant, '--rejects', 'rejected', '--local'];
  const { code, stdout } = await runCli(args, { env: env(), input });
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^0 created, 0 changed, 0 unchanged, 3 rejected/)]);
  expect([await audit(tenant), await audit(other.tenant)]).toEqual([[], []]);
});

type DefectiveWrite = (ports: AdminPorts, otherTenant: string) => Promise<unknown>;
const deleteOtherTenant: DefectiveWrite = ({ records }, otherTenant) => records.deleteTenant(otherTenant);
const createOtherSupplier: DefectiveWrite = ({ records }) =>
  records.commit({ key: keysIn(tenant).supplier('2'), before: null, after: { company_id: '1' } });

it.each<[what: string, write: DefectiveWrite]>([
  ['another tenant', deleteOtherTenant],
  ['another supplier', createOtherSupplier],
])('a command for supplier 1 that has a defect cannot write data of %s', async (_, write) => {
  const other = (await portal.newCaller()).account;
  const command = defineCommand('defect', { summary: '', example: '' }).argument('<tenant>').argument('<supplier>');
  const args = [tenant, '1', '--local'];
  command.parse(args, { from: 'user' });
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const host = { env: env(), stdin, stdout, stderr, on: () => undefined } as unknown as HostProcess;
  const invocation: Invocation = { host, args, exitCode: 0, command };
  const running = runCommand({ ...command.opts(), invocation }, async ({ ports }) => {
    await write(ports, other.scope.tenant);
  });
  await expect(running).rejects.toThrow('Nothing was written: a call for ');
  expect(await readRecord(portal.engine, other.keys.company)).toMatchObject({ status: 'ACTIVE' });
  expect([await audit(tenant), await audit(other.scope.tenant)]).toEqual([[], []]);
});

it('an entry contains no password, no password hash and no API key', async () => {
  const file = writeFile([
    { tenant, companies: [company], users: [{ ...user, supplier_id: null }], api_keys: [apiKey] },
  ]);
  const applied = await run('apply', file);
  const args = ['set-password', tenant, user.user_id, '--local'];
  expect(await runCli(args, { env: env(), input: 'a new Passphrase\n' })).toMatchObject({ code: 0 });
  const { Items } = await portal.engine.client.send(
    new QueryCommand({
      TableName: portal.engine.tables.Directory,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': `OPERATOR#${tenant}` },
    }),
  );
  const stored = JSON.stringify(Items);
  const [, generatedKey = ''] = /([0-9a-f-]{36}) \(shown only once\)/.exec(applied.stdout) ?? [];
  expect(generatedKey).not.toBe('');
  expect(stored).toContain(String.raw`{\"property\":\"password\"}`);
  expect(stored).not.toMatch(new RegExp(`${generatedKey}|${user.password}|Passphrase|scrypt|hash`, 'i'));
});

it('apply adds an entry to each tenant of the file, with at most 100 kB of changes', async () => {
  const absent = { username: null, password: null, supplier_id: null };
  const permissions = Array.from({ length: 100 }, (_, index) => `${index}`.repeat(50));
  const users = Array.from({ length: 15 }, (_, index) => {
    return { ...user, user_id: `${index}`, email: `u${index}@x.example`, ...absent, permissions };
  });
  const other = { tenant: `other-${tenant}`, companies: [company] };
  const file = writeFile([{ tenant, companies: [company], users }, other]);
  expect(await run('apply', file)).toMatchObject({ code: 0 });
  const [entry] = await audit(tenant);
  expect(entry).toMatchObject({ command: 'apply', arguments: [file, '--local'], status: 'done', items: 16 });
  expect(entry!.changes.map(({ kind }) => kind)).toEqual(['company', ...Array.from({ length: 9 }, () => 'user')]);
  expect(await audit(other.tenant)).toMatchObject([{ items: 2, changes: [{ kind: 'tenant' }, { kind: 'company' }] }]);
});

const start = { operation: 'ExecuteStatement', mentioning: '"started"' };
const end = { operation: 'ExecuteStatement', mentioning: '#END' };
// The expected result contains the exit code, and the status, items and changes of the entry.
it.each<[string, Fault, string]>([
  ['its entry cannot be added', { ...start, how: 'error' }, '3, unchanged'],
  ['the response of the new entry is lost', { ...start, how: 'lose-response', times: 1 }, '0, changed, done 1 1'],
  ['its entry cannot be completed', { ...end, how: 'error' }, '0, changed, started 0 1'],
  ['the response of the completed entry is lost', { ...end, how: 'lose-response', times: 1 }, '0, changed, done 1 1'],
  ['its write fails', { operation: 'TransactWriteItems', how: 'error' }, '3, unchanged, failed 0 1'],
  ['its write has a conflict', { how: 'conflict', times: 1 }, '0, changed, done 1 1'],
  ['its write has only conflicts', { how: 'conflict' }, '3, unchanged, failed 0 0'],
])('a command never writes without an entry: %s', async (_, fault, expected) => {
  portal.proxy.injectFault(fault);
  const { code, stderr } = await setTolerance(percentage);
  const isChanged = 'tolerance' in ((await readRecord(portal.engine, account.keys.tenant)) ?? {});
  const entries = (await audit(tenant)).map((entry) => `${entry.status} ${entry.items} ${entry.changes.length}`);
  expect([code, isChanged ? 'changed' : 'unchanged', ...entries].join(', ')).toBe(expected);
  const isReported = stderr.includes('The entry of this command in the operator record stays "started"');
  expect(isReported).toBe(expected.includes('started'));
});

it('a command that is interrupted leaves an interrupted entry, and a killed one leaves a started entry', async () => {
  const file = writeFile([{ tenant, companies: [company, { ...company, company_id: '2' }] }]);
  const host = new EventEmitter();
  portal.proxy.onCall = (operation) => void (operation === 'TransactWriteItems' && host.emit('SIGINT'));
  expect(await runCli(['apply', file, '--local'], { env: env(), host })).toMatchObject({ code: 130 });

  let child: ChildProcess | undefined;
  portal.proxy.onCall = (operation) => void (operation === 'TransactWriteItems' && child?.kill('SIGKILL'));
  await runOpsProcess(['apply', file, '--local'], { env: env(), started: (process) => void (child = process) });
  expect(await audit(tenant)).toMatchObject([
    { status: 'interrupted', items: 1, changes: [{ company_id: '1', outcome: 'created' }] },
    { status: 'started', items: 0, changes: [{ company_id: '2', outcome: 'created' }] },
  ]);
});

it('a completed entry never changes, and audit selects entries by operator', async () => {
  const { operatorEntries } = createAdminPorts(portal.engine);
  const common = { tenant, command: 'apply', arguments: [], items: 0, changes: [] };
  const build = (month: string, fields: object) => {
    const time = `2026-${month}-01T00:00:00.000Z`;
    return { ...common, operator: 'ana', time, id: month, status: 'started', ...fields } as OperatorEntry;
  };
  const completed = build('02', { status: 'done' });
  const entries = [build('02', {}), completed, build('01', {}), build('03', { operator: 'leo', by: 'Ana P.' })];
  const later = [build('02', {}), build('02', { status: 'failed' }), build('04', { operator: 'leo' })];
  for (const entry of [...entries, ...later]) await operatorEntries.write(entry);
  const selected = await audit(tenant, '--by', 'ANA');
  expect(selected.map(({ time, status }) => [time.slice(5, 7), status])).toEqual([
    ['01', 'started'],
    ['02', 'done'],
    ['03', 'started'],
  ]);
  expect(await runOps(portal.engine.endpoint, 'audit', tenant, '--limit=0')).toMatchObject({ code: 2 });
});

it('audit lists the newest commands first, at most as many as --limit, in cells of at most 60 characters', async () => {
  const { operatorEntries } = createAdminPorts(portal.engine);
  const common = { tenant, command: 'apply', arguments: [], reason: 'x'.repeat(61), changes: [] };
  for (const id of ['01', '02', '03']) {
    const time = `2026-${id}-01T00:00:00.000Z`;
    const entry = { ...common, operator: 'arn:aws:sts::123456789012:assumed-role/Operators/ana', time, id };
    await operatorEntries.write({ ...entry, status: 'started', items: 0 });
    await operatorEntries.write({ ...entry, status: 'done', ended_at: time, items: 7 });
  }
  const { stdout } = await runOps(portal.engine.endpoint, 'audit', tenant, '--limit', '2');
  const cells = ['assumed-role/Operators/ana', 'apply', 'done', '7', `${'x'.repeat(59)}…`, '-'];
  const [, ...rows] = parsePrintedRows(stdout);
  expect(rows).toEqual([
    ['2026-03-01T00:00:00.000Z', ...cells, '03'],
    ['2026-02-01T00:00:00.000Z', ...cells, '02'],
    [''],
  ]);
});

it('a command whose writes are complete is done, also if its output cannot be printed', async () => {
  const stdout = new Writable({ write: (_text, _encoding, done) => done(new Error('EPIPE')) });
  const host = Object.assign(new EventEmitter(), { env: env(), stdin: new PassThrough(), stdout, stderr: stdout });
  const args = ['deactivate-user', tenant, account.reference.userId, '--local'];
  // Imported here, because the portal resets all modules.
  const commandLine = await import('../../../infra/ops/run-ops.ts');
  expect(await commandLine.runOps(args, host as never)).toBe(3);
  expect(await audit(tenant)).toMatchObject([{ command: 'deactivate-user', status: 'done', items: 1 }]);
});
