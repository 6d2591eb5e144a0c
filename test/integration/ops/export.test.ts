import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { applyDirectory } from '../../../infra/ops/directory/apply.ts';
import { createAdminPorts } from '../../../infra/ops/tables/admin-ports.ts';
import { newId } from '../../support/data/seed.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { apiKey, apply, company, supplier, user } from '../../support/ops/apply-lists.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const engine = useEngine();
let other: TestEngine;
let tenant: string;

beforeAll(async () => void (other = await startEngine()));
afterAll(() => other.close());
beforeEach(() => {
  tenant = `t${newId()}.example`;
});

interface File {
  readonly tenants: Record<string, unknown>[];
}

async function exported(from: TestEngine, of: string): Promise<File> {
  const { code, stdout } = await runOps(from.endpoint, 'export', of);
  expect(code).toBe(0);
  return parse(stdout) as File;
}

/** The outcomes of a file, without doubles. */
async function outcomes(to: TestEngine, file: unknown) {
  const found = new Set<unknown>();
  for await (const result of applyDirectory(createAdminPorts(to), file))
    found.add('errors' in result ? result.errors : result.outcome);
  return [...found];
}

it('export omits the keys that no file can identify, and reports their number on standard error', async () => {
  await apply(engine, tenant, { companies: [company, { ...company, company_id: '2' }], api_keys: [apiKey] });
  await runOps(engine.endpoint, 'issue-key', tenant, '2', 'ERP', '--valid-from', '2020-01-01');
  await runOps(engine.endpoint, 'issue-key', tenant, '2', 'ERP');
  const { stdout: issued } = await runOps(engine.endpoint, 'issue-key', tenant, '1', 'Old', '--json');
  await runOps(engine.endpoint, 'revoke-key', tenant, JSON.parse(issued).generated_key.slice(-4));
  const again = ['issue-key', tenant, '1', 'Old', '--valid-until', '2099-12-31'];
  expect((await runOps(engine.endpoint, ...again)).code).toBe(0);
  const { stdout, stderr } = await runOps(engine.endpoint, 'export', tenant);
  const names = (parse(stdout) as File).tenants[0]?.['api_keys'] as { company_id: string; name: string }[];
  expect(names.map((key) => [key.company_id, key.name])).toEqual([
    ['1', 'ERP'],
    ['1', 'Old'],
    ['2', 'ERP'],
  ]);
  expect(stderr).toBe(
    'Left out: passwords, the texts of API keys, and player ids, which logins register.\n' +
      'Left out: 2 API keys, revoked or with a newer one of the same name.\n',
  );
  expect(await outcomes(engine, parse(stdout))).toEqual(['left']);
});

it('apply restores a tenant from its export, whatever its texts, limits and suspensions are', async () => {
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
  expect(await outcomes(engine, { tenants: [{ tenant, ...directory }] })).toEqual(['created']);
  await runOps(engine.endpoint, 'suspend-company', tenant, '1');
  await runOps(engine.endpoint, 'deactivate-user', tenant, '101');
  const { stdout } = await runOps(engine.endpoint, 'export', tenant);
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  const file = parse(stdout) as File;
  const json = await runOps(engine.endpoint, 'export', tenant, '--json');
  expect(JSON.parse(json.stdout)).toEqual(file);
  const [first, ...others] = directory.companies;
  expect(file.tenants[0]).toMatchObject({
    companies: [{ ...first, status: 'SUSPENDED' }, ...others],
    suppliers: directory.suppliers,
    users: [{ active: false }, { active: false }],
  });
  expect(await outcomes(engine, file)).toEqual(['left']);
  expect(await outcomes(other, file)).toEqual(['created']);
  expect(await exported(other, tenant)).toEqual(file);
});
