import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { useEngine } from '../../support/setup/use-engine.ts';
import { apiKey, company, lists, supplier, user } from '../../support/ops/apply-lists.ts';
import { runCli, runOps, maskTimes } from '../../support/ops/run-ops.ts';
import { newId } from '../../support/data/seed.ts';
import { useDirectory } from '../../support/setup/use-directory.ts';

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

it('apply --json prints one document with the generated key, even if a later entry fails', async () => {
  // The item of this user would exceed the maximum size.
  const giant = { ...user, user_id: '101', permissions: Array.from({ length: 3000 }, () => 'P'.repeat(200)) };
  const other = { tenant: `other-${tenant}`, companies: [company], suppliers: [supplier], users: [giant] };
  const { code, stdout } = await apply(JSON.stringify({ tenants: [{ tenant, ...lists }, other] }), '--json');
  expect(code).toBe(3);
  const created = { outcome: 'created', changes: [] };
  const { entries, ...document } = JSON.parse(stdout);
  expect(document).toMatchObject({
    created: 8,
    changed: 0,
    left: 0,
    rejected: 0,
    faults: [],
    error: expect.stringContaining('size'),
  });
  expect(entries.slice(3, 5)).toEqual([
    { kind: 'user', tenant, user_id: '100', email: user.email, ...created },
    { kind: 'api_key', tenant, company_id: '1', name: 'ERP', generated_key: expect.stringMatching(UUID), ...created },
  ]);
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

it('apply reports which values of the file it ignores because of a command, and applies all others', async () => {
  await applyLists({ ...lists, api_keys: [{ ...apiKey, key }] });
  await runOps(engine.endpoint, 'suspend-company', tenant, '1');
  await runOps(engine.endpoint, 'revoke-key', tenant, key.slice(-4));
  const file = { companies: [{ ...company, name: 'Renamed' }], api_keys: [{ ...apiKey, key }] };
  const lines = [
    `left      tenant ${tenant}`,
    `changed   company 1 of ${tenant}`,
    '    name: Company -> Renamed',
    '    status: kept SUSPENDED, because suspend-company was run at TIME',
    `left      API key "ERP" of company 1 of ${tenant}`,
    '    status: kept INACTIVE, because revoke-key was run at TIME',
    '0 created, 1 changed, 2 left, 0 rejected',
    '',
  ].join('\n');
  expect(maskTimes(await applyLists(file))).toEqual({ code: 0, stdout: lines, stderr: '' });
});
