import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Invoke } from '../../support/service/handlers.ts';
import { apiKey, applyFile, company } from '../../support/ops/apply-lists.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { runCli, runOps, runOpsProcess } from '../../support/ops/run-ops.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';
import { newId } from '../../support/data/seed.ts';

const portal = useWatchedPortal();

const runCommand = (...args: string[]) => runOps(portal.engine.endpoint, ...args);
const runJson = async (...args: string[]) => JSON.parse((await runCommand(...args, '--json')).stdout);
const revokeByWholeKey = (tenant: string, key: string) =>
  runCli(['revoke-key', tenant, '-', '--yes', '--local'], {
    env: { AWS_ENDPOINT_URL_DYNAMODB: portal.engine.endpoint },
    input: `${key}\n`,
  });
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

const listWithKey = (call: Invoke, key: string) =>
  call('list-invoices', {
    query: { startdate: '2026-06-01', enddate: '2026-06-30' },
    headers: { 'x-api-key': key },
  });

/** Creates a tenant with these API keys, by default of company 1. */
async function createTenant(...keys: object[]): Promise<string> {
  const tenant = `t${newId()}.example`;
  const companies = [company, { ...company, company_id: '2' }];
  await applyFile(portal.engine, tenant, {
    companies,
    api_keys: keys.map((key) => ({ ...apiKey, valid_until: '2099-12-31', ...key })),
  });
  return tenant;
}

it('issue-key shows a valid key, and revoke-key makes it invalid from the next request on', async () => {
  const { account, call } = await portal.newCaller();
  const { tenant, companyId } = account.reference;
  const issued = await runCommand('issue-key', tenant, companyId, 'ERP 2');
  const [key = ''] = UUID.exec(issued.stdout) ?? [];
  expect(issued).toEqual({
    code: 0,
    stdout: `created   API key "ERP 2" of company ${companyId} of ${tenant}: ${key} (shown only once)\n`,
    stderr: '',
  });
  expect((await listWithKey(call, key)).status).toBe(200);

  const revoked = await runCommand('revoke-key', tenant, key.slice(-4));
  expect(revoked.stdout).toMatch(/^changed {3}API key "ERP 2" .+\n {4}status: ACTIVE -> INACTIVE\n {4}revoked_at: /);
  expect((await listWithKey(call, key)).body.error?.message).toBe('The API key is missing or not valid.');
  expect((await listWithKey(call, account.apiKey)).status).toBe(200);
  const { keys } = await runJson('list-keys', tenant);
  expect(Number.parseInt(keys[0].valid_until, 10)).toBe(Number.parseInt(keys[0].valid_from, 10) + 1);
  // Another revocation keeps the time of the first one.
  expect(await revokeByWholeKey(tenant, key)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^left /) });
  expect((await runJson('list-keys', tenant)).keys).toEqual(keys);
});

it('issue-key rejects the name of an active key of the company, even if a later key with this name is inactive', async () => {
  const working = { key: randomUUID() };
  const tenant = await createTenant(working, { key: randomUUID(), status: 'INACTIVE' });
  const rejected = await runCommand('issue-key', tenant, '1', 'ERP');
  const error = `Company 1 already has an active key "ERP" (…${working.key.slice(-4)}). Revoke it first, or use another name.`;
  expect(rejected).toEqual({ code: 2, stdout: '', stderr: `${error}\n` });
  expect((await runCommand('issue-key', tenant, '2', 'ERP')).code).toBe(0);
  await revokeByWholeKey(tenant, working.key);
  expect((await runCommand('issue-key', tenant, '1', 'ERP')).code).toBe(0);
});

it('issue-key issues one key if several runs with one name start at the same time', async () => {
  const tenant = await createTenant();
  const runs = await Promise.all([1, 2, 3, 4, 5].map(() => runCommand('issue-key', tenant, '1', 'ERP')));
  expect(runs.map(({ code }) => code).toSorted((a, b) => Number(a) - Number(b))).toEqual([0, 2, 2, 2, 2]);
  expect((await runJson('list-keys', tenant)).keys).toHaveLength(1);
});

describe('issue-key --key-file', () => {
  const folder = useDirectory();
  const buildPath = (name: string) => join(folder, name);
  const issue = (tenant: string, companyId: string, file: string, ...more: string[]) =>
    runOps(portal.proxy.engine.endpoint, 'issue-key', tenant, companyId, 'ERP', '--key-file', file, ...more);

  it('--key-file writes a valid key to a file of mode 600, and shows only its last 4 characters', async () => {
    const { account, call } = await portal.newCaller();
    const { tenant, companyId } = account.reference;
    const file = buildPath('works.key');
    const run = await issue(tenant, companyId, file, '--json');
    const key = readFileSync(file, 'utf8').trim();
    expect(key).toMatch(new RegExp(`^${UUID.source}$`));
    expect(JSON.parse(run.stdout)).toMatchObject({ last4: key.slice(-4), key_file: file });
    expect(run.stdout).not.toContain(key);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await listWithKey(call, key)).status).toBe(200);
  });

  it('--key-file issues nothing and changes no file if the path exists, is a link, or cannot be used', async () => {
    const tenant = await createTenant();
    writeFileSync(buildPath('file'), 'kept');
    symlinkSync(buildPath('target'), buildPath('link'));
    const paths = { [buildPath('file')]: 'EEXIST', [buildPath('link')]: 'EEXIST', 'no/x': 'ENOENT' };
    for (const [file, reason] of Object.entries(paths)) {
      const stderr = expect.stringContaining(`Nothing was issued: ${reason}`);
      for (const more of [[], ['--dry-run']])
        expect(await issue(tenant, '1', file, ...more)).toEqual({ code: 2, stdout: '', stderr });
    }
    expect((await runJson('list-keys', tenant)).keys).toEqual([]);
    expect([readFileSync(buildPath('file'), 'utf8'), existsSync(buildPath('target'))]).toEqual(['kept', false]);
  });

  it('--key-file leaves no file if the key is not issued, and keeps it if that is unknown', async () => {
    const tenant = await createTenant({ key: randomUUID() });
    const [taken, dry, full, unknown] = ['taken', 'dry', 'full', 'unknown'].map(buildPath) as [string, ...string[]];
    expect((await issue(tenant, '1', taken)).code).toBe(2);
    expect((await issue(tenant, '2', dry!, '--dry-run')).stdout).not.toContain('is in the file');
    // A process that cannot write any byte to a file.
    const setting = { env: { AWS_ENDPOINT_URL_DYNAMODB: portal.engine.endpoint }, limits: 'ulimit -f 0' };
    const run = await runOpsProcess(['issue-key', tenant, '2', 'ERP', '--key-file', full!, '--local'], setting);
    if (process.platform !== 'win32') expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('EFBIG')]);
    portal.proxy.injectFault({ operation: 'TransactWriteItems', how: 'error', times: 100 });
    const stderr = expect.stringContaining(`Keep the file ${unknown} until list-keys shows`);
    expect(await issue(tenant, '2', unknown!)).toMatchObject({ code: 3, stderr });
    portal.proxy.reset();
    expect([taken, dry, full, unknown].map((file) => existsSync(file!))).toEqual([false, false, false, true]);
    expect((await runJson('list-keys', tenant)).keys).toHaveLength(1);
  });
});

it('revoke-key revokes one of several keys with the same end only if company, name or the whole key identifies it', async () => {
  const [one, whole, other] = [1, 2, 3].map(() => `${randomUUID().slice(0, -4)}abcd`) as [string, string, string];
  const tenant = await createTenant(
    { key: one, name: 'A' },
    { key: whole, name: 'B' },
    { key: other, name: 'A', company_id: '2' },
  );
  const readStatuses = async () =>
    (await runJson('list-keys', tenant)).keys.map((key: { status: string }) => key.status);
  const { code, stderr } = await runCommand('revoke-key', tenant, 'ABCD');
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^Several keys end in abcd:\n( {2}".+\n){3}/)]);
  expect((await runCommand('revoke-key', tenant, 'abcd', '--company', '1')).code).toBe(2);
  expect(await readStatuses()).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE']);
  expect((await runCommand('revoke-key', tenant, 'abcd', '--company', '2')).code).toBe(0);
  expect(await readStatuses()).toEqual(['ACTIVE', 'ACTIVE', 'REVOKED']);
  expect((await runCommand('revoke-key', tenant, 'abcd', '--company', '1', '--name', 'A')).code).toBe(0);
  expect((await revokeByWholeKey(await createTenant(), whole)).stderr).toMatch(/The key does not exist/);
  expect((await revokeByWholeKey(tenant, ` ${whole.toUpperCase()} `)).code).toBe(0);
  expect(await readStatuses()).toEqual(['REVOKED', 'REVOKED', 'REVOKED']);
});

it.each([randomUUID(), ''])('revoke-key rejects the argument %j, and does not print it', async (argument) => {
  const { code, stdout, stderr } = await runCommand('revoke-key', 't.example', argument, '--json');
  expect([code, stderr]).toEqual([2, expect.stringContaining('pass - and enter the whole key on request')]);
  expect(stdout + stderr).not.toContain(argument || randomUUID());
});
