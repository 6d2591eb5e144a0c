import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Invoke } from '../../support/service/handlers.ts';
import { apiKey, applyFile, company } from '../../support/ops/apply-lists.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { parsePrintedRows, runCli, runOps, runOpsProcess } from '../../support/ops/run-ops.ts';
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
  expect(revoked.stdout).toMatch(/^changed {3}API key "ERP 2" .+\n {4}status: ACTIVE -> REVOKED\n {4}revoked_at: /);
  expect((await listWithKey(call, key)).body.error).toMatchObject({
    code: 'UNAUTHORIZED',
    message: 'The API key is missing or not valid.',
  });
  expect((await listWithKey(call, account.apiKey)).status).toBe(200);
  const again = await revokeByWholeKey(tenant, key);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('The key is already revoked.\n') });
});

it('issue-key makes a key valid for a year from --valid-from, which is today by default', async () => {
  const tenant = await createTenant();
  await runCommand('issue-key', tenant, '1', 'Later', '--valid-from', '2028-02-29');
  const before = new Date().toISOString().slice(0, 10);
  await runCommand('issue-key', tenant, '1', 'Now');
  const [later, now] = (await runJson('list-keys', tenant)).keys;
  expect(later).toMatchObject({ valid_from: '2028-02-29T00:00:00.000Z', valid_until: '2029-03-01T23:59:59.999Z' });
  expect([before, new Date().toISOString().slice(0, 10)]).toContain(now.valid_from.slice(0, 10));
});

it('issue-key rejects the name of an active key of the company, even if a later key with this name is inactive', async () => {
  const working = { key: randomUUID() };
  const tenant = await createTenant(working, { key: randomUUID(), status: 'INACTIVE' });
  const rejected = await runCommand('issue-key', tenant, '1', 'ERP');
  expect(rejected).toEqual({
    code: 2,
    stdout: '',
    stderr: `Company 1 already has an active key "ERP" (…${working.key.slice(-4)}). Revoke it first, or use another name.\n`,
  });
  expect((await runCommand('issue-key', tenant, '2', 'ERP')).code).toBe(0);
  await revokeByWholeKey(tenant, working.key);
  expect((await runCommand('issue-key', tenant, '1', 'ERP')).code).toBe(0);
  expect((await runJson('list-keys', tenant, '--company', '1')).keys).toHaveLength(3);
});

it('issue-key issues one key if several runs with one name start at the same time', async () => {
  const tenant = await createTenant();
  const runs = await Promise.all(Array.from({ length: 5 }, () => runCommand('issue-key', tenant, '1', 'ERP')));
  expect(runs.map(({ code }) => code).toSorted((a, b) => Number(a) - Number(b))).toEqual([0, 2, 2, 2, 2]);
  expect((await runJson('list-keys', tenant)).keys).toHaveLength(1);
});

it('issue-key rejects a key that a file could not contain', async () => {
  const stderr = 'api_key.valid_until: is before valid_from\n';
  const run = await runCommand('issue-key', await createTenant(), '1', 'K', '--valid-until', '2020-01-01');
  expect(run).toEqual({ code: 2, stdout: '', stderr });
});

describe('issue-key --key-file', () => {
  const folder = useDirectory();
  const buildPath = (name: string) => join(folder, name);
  const issue = (tenant: string, file: string, ...more: string[]) =>
    runCommand('issue-key', tenant, '1', 'ERP', '--key-file', file, ...more);
  const readKeys = async (tenant: string) => (await runJson('list-keys', tenant)).keys;

  it('--key-file writes a valid key to a file of mode 600, and shows only its last 4 characters', async () => {
    const { account, call } = await portal.newCaller();
    const { tenant, companyId } = account.reference;
    const file = buildPath('works.key');
    const run = await runCommand('issue-key', tenant, companyId, 'ERP 2', '--key-file', file);
    const key = readFileSync(file, 'utf8').trim();
    expect(key).toMatch(new RegExp(`^${UUID.source}$`));
    expect(run).toEqual({
      code: 0,
      stdout: `created   API key "ERP 2" of company ${companyId} of ${tenant}\nThe key (…${key.slice(-4)}) is in the file ${file}.\n`,
      stderr: '',
    });
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await listWithKey(call, key)).status).toBe(200);

    const inJson = await issue(await createTenant(), buildPath('json.key'), '--json');
    const other = readFileSync(buildPath('json.key'), 'utf8').trim();
    expect(JSON.parse(inJson.stdout)).toMatchObject({ last4: other.slice(-4), key_file: buildPath('json.key') });
    expect(inJson.stdout).not.toContain(other);
  });

  it('--key-file issues nothing and ends with 2 if the path exists, is a link without a target, or cannot be used', async () => {
    const tenant = await createTenant();
    writeFileSync(buildPath('file'), 'kept');
    symlinkSync(buildPath('target'), buildPath('link'));
    const paths = { [buildPath('file')]: 'EEXIST', [buildPath('link')]: 'EEXIST', 'no/x': 'ENOENT' };
    for (const [file, reason] of Object.entries(paths)) {
      for (const more of [[], ['--dry-run']]) {
        const stderr = expect.stringContaining(`Nothing was issued: ${reason}`);
        expect(await issue(tenant, file, ...more)).toEqual({ code: 2, stdout: '', stderr });
      }
    }
    expect(await readKeys(tenant)).toEqual([]);
    expect([readFileSync(buildPath('file'), 'utf8'), existsSync(buildPath('target'))]).toEqual(['kept', false]);
  });

  it.skipIf(process.platform === 'win32')(
    '--key-file issues nothing, removes the file and ends with 3 if the disk is full',
    async () => {
      const tenant = await createTenant();
      const file = buildPath('full.key');
      const run = await runOpsProcess(['issue-key', tenant, '1', 'ERP', '--key-file', file, '--local'], {
        env: { AWS_ENDPOINT_URL_DYNAMODB: portal.engine.endpoint },
        // The process cannot write any byte to a file.
        limits: 'ulimit -f 0',
      });
      expect(run).toEqual({ code: 3, stdout: '', stderr: expect.stringContaining('Nothing was issued: EFBIG') });
      expect([await readKeys(tenant), existsSync(file)]).toEqual([[], false]);
    },
  );

  it('--key-file leaves no file if the key is not issued, and none in a dry run', async () => {
    const tenant = await createTenant({ key: randomUUID() });
    expect((await issue(tenant, buildPath('taken.key'))).code).toBe(2);
    const dry = await runCommand('issue-key', tenant, '2', 'ERP', '--key-file', buildPath('dry.key'), '--dry-run');
    expect(dry).toMatchObject({ code: 0, stdout: expect.not.stringContaining('is in the file') });
    expect([existsSync(buildPath('taken.key')), existsSync(buildPath('dry.key'))]).toEqual([false, false]);
    expect(await readKeys(tenant)).toHaveLength(1);
  });

  it('--key-file keeps the file if it is unknown whether the key was issued', async () => {
    const tenant = await createTenant();
    portal.proxy.injectFault({ operation: 'TransactWriteItems', how: 'error', times: 100 });
    const file = buildPath('unknown.key');
    const run = await runOps(portal.proxy.engine.endpoint, 'issue-key', tenant, '1', 'ERP', '--key-file', file);
    expect(run).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`Keep the file ${file} until list-keys shows`),
    });
    expect(existsSync(file)).toBe(true);
  });
});

it('list-keys shows the keys of all companies or of one, with their status and their last 4 characters', async () => {
  const [far, old, off, revoked] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  const tenant = await createTenant(
    { key: far, company_id: '2', name: 'Far' },
    { key: old, name: 'Old', valid_until: '2026-01-31' },
    { key: off, name: 'Off', status: 'INACTIVE' },
    { key: revoked, name: 'Revoked' },
  );
  await revokeByWholeKey(tenant, revoked);
  const { stdout } = await runCommand('list-keys', tenant);
  const [from, until] = ['2026-01-01T00:00:00.000Z', '2099-12-31T23:59:59.999Z'];
  expect(parsePrintedRows(stdout).map((cells) => cells.slice(0, 4))).toEqual([
    ['company', 'name', 'last4', 'status'],
    ['1', 'Off', off.slice(-4), 'INACTIVE'],
    ['1', 'Old', old.slice(-4), 'EXPIRED'],
    ['1', 'Revoked', revoked.slice(-4), 'REVOKED'],
    ['2', 'Far', far.slice(-4), 'ACTIVE'],
    [''],
  ]);
  for (const key of [far, old, off, revoked]) expect(stdout).not.toContain(key);
  const shown = { company_id: '2', name: 'Far', last4: far.slice(-4), status: 'ACTIVE', revoked_at: null };
  const keys = [{ ...shown, valid_from: from, valid_until: until }];
  expect(await runJson('list-keys', tenant, '--company', '2')).toEqual({ tenant, keys });
});

const createKeyEndingWith = (last4: string) => `${randomUUID().slice(0, -4)}${last4}`;
const readStatuses = async (tenant: string) => {
  const keys: Record<string, string>[] = (await runJson('list-keys', tenant)).keys;
  return Object.fromEntries(keys.map(({ company_id: id, name, status }) => [`${id} ${name}`, status]));
};

it('revoke-key revokes one of several keys with the same end only if company, name or the whole key identifies it', async () => {
  const whole = createKeyEndingWith('abcd');
  const tenant = await createTenant(
    { key: createKeyEndingWith('abcd'), name: 'A' },
    { key: whole, name: 'B' },
    { key: createKeyEndingWith('abcd'), name: 'A', company_id: '2' },
  );
  const unclear = await runCommand('revoke-key', tenant, 'ABCD');
  expect([unclear.code, unclear.stderr]).toEqual([
    2,
    expect.stringMatching(/^Several keys end in abcd:\n( {2}".+\n){3}/),
  ]);
  expect((await runCommand('revoke-key', tenant, 'abcd', '--company', '1')).code).toBe(2);
  expect(await readStatuses(tenant)).toEqual({ '1 A': 'ACTIVE', '1 B': 'ACTIVE', '2 A': 'ACTIVE' });

  expect((await runCommand('revoke-key', tenant, 'abcd', '--company', '2')).code).toBe(0);
  expect(await readStatuses(tenant)).toEqual({ '1 A': 'ACTIVE', '1 B': 'ACTIVE', '2 A': 'REVOKED' });
  expect((await runCommand('revoke-key', tenant, 'abcd', '--company', '1', '--name', 'A')).code).toBe(0);
  expect((await revokeByWholeKey(tenant, ` ${whole.toUpperCase()} `)).code).toBe(0);
  expect(await readStatuses(tenant)).toEqual({ '1 A': 'REVOKED', '1 B': 'REVOKED', '2 A': 'REVOKED' });
});

it.each(['whole', 'abc', ''])(
  'revoke-key rejects the argument %j with the exit code 2, and does not print a key',
  async (argument) => {
    const key = randomUUID();
    const tenant = await createTenant({ key });
    const { code, stdout, stderr } = await runCommand(
      'revoke-key',
      tenant,
      argument === 'whole' ? key : argument,
      '--json',
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining('pass - and enter the whole key on request')]);
    expect(stdout + stderr).not.toContain(key);
    expect(await readStatuses(tenant)).toEqual({ '1 ERP': 'ACTIVE' });
  },
);

it('revoke-key keeps the time of the first revocation, and does not find a key of another tenant', async () => {
  const key = randomUUID();
  const tenant = await createTenant({ key });
  const other = await createTenant();
  expect(await revokeByWholeKey(other, key)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The key does not exist'),
  });
  await revokeByWholeKey(tenant, key);
  const { keys: first } = await runJson('list-keys', tenant);
  await revokeByWholeKey(tenant, key);
  expect((await runJson('list-keys', tenant)).keys).toEqual(first);
  expect(first[0].revoked_at).toMatch(/^\d{4}-/);
});
