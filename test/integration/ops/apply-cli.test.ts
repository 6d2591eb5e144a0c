import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { useEngine } from '../../support/setup/use-engine.ts';
import { company, lists, supplier, user } from '../../support/ops/apply-lists.ts';
import { runCli, timeless } from '../../support/ops/run-ops.ts';
import { newId } from '../../support/data/seed.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';

const directory = useDirectory();
const engine = useEngine();
let tenant: string;

beforeEach(() => {
  tenant = `t${newId()}.example`;
});

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

function apply(text: string, ...options: string[]) {
  writeFileSync(join(directory, 'directory.yaml'), text);
  const env = { AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint };
  return runCli(['apply', 'directory.yaml', '--local', ...options], { env });
}

const applyLists = (file: object, ...options: string[]) =>
  apply(JSON.stringify({ tenants: [{ tenant, ...file }] }), ...options);

const pct = { mode: 'PCT', tolerance_pct: 5, auto_approve: true };

describe('apply', () => {
  it('prints a line for each entry and a summary, and shows a generated key once', async () => {
    const dry = await applyLists(lists, '--dry-run');
    expect(dry.stdout).toContain('5 created, 0 changed, 0 left, 0 rejected\nDry run: nothing was written.\n');
    expect(dry.stdout).not.toMatch(UUID);
    const { code, stdout, stderr } = await applyLists(lists);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.replace(UUID, 'KEY').split('\n')).toEqual([
      `created   tenant ${tenant}`,
      `created   company 1 of ${tenant}`,
      `created   supplier 10 of ${tenant}`,
      `created   user 100 (Ana@x.example) of ${tenant}`,
      `created   API key "ERP" of company 1 of ${tenant}: KEY (shown only this once)`,
      '5 created, 0 changed, 0 left, 0 rejected',
      '',
    ]);
    const again = await applyLists(lists);
    expect(again.stdout).toContain(`left      API key "ERP" of company 1 of ${tenant}\n0 created, 0 changed, 5 left`);
  });

  it('shows below a changed entry every property that changes', async () => {
    const suppliers = [{ ...supplier, tolerance: pct }];
    await applyLists({ ...lists, suppliers, users: [{ ...user, permissions: ['A', 'B'] }] });
    const renamed = {
      ...user,
      username: null,
      password: 'brand-new-q7x',
      permissions: ['A'],
      expires_at: '2027-01-01',
    };
    const after = {
      suppliers: [{ ...supplier, tolerance: { ...pct, tolerance_pct: 7.5, tolerance_abs: 10 } }],
      users: [renamed],
    };
    const lines = [
      `left      tenant ${tenant}`,
      `changed   supplier 10 of ${tenant}`,
      '    tolerance.tolerance_pct: 5 -> 7.5',
      '    tolerance.tolerance_abs: (none) -> 10',
      `changed   user 100 (Ana@x.example) of ${tenant}`,
      '    username: ana -> (none)',
      '    permissions: A, B -> A',
      '    expires_at: (none) -> 2027-01-01T23:59:59.999Z',
      '    tokens_from: (none) -> TIME',
      '    password: changed',
      '0 created, 2 changed, 1 left, 0 rejected',
    ];
    expect(timeless(await applyLists(after)).stdout).toBe(`${lines.join('\n')}\n`);
    expect((await applyLists(after)).stdout).toContain('0 created, 0 changed, 3 left');
  });

  it('ends with 1 when the file has faults, names them all, and writes nothing', async () => {
    const users = [{ ...user, email: 'nobody', supplier_id: '10' }];
    const file = { ...lists, suppliers: [{ ...supplier, company_id: '2' }], users };
    const email = 'rejected  tenants[0].users[0].email: must be an e-mail address of at most 200 characters';
    const reference = 'rejected  tenants[0].suppliers[0].company_id: there is no company 2';
    expect(await applyLists(file)).toEqual({
      code: 1,
      stdout: '2 faults: nothing was written\n',
      stderr: `${email}\n${reference}\n`,
    });
    expect((await applyLists({ companies: [company] })).stdout).toContain('2 created');
  });

  it('gives scripts one document', async () => {
    const created = await applyLists({ ...lists, users: [user] }, '--json');
    const document = JSON.parse(created.stdout);
    expect(document).toMatchObject({ created: 5, changed: 0, left: 0, rejected: 0, dry_run: false, faults: [] });
    expect(document.entries).toEqual([
      { kind: 'tenant', tenant, outcome: 'created', changes: [] },
      { kind: 'company', tenant, company_id: '1', outcome: 'created', changes: [] },
      { kind: 'supplier', tenant, supplier_id: '10', outcome: 'created', changes: [] },
      { kind: 'user', tenant, user_id: '100', email: user.email, outcome: 'created', changes: [] },
      {
        kind: 'api_key',
        tenant,
        company_id: '1',
        name: 'ERP',
        outcome: 'created',
        changes: [],
        generated_key: expect.stringMatching(UUID),
      },
    ]);
    const changed = await applyLists(
      { tolerance: pct, users: [{ ...user, password: 'other-Secret-q7' }] },
      '--json',
      '--dry-run',
    );
    expect(JSON.parse(changed.stdout)).toMatchObject({
      changed: 2,
      dry_run: true,
      entries: [
        { changes: expect.arrayContaining([{ property: 'tolerance.tolerance_pct', before: null, after: 5 }]) },
        { changes: [expect.objectContaining({ property: 'tokens_from' }), { property: 'password' }] },
      ],
    });
    const faulty = await applyLists({ users: [{ ...user, active: 'yes' }] }, '--json');
    expect(faulty).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(faulty.stdout)).toMatchObject({
      rejected: 1,
      entries: [],
      faults: ['tenants[0].users[0].active: must be true or false'],
    });
  });

  it('tells a generated key even when what comes after it fails', async () => {
    // Too large to be stored.
    const giant = { ...user, permissions: Array.from({ length: 3000 }, () => 'P'.repeat(200)) };
    const tenants = [
      { tenant, ...lists },
      { tenant: `other-${tenant}`, companies: [company], suppliers: [supplier], users: [giant] },
    ];
    const { code, stdout } = await apply(JSON.stringify({ tenants }), '--json');
    expect(code).toBe(3);
    expect(JSON.parse(stdout).entries).toContainEqual(
      expect.objectContaining({ kind: 'api_key', generated_key: expect.stringMatching(UUID) }),
    );
  });

  it('never shows a password, nor what is stored of it', async () => {
    const file = (password: string) => ({ ...lists, users: [{ ...user, password }], companies: [company] });
    const runs = [
      await applyLists(file('first-Secret-q7')),
      await applyLists(file('second-Secret-q7'), '--dry-run'),
      await applyLists(file('second-Secret-q7'), '--json'),
      await applyLists({ users: [{ ...user, password: 'third-Secret-q7', email: 'x' }] }),
      await applyLists({ users: [{ ...user, password: 'third-Secret-q7', active: 'x' }] }, '--json'),
    ];
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 1, 1]);
    for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toMatch(/Secret|argon2/);
  });
});

describe('a file that cannot be read', () => {
  it.each([
    ['of YAML', 'tenants:\n  - tenant: a\n    x: [1, }\n', 'bad indent at line 3'],
    ['of JSON', '{\n"a": 1,\n"b" "c"}', 'at line 3, column 5'],
    ['with a property twice', 'a: 1\na: 2\n', 'duplicate key at line 2, column 1'],
  ])('%s has the line named', async (_, text, reason) => {
    expect(await apply(text)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(reason) });
  });

  it.each([
    'password: *s3cret',
    'password: !!s3cret',
    'password: !!!s3cret',
    'password: !s3cret!',
    'password: "s3cret\n',
    'password: [s3cret',
    'password: |s3cret',
    'password: >s3cret',
  ])('has nothing of it shown (%s)', async (line) => {
    const { code, stdout, stderr } = await apply(`tenants:\n  - ${line}\n`);
    expect(code).not.toBe(0);
    expect(stderr).not.toBe('');
    expect(stdout + stderr).not.toContain('s3cret');
  });
});
