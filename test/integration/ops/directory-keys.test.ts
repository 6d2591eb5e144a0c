import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Invoke } from '../../support/service/handlers.ts';
import { apiKey, applyFile, company } from '../../support/ops/apply-lists.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { newId } from '../../support/data/seed.ts';

const portal = usePortal();

const runCommand = (...args: string[]) => runOps(portal.engine.endpoint, ...args);
const runJson = async (...args: string[]) => JSON.parse((await runCommand(...args, '--json')).stdout);
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
  expect(await runCommand('revoke-key', tenant, key.slice(-4).toUpperCase())).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^left /),
  });
  expect((await runJson('list-keys', tenant)).keys).toEqual(keys);
});

it('issue-key rejects the name of an active key of the company, even if a later key with this name is inactive', async () => {
  const working = { key: randomUUID() };
  const tenant = await createTenant(working, { key: randomUUID(), status: 'INACTIVE' });
  const rejected = await runCommand('issue-key', tenant, '1', 'ERP');
  const error = `Company 1 already has an active key "ERP" (…${working.key.slice(-4)}). Revoke it first, or use another name.`;
  expect(rejected).toEqual({ code: 2, stdout: '', stderr: `${error}\n` });
  expect((await runCommand('issue-key', tenant, '2', 'ERP')).code).toBe(0);
  await runCommand('revoke-key', tenant, working.key.slice(-4));
  expect((await runCommand('issue-key', tenant, '1', 'ERP')).code).toBe(0);
});

it('issue-key issues one key if several runs with one name start at the same time', async () => {
  const tenant = await createTenant();
  const runs = await Promise.all([1, 2, 3, 4, 5].map(() => runCommand('issue-key', tenant, '1', 'ERP')));
  expect(runs.map(({ code }) => code).toSorted((a, b) => Number(a) - Number(b))).toEqual([0, 2, 2, 2, 2]);
  expect((await runJson('list-keys', tenant)).keys).toHaveLength(1);
});

it('revoke-key revokes one of several keys with the same end only if company or name identifies it', async () => {
  const buildKey = (fields: object) => ({ key: `${randomUUID().slice(0, -4)}abcd`, ...fields });
  const tenant = await createTenant(buildKey({ name: 'A' }), buildKey({ name: 'B' }), buildKey({ company_id: '2' }));
  const readStatuses = async () =>
    (await runJson('list-keys', tenant)).keys.map((key: { status: string }) => key.status);
  const { code, stderr } = await runCommand('revoke-key', tenant, 'ABCD');
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^Several keys end in abcd:\n( {2}".+\n){3}/)]);
  expect((await runCommand('revoke-key', tenant, 'abcd', '--company', '1')).code).toBe(2);
  expect(await readStatuses()).toEqual(['ACTIVE', 'ACTIVE', 'ACTIVE']);
  expect((await runCommand('revoke-key', tenant, 'abcd', '--company', '2')).code).toBe(0);
  expect((await runCommand('revoke-key', tenant, 'abcd', '--name', 'A')).code).toBe(0);
  expect(await readStatuses()).toEqual(['REVOKED', 'ACTIVE', 'REVOKED']);
});

it('revoke-key rejects a whole key as its argument, and does not print it', async () => {
  const key = randomUUID();
  const { tenant } = (await portal.newCaller()).account.scope;
  const { code, stdout, stderr } = await runCommand('revoke-key', tenant, key, '--json');
  expect([code, stderr]).toEqual([2, 'Pass only the last 4 characters of the key.\n']);
  expect(stdout).not.toContain(key);
});
