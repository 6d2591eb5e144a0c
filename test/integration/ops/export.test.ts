import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadDemo } from '../../../infra/local/demo.ts';
import { applyDirectory } from '../../../lib/admin/apply/apply-directory.ts';
import { createAdminPorts } from '../../../lib/composition/admin-ports.ts';
import { newId } from '../../support/data/seed.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { apiKey, apply, company, lists, supplier, user } from '../../support/ops/apply-lists.ts';
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
  const report = (result: object) => void found.add('faults' in result ? result.faults : (result as never)['outcome']);
  await applyDirectory(createAdminPorts(to), file, { dryRun: false, report });
  return [...found];
}

describe('export', () => {
  it('prints a file that makes the demo again on an empty service, and that is the same then', async () => {
    await loadDemo(engine);
    for (const name of ['demo.example', 'sur.example']) {
      const file = await exported(engine, name);
      expect(await outcomes(other, file)).toEqual(['created']);
      expect(await exported(other, name)).toEqual(file);
      expect(await outcomes(engine, file)).toEqual(['left']);
    }
  });

  it('prints JSON that says the same, and that apply takes too', async () => {
    await apply(engine, tenant, lists);
    const { stdout } = await runOps(engine.endpoint, 'export', tenant, '--json');
    expect(JSON.parse(stdout)).toEqual(await exported(engine, tenant));
    expect(await outcomes(other, JSON.parse(stdout))).toEqual(['created']);
  });

  it('has what a command stopped, which a file then stops too', async () => {
    await apply(engine, tenant, lists);
    await runOps(engine.endpoint, 'suspend-company', tenant, '1');
    await runOps(engine.endpoint, 'deactivate-user', tenant, '100');
    const file = await exported(engine, tenant);
    expect(file.tenants[0]).toMatchObject({ companies: [{ status: 'SUSPENDED' }], users: [{ active: false }] });
    expect(await outcomes(engine, file)).toEqual(['left']);
    expect(await outcomes(other, file)).toEqual(['created']);
    expect(await exported(other, tenant)).toEqual(file);
  });

  it('leaves out the keys that no file can name, and says so beside the file', async () => {
    await apply(engine, tenant, { companies: [company, { ...company, company_id: '2' }], api_keys: [apiKey] });
    await runOps(engine.endpoint, 'issue-key', tenant, '2', 'ERP');
    const { stdout: issued } = await runOps(engine.endpoint, 'issue-key', tenant, '1', 'Old', '--json');
    await runOps(engine.endpoint, 'revoke-key', tenant, JSON.parse(issued).generated_key);
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
      'Left out: passwords and the texts of API keys.\n' +
        'Left out: 1 API key, revoked or with a newer one of the same name.\n',
    );
    expect(await outcomes(engine, parse(stdout))).toEqual(['left']);
  });

  it('does nothing to a terminal, whatever the names are', async () => {
    const name = 'A\u001b[2J\u202e"B"\n \u{e0041}# C: - ';
    await apply(engine, tenant, { companies: [{ ...company, name }] });
    const { stdout } = await runOps(engine.endpoint, 'export', tenant);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(parse(stdout)).toEqual({ tenants: [{ tenant, companies: [{ ...company, name }] }] });
  });

  it('makes any directory again as it was', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(directories, async (directory) => {
        const [first, second] = [`a${newId()}.example`, `b${newId()}.example`];
        expect(new Set(Object.values((await apply(engine, first, directory)).outcomes))).toEqual(new Set(['created']));
        const file = await exported(engine, first);
        const { companies, suppliers = [] } = file.tenants[0] ?? {};
        expect({ companies, suppliers }).toEqual({ companies: directory.companies, suppliers: directory.suppliers });
        expect(await outcomes(engine, file)).toEqual(['left']);
        const renamed = { tenants: [{ ...file.tenants[0], tenant: second }] };
        expect(await outcomes(engine, renamed)).toEqual(['created']);
        expect(await exported(engine, second)).toEqual(renamed);
      }),
      { numRuns: 25 },
    );
  });
});

const anyText = fc
  .string({
    unit: fc.oneof(fc.constantFrom('\u001b', '\u202e', '\n', '"', ':', '#', "'", '0'), fc.string()),
    maxLength: 20,
  })
  .map((text) => `x${text}`.toWellFormed().slice(0, 100).toWellFormed());
const anyWord = fc.stringMatching(/^[a-zA-ZñÁ0-9:#'"~!*&-]{0,10}$/);
const anyLimit = fc.integer({ min: 0, max: 100_000_000 }).map((limit) => limit / 10_000);
const anyTolerance = fc.oneof(
  fc.record({ mode: fc.constant('PCT'), tolerance_pct: anyLimit, auto_approve: fc.boolean() }),
  fc.record({ mode: fc.constant('ABS'), tolerance_abs: anyLimit, auto_approve: fc.boolean() }),
  fc.record({ mode: fc.constant('AMB'), tolerance_pct: anyLimit, tolerance_abs: anyLimit, auto_approve: fc.boolean() }),
);
const aTolerance = fc.option(
  anyTolerance.map((tolerance) => ({ tolerance })),
  { nil: {} },
);
const anyDate = fc.constantFrom('2026-01-31', '2030-02-28T10:00:00-03:00', '2099-12-31');

/** The lists of a tenant, in the order in which an export has them. */
const directories = fc
  .record({
    own: aTolerance,
    companies: fc.array(fc.record({ name: anyText, status: fc.constantFrom('ACTIVE', 'SUSPENDED') }), {
      minLength: 1,
      maxLength: 4,
    }),
    suppliers: fc.array(fc.tuple(anyText, aTolerance), { maxLength: 5 }),
    users: fc.array(
      fc.record({
        word: anyWord,
        username: fc.option(anyWord),
        permissions: fc.array(anyText, { maxLength: 3 }),
        active: fc.boolean(),
        license_active: fc.boolean(),
        expires_at: fc.option(anyDate),
        isLinked: fc.boolean(),
      }),
      { maxLength: 5 },
    ),
    keys: fc.array(fc.tuple(anyText, fc.constantFrom('ACTIVE', 'INACTIVE'), anyDate), { maxLength: 4 }),
  })
  .map(({ own, companies, suppliers, users, keys }) => {
    const companyOf = (index: number) => `${1 + (index % companies.length)}`;
    return {
      ...own,
      companies: companies.map((one, index) => ({ ...one, company_id: `${1 + index}` })),
      suppliers: suppliers.map(([name, tolerance], index) => ({
        ...supplier,
        supplier_id: `${10 + index}`,
        name,
        company_id: companyOf(index),
        ...tolerance,
      })),
      users: users.map(({ word, username, isLinked, ...one }, index) => ({
        ...user,
        ...one,
        user_id: `${100 + index}`,
        company_id: companyOf(index),
        email: `${word}${index}@x.example`,
        username: username === null ? null : `${username}_${index}`,
        supplier_id: isLinked && index < suppliers.length ? `${10 + index}` : null,
        password: null,
      })),
      api_keys: keys.map(([name, status, validUntil], index) => ({
        ...apiKey,
        company_id: companyOf(index),
        name: `${name}${index}`,
        status,
        valid_until: validUntil,
      })),
    };
  });
