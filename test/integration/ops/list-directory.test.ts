import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { applyDirectory } from '../../../infra/ops/directory/apply-directory.ts';
import { createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import { newId } from '../../support/data/seed.ts';
import { apiKey, applyFile, company, supplier, user } from '../../support/ops/apply-lists.ts';
import { parsePrintedRows, runOps } from '../../support/ops/run-ops.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

const portal = usePortal();
let tenant: string;

beforeEach(() => {
  tenant = `t${newId()}.example`;
});

const runCommand = (...args: string[]) => runOps(portal.engine.endpoint, ...args);
const runJson = async (...args: string[]) => JSON.parse((await runCommand(...args, '--json')).stdout);
const readRows = async (...args: string[]) => parsePrintedRows((await runCommand(...args)).stdout);
const validity = { valid_from: '2026-01-01T00:00:00.000Z', valid_until: '2026-01-31T23:59:59.999Z' };

/** Creates two companies, each with a supplier and users. One user of the first company cannot log in. */
async function createDirectory() {
  await applyFile(portal.engine, tenant, {
    tolerance: { mode: 'AMB', tolerance_pct: 7.5, tolerance_abs: 40.5, auto_approve: false },
    companies: [company, { ...company, company_id: '2', name: 'Second' }],
    suppliers: [supplier, { ...supplier, supplier_id: '20', company_id: '2' }],
    users: [
      user,
      {
        ...user,
        user_id: '103',
        username: null,
        email: 'd@x.example',
        permissions: ['A', 'B'],
        expires_at: '2026-01-01',
      },
      { ...user, user_id: '200', username: null, email: 'e@x.example', company_id: '2', supplier_id: '20' },
    ],
    api_keys: [{ ...apiKey, valid_until: '2026-01-31', key: randomUUID().replace(/.{4}$/, 'beef') }],
  });
}

const expiry = '2026-01-01T23:59:59.999Z';

it('the lists show tenants, and the users and keys of a tenant, of one company with --company', async () => {
  await createDirectory();
  const tenants = await readRows('list-tenants');
  expect(tenants[0]).toEqual(['tenant', 'tolerance']);
  expect(tenants).toContainEqual([tenant, 'AMB 7.5 % and 40.5, review only']);
  expect(await readRows('list-users', tenant)).toEqual([
    ['user', 'email', 'username', 'company', 'supplier', 'status', 'expires at', 'permissions'],
    ['100', 'Ana@x.example', 'ana', '1', '10', 'ACTIVE', '-', 'READ'],
    ['103', 'd@x.example', '-', '1', '10', 'EXPIRED', expiry, 'A, B'],
    ['200', 'e@x.example', '-', '2', '20', 'ACTIVE', '-', 'READ'],
    [''],
  ]);
  const { users } = await runJson('list-users', tenant, '--company', '2');
  expect(users).toMatchObject([{ user_id: '200', expires_at: null, erased_at: null, status: 'ACTIVE' }]);
  expect(users[0]).not.toHaveProperty('player_ids');
  const { name, valid_until: _, ...shownKey } = apiKey;
  const keys = [{ ...shownKey, tenant, name, last4: 'beef', status: 'EXPIRED', revoked_at: null, ...validity }];
  expect(await runJson('list-keys', tenant)).toEqual({ tenant, keys });
  expect((await readRows('list-keys', tenant))[1]).toEqual(['1', 'ERP', 'beef', 'EXPIRED', ...Object.values(validity)]);
  expect((await runJson('list-keys', tenant, '--expiring', '14d')).keys).toEqual([]);
  expect(await runCommand('list-keys', tenant, '--expiring', 'soon')).toMatchObject({ code: 2 });
});

interface File {
  readonly tenants: Record<string, unknown>[];
}

/** Applies a file, and returns each different outcome once. */
async function collectOutcomes(file: unknown) {
  const found = new Set<unknown>();
  for await (const result of applyDirectory(createAdminPorts(portal.engine), file))
    found.add('errors' in result ? result.errors : result.outcome);
  return [...found];
}

it('export omits the keys that no file can identify, and reports their number on standard error', async () => {
  await applyFile(portal.engine, tenant, { companies: [company, { ...company, company_id: '2' }], api_keys: [apiKey] });
  await applyFile(portal.engine, tenant, { api_keys: [{ ...apiKey, company_id: '2', valid_until: '2026-01-31' }] });
  await runCommand('issue-key', tenant, '2', 'ERP');
  const { stdout: issued } = await runCommand('issue-key', tenant, '1', 'Old', '--json');
  await runCommand('revoke-key', tenant, JSON.parse(issued).generated_key.slice(-4));
  const { stdout, stderr } = await runCommand('export', tenant);
  const names = (JSON.parse(stdout) as File).tenants[0]?.['api_keys'];
  expect(names).toMatchObject([
    { company_id: '1', name: 'ERP' },
    { company_id: '2', name: 'ERP' },
  ]);
  expect(stderr).toBe('Left out: 2 API keys, revoked or with a newer one of the same name.\n');
  expect(await collectOutcomes(JSON.parse(stdout))).toEqual(['left']);
});

it('apply restores a tenant from its export with any texts, limits and suspensions', async () => {
  const texts = ['x: #', "'0'", '~', '"', '!*&-', '\n\u001b[2J\u202e\u{e0041}'];
  const directory = {
    tolerance: { mode: 'AMB', tolerance_pct: 0.0001, tolerance_abs: 10_000, auto_approve: false },
    companies: texts.map((name, index) => ({ ...company, company_id: `${1 + index}`, name })),
    suppliers: texts.map((name, index) => ({ ...supplier, supplier_id: `${10 + index}`, name })),
    users: [
      { ...user, password: null, permissions: texts, active: false, expires_at: '2030-02-28T10:00:00-03:00' },
      { ...user, password: null, user_id: '101', email: "~'*&@x.example", username: null, supplier_id: null },
    ],
    api_keys: texts.map((name, index) => ({ ...apiKey, company_id: `${1 + index}`, name, status: 'INACTIVE' })),
  };
  expect(await collectOutcomes({ tenants: [{ tenant, ...directory }] })).toEqual(['created']);
  await runCommand('suspend-company', tenant, '1');
  await runCommand('deactivate-user', tenant, '101');
  const { stdout } = await runCommand('export', tenant);
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  const file = JSON.parse(stdout) as File;
  const [first, ...others] = directory.companies;
  expect(file.tenants[0]).toMatchObject({
    companies: [{ ...first, status: 'SUSPENDED' }, ...others],
    suppliers: directory.suppliers,
    users: [{ active: false }, { active: false }],
  });
  expect(await collectOutcomes(file)).toEqual(['left']);
  const copy = { tenants: [{ ...file.tenants[0], tenant: `copy-${tenant}` }] };
  expect(await collectOutcomes(copy)).toEqual(['created']);
  expect(JSON.parse((await runCommand('export', `copy-${tenant}`)).stdout)).toEqual(copy);
});
