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

const ops = (...args: string[]) => runOps(portal.engine.endpoint, ...args);
const json = async (...args: string[]) => JSON.parse((await ops(...args, '--json')).stdout);
const revokeWhole = (tenant: string, key: string) =>
  runCli(['revoke-key', tenant, '-', '--yes', '--local'], {
    env: { AWS_ENDPOINT_URL_DYNAMODB: portal.engine.endpoint },
    input: `${key}\n`,
  });
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

const listWith = (call: Invoke, key: string) =>
  call('list-invoices', {
    query: { startdate: '2026-06-01', enddate: '2026-06-30' },
    headers: { 'x-api-key': key },
  });

/** A tenant of its own with these API keys, of company 1 unless they say otherwise. */
async function tenantWith(...keys: object[]): Promise<string> {
  const tenant = `t${newId()}.example`;
  const companies = [company, { ...company, company_id: '2' }];
  await applyFile(portal.engine, tenant, {
    companies,
    api_keys: keys.map((key) => ({ ...apiKey, valid_until: '2099-12-31', ...key })),
  });
  return tenant;
}

it('issue-key shows a key that works, and revoke-key ends it with the next request', async () => {
  const { account, call } = await portal.newCaller();
  const { tenant, companyId } = account.reference;
  const issued = await ops('issue-key', tenant, companyId, 'ERP 2');
  const [key = ''] = UUID.exec(issued.stdout) ?? [];
  expect(issued).toEqual({
    code: 0,
    stdout: `created   API key "ERP 2" of company ${companyId} of ${tenant}: ${key} (shown only once)\n`,
    stderr: '',
  });
  expect((await listWith(call, key)).status).toBe(200);

  const revoked = await ops('revoke-key', tenant, key.slice(-4));
  expect(revoked.stdout).toMatch(/^changed {3}API key "ERP 2" .+\n {4}status: ACTIVE -> INACTIVE\n {4}revoked_at: /);
  expect((await listWith(call, key)).body.error).toMatchObject({
    code: 'UNAUTHORIZED',
    message: 'The API key is missing or not valid.',
  });
  expect((await listWith(call, account.apiKey)).status).toBe(200);
  const again = await revokeWhole(tenant, key);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('The key is already revoked.\n') });
});

it.each([
  [[], expect.any(String), expect.any(String)],
  [['--valid-from', '2028-02-29'], '2028-02-29T00:00:00.000Z', '2029-03-01T23:59:59.999Z'],
  [
    ['--valid-from', '2026-01-01', '--valid-until', '2026-03-31'],
    '2026-01-01T00:00:00.000Z',
    '2026-03-31T23:59:59.999Z',
  ],
])('issue-key makes a key valid for a year from today, or for the dates of %j', async (options, from, until) => {
  const tenant = await tenantWith();
  const before = new Date().toISOString().slice(0, 10);
  await ops('issue-key', tenant, '1', 'ERP', ...options);
  const [key] = (await json('list-keys', tenant)).keys;
  expect(key).toMatchObject({ valid_from: from, valid_until: until });
  const isFromToday = [before, new Date().toISOString().slice(0, 10)].includes(key.valid_from.slice(0, 10));
  expect(isFromToday).toBe(options.length === 0);
});

it('issue-key rejects the name of a usable key of the company, although a later key has the name too', async () => {
  const working = { key: randomUUID() };
  const tenant = await tenantWith(working, { key: randomUUID(), status: 'INACTIVE' });
  const refused = await ops('issue-key', tenant, '1', 'ERP');
  expect(refused).toEqual({
    code: 2,
    stdout: '',
    stderr: `Company 1 already has an active key "ERP" (…${working.key.slice(-4)}). Revoke it first, or use another name.\n`,
  });
  expect((await ops('issue-key', tenant, '2', 'ERP')).code).toBe(0);
  await revokeWhole(tenant, working.key);
  expect((await ops('issue-key', tenant, '1', 'ERP')).code).toBe(0);
  expect((await json('list-keys', tenant, '--company', '1')).keys).toHaveLength(3);
});

it('issue-key issues one key if several runs with one name start at the same time', async () => {
  const tenant = await tenantWith();
  const runs = await Promise.all(Array.from({ length: 5 }, () => ops('issue-key', tenant, '1', 'ERP')));
  expect(runs.map(({ code }) => code).toSorted((a, b) => Number(a) - Number(b))).toEqual([0, 2, 2, 2, 2]);
  expect((await json('list-keys', tenant)).keys).toHaveLength(1);
});

it.each([
  [' ', '--valid-from=2026-01-01', 'api_key.name: must be a string of 1 to 200 characters\n'],
  ['K', '--valid-until=2020-01-01', 'api_key.valid_until: is before valid_from\n'],
  ['K', '--valid-from=soon', 'It must be an ISO 8601 date or date-time.'],
])('issue-key rejects the name %j with %s', async (name, option, reason) => {
  const stderr = expect.stringContaining(reason);
  expect(await ops('issue-key', await tenantWith(), '1', name, option)).toEqual({ code: 2, stdout: '', stderr });
});

describe('issue-key --key-file', () => {
  const folder = useDirectory();
  const pathOf = (name: string) => join(folder, name);
  const issue = (tenant: string, file: string, ...more: string[]) =>
    ops('issue-key', tenant, '1', 'ERP', '--key-file', file, ...more);
  const keysOf = async (tenant: string) => (await json('list-keys', tenant)).keys;

  it('--key-file writes a key that works to a file of mode 600, and shows only its last 4 characters', async () => {
    const { account, call } = await portal.newCaller();
    const { tenant, companyId } = account.reference;
    const file = pathOf('works.key');
    const run = await ops('issue-key', tenant, companyId, 'ERP 2', '--key-file', file);
    const key = readFileSync(file, 'utf8').trim();
    expect(key).toMatch(new RegExp(`^${UUID.source}$`));
    expect(run).toEqual({
      code: 0,
      stdout: `created   API key "ERP 2" of company ${companyId} of ${tenant}\nThe key (…${key.slice(-4)}) is in the file ${file}.\n`,
      stderr: '',
    });
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await listWith(call, key)).status).toBe(200);

    const inJson = await issue(await tenantWith(), pathOf('json.key'), '--json');
    const other = readFileSync(pathOf('json.key'), 'utf8').trim();
    expect(JSON.parse(inJson.stdout)).toMatchObject({ last4: other.slice(-4), key_file: pathOf('json.key') });
    expect(inJson.stdout).not.toContain(other);
  });

  it('--key-file issues nothing and ends with 2 if the path exists, also as a link to nothing, or is unusable', async () => {
    const tenant = await tenantWith();
    writeFileSync(pathOf('file'), 'kept');
    symlinkSync(pathOf('target'), pathOf('link'));
    const paths = { [pathOf('file')]: 'EEXIST', [pathOf('link')]: 'EEXIST', 'no/x': 'ENOENT' };
    for (const [file, reason] of Object.entries(paths)) {
      for (const more of [[], ['--dry-run']]) {
        const stderr = expect.stringContaining(`Nothing was issued: ${reason}`);
        expect(await issue(tenant, file, ...more)).toEqual({ code: 2, stdout: '', stderr });
      }
    }
    expect(await keysOf(tenant)).toEqual([]);
    expect([readFileSync(pathOf('file'), 'utf8'), existsSync(pathOf('target'))]).toEqual(['kept', false]);
  });

  it.skipIf(process.platform === 'win32')(
    '--key-file issues nothing, removes the file and ends with 3 if the disk is full',
    async () => {
      const tenant = await tenantWith();
      const file = pathOf('full.key');
      const run = await runOpsProcess(['issue-key', tenant, '1', 'ERP', '--key-file', file, '--local'], {
        env: { AWS_ENDPOINT_URL_DYNAMODB: portal.engine.endpoint },
        // No file of the process can get a byte.
        limits: 'ulimit -f 0',
      });
      expect(run).toEqual({ code: 3, stdout: '', stderr: expect.stringContaining('Nothing was issued: EFBIG') });
      expect([await keysOf(tenant), existsSync(file)]).toEqual([[], false]);
    },
  );

  it('--key-file leaves no file if the key is not issued, and none in a dry run', async () => {
    const tenant = await tenantWith({ key: randomUUID() });
    expect((await issue(tenant, pathOf('taken.key'))).code).toBe(2);
    const dry = await ops('issue-key', tenant, '2', 'ERP', '--key-file', pathOf('dry.key'), '--dry-run');
    expect(dry).toMatchObject({ code: 0, stdout: expect.not.stringContaining('is in the file') });
    expect([existsSync(pathOf('taken.key')), existsSync(pathOf('dry.key'))]).toEqual([false, false]);
    expect(await keysOf(tenant)).toHaveLength(1);
  });

  it('--key-file keeps the file if it is unknown whether the key was issued', async () => {
    const tenant = await tenantWith();
    portal.proxy.injectFault({ operation: 'TransactWriteItems', how: 'error', times: 100 });
    const file = pathOf('unknown.key');
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
  const tenant = await tenantWith(
    { key: far, company_id: '2', name: 'Far' },
    { key: old, name: 'Old', valid_until: '2026-01-31' },
    { key: off, name: 'Off', status: 'INACTIVE' },
    { key: revoked, name: 'Revoked' },
  );
  await revokeWhole(tenant, revoked);
  const { stdout } = await ops('list-keys', tenant);
  const [from, until] = ['2026-01-01T00:00:00.000Z', '2099-12-31T23:59:59.999Z'];
  expect(parsePrintedRows(stdout)).toEqual([
    ['company', 'name', 'last4', 'status', 'valid from', 'valid until'],
    ['1', 'Off', off.slice(-4), 'INACTIVE', from, until],
    ['1', 'Old', old.slice(-4), 'EXPIRED', from, '2026-01-31T23:59:59.999Z'],
    ['1', 'Revoked', revoked.slice(-4), 'REVOKED', from, until],
    ['2', 'Far', far.slice(-4), 'ACTIVE', from, until],
    [''],
  ]);
  for (const key of [far, old, off, revoked]) expect(stdout).not.toContain(key);
  const shown = { company_id: '2', name: 'Far', last4: far.slice(-4), status: 'ACTIVE', revoked_at: null };
  const keys = [{ ...shown, valid_from: from, valid_until: until }];
  expect(await json('list-keys', tenant, '--company', '2')).toEqual({ tenant, keys });
});

const ending = (last4: string) => `${randomUUID().slice(0, -4)}${last4}`;
const statusOf = async (tenant: string) => {
  const keys: Record<string, string>[] = (await json('list-keys', tenant)).keys;
  return Object.fromEntries(keys.map(({ company_id: id, name, status }) => [`${id} ${name}`, status]));
};

it('revoke-key revokes one of several keys with one end only if company, name or the whole key identifies it', async () => {
  const whole = ending('abcd');
  const tenant = await tenantWith(
    { key: ending('abcd'), name: 'A' },
    { key: whole, name: 'B' },
    { key: ending('abcd'), name: 'A', company_id: '2' },
  );
  const unclear = await ops('revoke-key', tenant, 'ABCD');
  expect(unclear).toEqual({
    code: 2,
    stdout: '',
    stderr: [
      'Several keys end in abcd:',
      '  "A" of company 1, valid until 2099-12-31T23:59:59.999Z',
      '  "B" of company 1, valid until 2099-12-31T23:59:59.999Z',
      '  "A" of company 2, valid until 2099-12-31T23:59:59.999Z',
      'Pass --company C or --name N, or pass - and enter the whole key.',
      '',
    ].join('\n'),
  });
  expect((await ops('revoke-key', tenant, 'abcd', '--company', '1')).code).toBe(2);
  expect(await statusOf(tenant)).toEqual({ '1 A': 'ACTIVE', '1 B': 'ACTIVE', '2 A': 'ACTIVE' });

  expect((await ops('revoke-key', tenant, 'abcd', '--company', '2')).code).toBe(0);
  expect(await statusOf(tenant)).toEqual({ '1 A': 'ACTIVE', '1 B': 'ACTIVE', '2 A': 'REVOKED' });
  expect((await ops('revoke-key', tenant, 'abcd', '--company', '1', '--name', 'A')).code).toBe(0);
  expect((await revokeWhole(tenant, ` ${whole.toUpperCase()} `)).code).toBe(0);
  expect(await statusOf(tenant)).toEqual({ '1 A': 'REVOKED', '1 B': 'REVOKED', '2 A': 'REVOKED' });
});

it.each(['whole', 'abc', ''])(
  'revoke-key rejects the argument %j with 2 and does not repeat a key',
  async (argument) => {
    const key = randomUUID();
    const tenant = await tenantWith({ key });
    const { code, stdout, stderr } = await ops('revoke-key', tenant, argument === 'whole' ? key : argument, '--json');
    expect([code, stderr]).toEqual([2, expect.stringContaining('pass - and enter the whole key on request')]);
    expect(stdout + stderr).not.toContain(key);
    expect(await statusOf(tenant)).toEqual({ '1 ERP': 'ACTIVE' });
  },
);

it('revoke-key keeps the time of the first revocation, and does not find a key of another tenant', async () => {
  const key = randomUUID();
  const tenant = await tenantWith({ key });
  const other = await tenantWith();
  expect(await revokeWhole(other, key)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The key does not exist'),
  });
  await revokeWhole(tenant, key);
  const { keys: first } = await json('list-keys', tenant);
  await revokeWhole(tenant, key);
  expect((await json('list-keys', tenant)).keys).toEqual(first);
  expect(first[0].revoked_at).toMatch(/^\d{4}-/);
});
