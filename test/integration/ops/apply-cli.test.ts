import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { directoryKeys } from '../../../lib/tables/keys.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { apiKey, company, lists, supplier, user } from '../../support/ops/apply-lists.ts';
import { runCli, runOps, maskTimes } from '../../support/ops/run-ops.ts';
import { newId, readRecord } from '../../support/data/seed.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';
import { proves } from '../../rules/proves.ts';

const directory = useDirectory();
const engine = useEngine();
let tenant: string;
let key: string;

beforeEach(() => {
  key = crypto.randomUUID();
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

it('apply prints every property that changes below the changed entry', async () => {
  await applyLists(lists);
  const changes = { username: null, password: 'brand-new-q7x', permissions: [], expires_at: '2027-01-01' };
  const after = {
    suppliers: [{ ...supplier, tolerance: { ...pct, tolerance_abs: 10 } }],
    users: [{ ...user, ...changes }],
  };
  const lines = [
    `left      tenant ${tenant}`,
    `changed   supplier 10 of ${tenant}`,
    '    tolerance.mode: (none) -> PCT',
    '    tolerance.tolerance_pct: (none) -> 5',
    '    tolerance.tolerance_abs: (none) -> 10',
    '    tolerance.auto_approve: (none) -> true',
    `changed   user 100 (Ana@x.example) of ${tenant}`,
    '    username: ana -> (none)',
    '    permissions: READ -> (none)',
    '    expires_at: (none) -> 2027-01-01T23:59:59.999Z',
    '    tokens_from: (none) -> TIME',
    '    password: changed',
    '0 created, 2 changed, 1 left, 0 rejected',
  ];
  expect(maskTimes(await applyLists(after)).stdout).toBe(`${lines.join('\n')}\n`);
  expect((await applyLists(after)).stdout).toContain('0 created, 0 changed, 3 left');
});

it('apply ends with 1, prints all errors and writes nothing if the file has errors', async () => {
  const users = [{ ...user, email: 'nobody', supplier_id: '10' }];
  const file = { ...lists, suppliers: [{ ...supplier, company_id: '2' }], users };
  const email = 'tenants[0].users[0].email: must be an e-mail address of at most 200 characters';
  const reference = 'tenants[0].suppliers[0].company_id: company 2 does not exist';
  expect(await applyLists(file)).toEqual({
    code: 1,
    stdout: '2 errors: nothing was written\n',
    stderr: `rejected  ${reference}\nrejected  ${email}\n`,
  });
  const { stdout } = await applyLists(file, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ rejected: 2, entries: [], faults: [reference, email] });
});

it('apply --json prints one document', async () => {
  const document = JSON.parse((await applyLists(lists, '--json')).stdout);
  const created = { tenant, outcome: 'created', changes: [] };
  expect(document).toMatchObject({ created: 5, changed: 0, left: 0, rejected: 0, dry_run: false, faults: [] });
  expect(document.entries).toEqual([
    { kind: 'tenant', ...created },
    { kind: 'company', company_id: '1', ...created },
    { kind: 'supplier', supplier_id: '10', ...created },
    { kind: 'user', user_id: '100', email: user.email, ...created },
    { kind: 'api_key', company_id: '1', name: 'ERP', generated_key: expect.stringMatching(UUID), ...created },
  ]);
});

it('apply shows a generated key even if a later entry fails', async () => {
  // The item of this user would exceed the maximum size.
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

it('apply never shows a password or its hash', async () => {
  const buildUserFile = (password: string) => ({ ...lists, users: [{ ...user, password }], companies: [company] });
  const runs = [
    await applyLists(buildUserFile('first-Secret-q7')),
    await applyLists(buildUserFile('second-Secret-q7'), '--dry-run'),
    await applyLists(buildUserFile('second-Secret-q7'), '--json'),
    await applyLists({ users: [{ ...user, password: 'third-Secret-q7', email: 'x' }] }),
  ];
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 1]);
  for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toMatch(/Secret|argon2/);
});

it('apply prints the position of a syntax error', async () => {
  const stderr = expect.stringContaining('duplicate key at line 2, column 1');
  expect(await apply('a: 1\na: 2\n')).toEqual({ code: 2, stdout: '', stderr });
});

it.each(['*s3cret', '!!s3cret', '!!!s3cret', '!s3cret!', '"s3cret\n', '[s3cret', '|s3cret', '>s3cret'])(
  'apply does not show the text of a file that it cannot read (%s)',
  async (password) => {
    const { code, stdout, stderr } = await apply(`tenants:\n  - password: ${password}\n`);
    expect(code).not.toBe(0);
    expect(stderr).not.toBe('');
    expect(stdout + stderr).not.toContain('s3cret');
  },
);

const runCommand = (...args: string[]) => runOps(engine.endpoint, ...args);
const buildFile = () => ({ ...lists, api_keys: [{ ...apiKey, key }] });

it.each([
  ['company', { companies: [{ ...company, status: 'SUSPENDED' }] }, 'suspend-company 1', 'resume-company 1'],
  ['user', { users: [{ ...user, active: false }] }, 'deactivate-user 100', 'activate-user 100'],
] as const)(
  'a file ends a suspension made by a file, and only a command ends a suspension made by a command: %s',
  async (kind, suspending, suspend, resume) => {
    proves('auth/rule-4/endpoints', 'auth/rule-2/login');
    const recordKey = kind === 'company' ? directoryKeys.company(tenant, '1') : directoryKeys.user(tenant, '100');
    const runOnTenant = (text: string) => runCommand(...text.replace(' ', ` ${tenant} `).split(' '));
    const isSuspended = async () => {
      const { status, active } = await readRecord(engine, recordKey);
      return status === 'SUSPENDED' || active === false;
    };
    const states = [];
    for (const file of [
      buildFile(),
      { ...buildFile(), ...suspending },
      buildFile(),
      { ...buildFile(), ...suspending },
    ]) {
      await applyLists(file);
      states.push(await isSuspended());
    }
    expect(states).toEqual([false, true, false, true]);

    expect(maskTimes(await runOnTenant(suspend)).stdout).toContain('    stopped_at: (none) -> TIME\n');
    const suspended = await readRecord(engine, recordKey);
    expect((await runOnTenant(suspend)).stdout).toMatch(/^left .+\n.+ is already .+\n$/);
    for (const file of [buildFile(), { ...buildFile(), ...suspending }, buildFile()]) {
      await applyLists(file);
      expect(await readRecord(engine, recordKey)).toEqual(suspended);
    }
    await runOnTenant(resume);
    expect(await isSuspended()).toBe(false);
    expect((await applyLists(buildFile())).stdout).toContain('0 created, 0 changed, 5 left');
  },
);

it('apply reports which values of the file it ignores because of a command, and applies all others', async () => {
  await applyLists(buildFile());
  await runCommand('suspend-company', tenant, '1');
  await runCommand('deactivate-user', tenant, '100');
  await runCommand('revoke-key', tenant, key.slice(-4));
  const file = {
    companies: [{ ...company, name: 'Renamed' }],
    users: [user],
    api_keys: [{ ...apiKey, key, valid_until: '2027-12-31' }],
  };
  const lines = [
    `left      tenant ${tenant}`,
    `changed   company 1 of ${tenant}`,
    '    name: Company -> Renamed',
    '    status: kept SUSPENDED, because suspend-company was run at TIME; to end this, run resume-company',
    `left      user 100 (Ana@x.example) of ${tenant}`,
    '    active: kept false, because deactivate-user was run at TIME; to end this, run activate-user',
    `changed   API key "ERP" of company 1 of ${tenant}`,
    '    valid_until: 2026-12-31T23:59:59.999Z -> 2027-12-31T23:59:59.999Z',
    '    status: kept INACTIVE, because revoke-key was run at TIME; this is permanent; to issue a new key, run issue-key',
    '0 created, 2 changed, 2 left, 0 rejected',
    '',
  ].join('\n');
  expect(maskTimes(await applyLists(file))).toEqual({ code: 0, stdout: lines, stderr: '' });
  const same = await applyLists({ companies: [{ ...company, name: 'Renamed', status: 'SUSPENDED' }] });
  expect(same.stdout).not.toContain('kept');
});
