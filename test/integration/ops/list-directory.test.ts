import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { applyDirectory } from '../../../infra/ops/directory/apply.ts';
import { createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import { directoryKeys } from '../../../lib/tables/keys.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { changeRecord, newId } from '../../support/data/seed.ts';
import { apiKey, applyFile, company, supplier, user } from '../../support/ops/apply-lists.ts';
import { parsePrintedRows, runOps } from '../../support/ops/run-ops.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

const portal = useWatchedPortal();
let tenant: string;

beforeEach(() => {
  tenant = `t${newId()}.example`;
});

const runCommand = (...args: string[]) => runOps(portal.proxy.engine.endpoint, ...args);
const runJson = async (...args: string[]) => JSON.parse((await runCommand(...args, '--json')).stdout);
const readRows = async (...args: string[]) => parsePrintedRows((await runCommand(...args)).stdout);
const tolerance = { mode: 'AMB', tolerance_pct: 5, tolerance_abs: 40.5, auto_approve: false };
const key = { ...apiKey, key: '3f0c5b1e-0000-4000-8000-00000000beef' };

/** Creates two companies, each with a supplier and users. Some users of the first company cannot log in. */
async function createDirectory() {
  await applyFile(portal.engine, tenant, {
    tolerance: { mode: 'PCT', tolerance_pct: 7.5, auto_approve: true },
    companies: [company, { ...company, company_id: '2', name: 'Second' }],
    suppliers: [
      { ...supplier, tolerance },
      { ...supplier, supplier_id: '20', company_id: '2' },
    ],
    users: [
      user,
      { ...user, user_id: '101', username: null, email: 'b@x.example', supplier_id: null, active: false },
      { ...user, user_id: '102', username: null, email: 'c@x.example', license_active: false, permissions: ['A', 'B'] },
      { ...user, user_id: '103', username: null, email: 'd@x.example', expires_at: '2026-01-01' },
      { ...user, user_id: '200', username: null, email: 'e@x.example', company_id: '2', supplier_id: '20' },
    ],
    api_keys: [{ ...key, key: key.key.replace('beef', newId().slice(-4)) }],
  });
}

it('list-tenants shows every tenant with its global tolerance', async () => {
  await createDirectory();
  await applyFile(portal.engine, `other-${tenant}`, {});
  const shown = await readRows('list-tenants');
  expect(shown[0]).toEqual(['tenant', 'tolerance']);
  expect(shown).toContainEqual([tenant, 'PCT 7.5 %, auto-approve']);
  expect(shown).toContainEqual([`other-${tenant}`, '-']);
  const { tenants } = await runJson('list-tenants');
  expect(tenants).toContainEqual({ tenant, tolerance: { mode: 'PCT', tolerance_pct: 7.5, auto_approve: true } });
  expect(tenants).toContainEqual({ tenant: `other-${tenant}`, tolerance: null });
});

it('list-companies shows the companies of a tenant, and the times of their suspensions', async () => {
  await createDirectory();
  await runCommand('suspend-company', tenant, '2');
  await applyFile(portal.engine, tenant, { companies: [{ ...company, company_id: '3', status: 'SUSPENDED' }] });
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(await readRows('list-companies', tenant)).toEqual([
    ['company', 'name', 'status', 'suspended at'],
    ['1', 'Company', 'ACTIVE', '-'],
    ['2', 'Second', 'SUSPENDED', time],
    ['3', 'Company', 'SUSPENDED', time],
    [''],
  ]);
});

it('list-suppliers shows the suppliers of a tenant or of a company, each with its own tolerance', async () => {
  await createDirectory();
  expect(await readRows('list-suppliers', tenant)).toEqual([
    ['supplier', 'name', 'company', 'tolerance'],
    ['10', 'Supplier', '1', 'AMB 5 % and 40.5, review only'],
    ['20', 'Supplier', '2', '-'],
    [''],
  ]);
  expect(await runJson('list-suppliers', tenant, '--company', '1')).toEqual({
    tenant,
    suppliers: [{ ...supplier, tolerance }],
  });
});

it('list-users shows the users of a tenant or of a company, with their status and number of player ids', async () => {
  await createDirectory();
  await changeRecord(portal.engine, directoryKeys.user(tenant, '100'), { player_ids: ['p1', 'p2'] });
  expect(await readRows('list-users', tenant)).toEqual([
    ['user', 'email', 'username', 'company', 'supplier', 'status', 'player id count', 'permissions'],
    ['100', 'Ana@x.example', 'ana', '1', '10', 'ACTIVE', '2', 'READ'],
    ['101', 'b@x.example', '-', '1', '-', 'INACTIVE', '0', 'READ'],
    ['102', 'c@x.example', '-', '1', '10', 'NO_LICENSE', '0', 'A, B'],
    ['103', 'd@x.example', '-', '1', '10', 'EXPIRED', '0', 'READ'],
    ['200', 'e@x.example', '-', '2', '20', 'ACTIVE', '0', 'READ'],
    [''],
  ]);
  const { users } = await runJson('list-users', tenant, '--company', '2');
  expect(users).toMatchObject([{ user_id: '200', expires_at: null, erased_at: null, status: 'ACTIVE' }]);
});

it('no list of the directory and no export contains a password, an API key or a hash', async () => {
  await createDirectory();
  for (const command of ['list-companies', 'list-suppliers', 'list-users', 'list-keys', 'export']) {
    for (const run of [await runCommand(command, tenant), await runCommand(command, tenant, '--json')]) {
      expect(run.code).toBe(0);
      expect(run.stdout).not.toMatch(/Secret|argon2|hash|3f0c5b1e|[0-9a-f]{32}/);
    }
  }
});

it('--expiring lists only active keys and users that expire within so many days', async () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const build = (days: number) => ({ user_id: `${days + 500}`, email: `${days}@x.example`, username: null });
  const ends = [-1, 13, 15].map((days) => ({ ...user, ...build(days), expires_at: inDays(days) }));
  const inactive = { ...user, ...build(1), active: false, expires_at: inDays(1) };
  const keys = [-1, 13, 15].map((days) => ({ ...apiKey, name: `${days}`, valid_until: inDays(days) }));
  await applyFile(portal.engine, tenant, {
    ...{ companies: [company], suppliers: [supplier], users: [{ ...user, ...build(99) }, ...ends, inactive] },
    api_keys: [...keys, { ...apiKey, name: 'off', status: 'INACTIVE', valid_until: inDays(1) }],
  });
  const { users } = await runJson('list-users', tenant, '--expiring', '14d');
  expect(users).toMatchObject([{ user_id: '513', expires_at: ends[1]!.expires_at }]);
  expect((await readRows('list-users', tenant, '--expiring', '14d'))[0]).toContain('expires at');
  const listed = await runJson('list-keys', tenant, '--expiring', '16d');
  expect(listed.keys.map(({ name }: { name: string }) => name)).toEqual(['13', '15']);
  expect(await runCommand('list-keys', tenant, '--expiring', 'soon')).toMatchObject({ code: 2 });
});

it('a list of several pages is read with queries only, and the rows before a failure are printed', async () => {
  await applyFile(portal.engine, tenant, { companies: [company] });
  const ids = Array.from({ length: 1100 }, (_, index) => `${100_000 + index}`);
  for (let start = 0; start < ids.length; start += 25) {
    const puts = ids.slice(start, start + 25).map((id) => {
      const Item = { ...directoryKeys.user(tenant, id), ...user, user_id: id, email: `${id}@x.example` };
      return { PutRequest: { Item } };
    });
    const RequestItems = { [portal.engine.tables.Directory]: puts };
    await portal.engine.client.send(new BatchWriteCommand({ RequestItems }));
  }
  portal.proxy.reset();
  const { users } = await runJson('list-users', tenant);
  expect(new Set(users.map(({ user_id: id }: { user_id: string }) => id))).toEqual(new Set(ids));
  expect(portal.proxy.calls.map(({ operation }) => operation)).toEqual(['BatchGetItem', 'Query', 'Query']);

  const listWithFailure = async (...options: string[]) => {
    let queries = 0;
    portal.proxy.onCall = (operation) => {
      if (operation === 'Query' && ++queries === 2) portal.proxy.injectFault({ operation: 'Query', how: 'error' });
    };
    const { code, stdout } = await runCommand('list-users', tenant, ...options);
    portal.proxy.reset();
    expect(code).toBe(3);
    return stdout;
  };
  // The output contains the header and the first page.
  expect((await listWithFailure()).trim().split('\n')).toHaveLength(1001);
  // Invalid JSON prevents that a script treats a part of the list as complete.
  const inJson = await listWithFailure('--json');
  expect(() => JSON.parse(inJson)).toThrow(SyntaxError);
});

interface File {
  readonly tenants: Record<string, unknown>[];
}

/** Applies a file, and returns each different outcome once. */
async function collectOutcomes(to: TestEngine, file: unknown) {
  const found = new Set<unknown>();
  for await (const result of applyDirectory(createAdminPorts(to), file))
    found.add('errors' in result ? result.errors : result.outcome);
  return [...found];
}

it('export omits the keys that no file can identify, and reports their number on standard error', async () => {
  await applyFile(portal.engine, tenant, { companies: [company, { ...company, company_id: '2' }], api_keys: [apiKey] });
  await runCommand('issue-key', tenant, '2', 'ERP', '--valid-from', '2020-01-01');
  await runCommand('issue-key', tenant, '2', 'ERP');
  const { stdout: issued } = await runCommand('issue-key', tenant, '1', 'Old', '--json');
  await runCommand('revoke-key', tenant, JSON.parse(issued).generated_key.slice(-4));
  const again = ['issue-key', tenant, '1', 'Old', '--valid-until', '2099-12-31'];
  expect((await runCommand(...again)).code).toBe(0);
  const { stdout, stderr } = await runCommand('export', tenant);
  const names = (parse(stdout) as File).tenants[0]?.['api_keys'] as { company_id: string; name: string }[];
  expect(names.map(({ company_id: id, name }) => [id, name])).toEqual([
    ['1', 'ERP'],
    ['1', 'Old'],
    ['2', 'ERP'],
  ]);
  expect(stderr).toBe(
    'Left out: passwords, the texts of API keys, and player ids, which logins register.\n' +
      'Left out: 2 API keys, revoked or with a newer one of the same name.\n',
  );
  expect(await collectOutcomes(portal.engine, parse(stdout))).toEqual(['left']);
});

it('apply restores a tenant from its export with any texts, limits and suspensions', async () => {
  const texts = ['x: #', "'0'", '~', '"', '!*&-', '\n\u001b[2J\u202e\u{e0041}'];
  const limits = { tolerance_pct: 0.0001, tolerance_abs: 10_000, auto_approve: false };
  const directory = {
    tolerance: { mode: 'AMB', ...limits },
    companies: texts.map((name, index) => ({ ...company, company_id: `${1 + index}`, name })),
    suppliers: texts.map((name, index) => ({ ...supplier, supplier_id: `${10 + index}`, name })),
    users: [
      { ...user, password: null, permissions: texts, active: false, expires_at: '2030-02-28T10:00:00-03:00' },
      { ...user, password: null, user_id: '101', email: "~'*&@x.example", username: null, supplier_id: null },
    ],
    api_keys: texts.map((name, index) => ({ ...apiKey, company_id: `${1 + index}`, name, status: 'INACTIVE' })),
  };
  expect(await collectOutcomes(portal.engine, { tenants: [{ tenant, ...directory }] })).toEqual(['created']);
  await runCommand('suspend-company', tenant, '1');
  await runCommand('deactivate-user', tenant, '101');
  const { stdout } = await runCommand('export', tenant);
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  const file = parse(stdout) as File;
  expect(await runJson('export', tenant)).toEqual(file);
  const [first, ...others] = directory.companies;
  expect(file.tenants[0]).toMatchObject({
    companies: [{ ...first, status: 'SUSPENDED' }, ...others],
    suppliers: directory.suppliers,
    users: [{ active: false }, { active: false }],
  });
  expect(await collectOutcomes(portal.engine, file)).toEqual(['left']);
  const other = await startEngine();
  expect(await collectOutcomes(other, file)).toEqual(['created']);
  const again = await runOps(other.endpoint, 'export', tenant);
  expect(parse(again.stdout)).toEqual(file);
  await other.close();
});
