import { expect, it } from 'vitest';
import { ACCOUNT_POLICY } from '../../../lib/access/policies.ts';
import { buildFailureCounterName } from '../../../lib/tables/account-table.ts';
import type { Invoke } from '../../support/service/handlers.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { DEMO_ACCOUNT } from '../../../infra/openapi/sample-requests.ts';
import { type OpsSetting, runCli, runOps, maskTimes } from '../../support/ops/run-ops.ts';
import { type Account, changeRecord, deleteRecord, readRecord, seedAccount } from '../../support/data/seed.ts';

const portal = useWatchedPortal();

const runCommand = (...args: string[]) => runOps(portal.engine.endpoint, ...args);
const dates = { startdate: '2026-06-01', enddate: '2026-06-30' };
const list = (call: Invoke) => call('list-invoices', { query: dates });
const login = ({ scope, email, ...account }: Account, password = account.password) =>
  portal.invoke('login', { headers: { tenant: scope.tenant }, body: { email, password } });
const setPassword = (
  input: string | Buffer,
  { reference, email }: Account,
  setting: OpsSetting = {},
  ...options: string[]
) => {
  const env = { AWS_ENDPOINT_URL_DYNAMODB: portal.engine.endpoint };
  return runCli(['set-password', reference.tenant, email, '--local', ...options], { env, input, ...setting });
};

it('suspend-company and resume-company take effect on the next request', async () => {
  const { account, call } = await portal.newCaller();
  const { tenant, companyId } = account.reference;
  expect(maskTimes(await runCommand('suspend-company', tenant, companyId))).toEqual({
    code: 0,
    stdout: `changed   company ${companyId} of ${tenant}\n    status: ACTIVE -> SUSPENDED\n    stopped_at: (none) -> TIME\n`,
    stderr: '',
  });
  expect((await list(call)).body.error?.code).toBe('COMPANY_SUSPENDED');
  expect((await login(account)).body.error?.code).toBe('COMPANY_SUSPENDED');
  expect((await runCommand('resume-company', tenant, companyId)).stdout).toContain('status: SUSPENDED -> ACTIVE');
  expect((await list(call)).status).toBe(200);
  const resumed = await runCommand('resume-company', tenant, companyId);
  expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining('The company is not suspended.\n') });
});

it.each([
  ['id', ({ reference }: Account) => reference.userId],
  ['e-mail', ({ email }: Account) => email.toUpperCase()],
  ['username', () => 'Somebody'],
])(
  'deactivate-user and activate-user take effect on the next request of a user identified by %s',
  async (_, getName) => {
    const { account, call } = await portal.newCaller({ user: { username: 'somebody' } });
    const { tenant, userId } = account.reference;
    expect((await runCommand('deactivate-user', tenant, getName(account))).stdout).toContain('active: true -> false');
    expect((await list(call)).body.error).toMatchObject({ code: 'UNAUTHORIZED', message: 'User is not active' });
    expect((await login(account)).body.error).toMatchObject({ code: 'UNAUTHORIZED', message: 'User is not active' });
    expect((await runCommand('activate-user', tenant, getName(account))).stdout).toContain('active: false -> true');
    expect((await list(call)).body.error).toMatchObject({ message: 'The session has ended. Log in again.' });
    expect((await login(account)).status).toBe(200);
    expect((await runCommand('activate-user', tenant, userId)).stdout).toContain('The user is already active.\n');
  },
);

it('unlock-user clears all failures of the current window, also of trusted addresses, and keeps the trusted addresses', async () => {
  const { account } = await portal.newCaller();
  const { tenant, userId } = account.reference;
  const failures = buildFailureCounterName(Date.now(), ACCOUNT_POLICY);
  const trusted = { s_1: new Set(['a trusted source']) };
  // One update cannot remove all counters of 400 addresses.
  const sourceCounters = Array.from({ length: 400 }, (_, source) => [`${failures}_${source}`, 1]);
  const counters = { [failures]: ACCOUNT_POLICY.failuresPerWindow, ...Object.fromEntries(sourceCounters) };
  await changeRecord(portal.engine, account.keys.account, { ...trusted, ...counters });
  expect((await login(account)).status).toBe(429);

  const user = `user ${userId} (${account.email}) of ${tenant}\n`;
  const run = await runCommand('unlock-user', tenant, account.email);
  expect(run).toEqual({ code: 0, stdout: `changed   ${user}    failures: 400 -> 0\n`, stderr: '' });
  const stored = await readRecord(portal.engine, account.keys.account);
  expect(stored).toMatchObject(trusted);
  expect(Object.keys(stored).filter((name) => name.startsWith(failures))).toEqual([]);
  expect((await login(account)).status).toBe(200);
});

it('unlock-user writes nothing if the user is not locked or has no password', async () => {
  const account = await seedAccount(portal.engine);
  const { tenant, userId } = account.reference;
  expect((await runCommand('unlock-user', tenant, userId)).stdout).toBe(
    `left      user ${userId} (${account.email}) of ${tenant}\nThe user is not locked.\n`,
  );
  const { keys } = await seedAccount(portal.engine, { tenant: { tenant } });
  await deleteRecord(portal.engine, keys.account);
  expect((await runCommand('unlock-user', tenant, keys.user.sk.slice('USER#'.length))).code).toBe(0);
  expect(await readRecord(portal.engine, keys.account)).toEqual({});
});

it('a command writes nothing and ends with 3 if every attempt conflicts with other writes', async () => {
  const { account } = await portal.newCaller();
  const { tenant, companyId } = account.reference;
  portal.proxy.injectConflicts(Number.POSITIVE_INFINITY);
  const run = await runOps(portal.proxy.engine.endpoint, 'suspend-company', tenant, companyId);
  portal.proxy.reset();
  expect(run).toEqual({
    code: 3,
    stdout: '',
    stderr: expect.stringContaining('Nothing was changed: others kept changing the records. Run the command again.'),
  });
  expect((await runCommand('resume-company', tenant, companyId)).stdout).toContain('The company is not suspended.');
});

it('a command ends with 2 and prints the tenant, company, user, supplier, key or invoice that does not exist', async () => {
  const { account } = await portal.newCaller();
  const { tenant } = account.reference;
  const noTenant = 'Tenant nobody.example does not exist.';
  const noCompany = `The company 404 of ${tenant} does not exist.`;
  const noUser = `The user nobody of ${tenant} does not exist.`;
  // One command for each function that finds an entity.
  const runs = {
    'list-keys nobody.example': noTenant,
    'export nobody.example': noTenant,
    'unlock-user nobody.example 1': noTenant,
    'clear-tolerance nobody.example': noTenant,
    'show nobody.example 77': noTenant,
    'verify nobody.example': noTenant,
    [`resume-company ${tenant} 404`]: noCompany,
    [`issue-key ${tenant} 404 ERP`]: noCompany,
    [`list-users ${tenant} --company 404`]: noCompany,
    [`deactivate-user ${tenant} 404`]: `The user 404 of ${tenant} does not exist.`,
    [`end-sessions ${tenant} nobody`]: noUser,
    [`unlock-user ${tenant} nobody`]: noUser,
    [`set-password ${tenant} nobody`]: 'The password must not be empty.',
    [`revoke-key ${tenant} abcd`]: 'The key does not exist',
    [`clear-tolerance ${tenant} --supplier 404`]: 'supplier 404',
    [`simulate-tolerance ${tenant} --supplier 404 --mode PCT --pct 3`]: 'Supplier 404',
    [`set-state ${tenant} 77 LIQ --reason Paid --supplier 404`]: 'Supplier 404',
    [`show ${tenant} 404`]: `Invoice 404 of ${tenant} does not exist.`,
    [`show ${tenant} 7x`]: 'An invoice id must have 1 to 20 digits.',
  };
  for (const [command, reason] of Object.entries(runs)) {
    const stderr = expect.stringContaining(reason);
    expect(await runCommand(...command.split(' ')), command).toEqual({ code: 2, stdout: '', stderr });
  }
});

it('set-password sets the first line of standard input as the password, and the old password is no longer accepted', async () => {
  const { account } = await portal.newCaller();
  const run = await setPassword(' a new Passphrase \r\nnot this\n', account);
  const { tenant, userId } = account.reference;
  expect(maskTimes(run)).toEqual({
    code: 0,
    stdout: `changed   user ${userId} (${account.email}) of ${tenant}\n    tokens_from: (none) -> TIME\n    password: changed\n`,
    stderr: '',
  });
  expect((await login(account, ' a new Passphrase ')).status).toBe(200);
  expect((await login(account)).status).toBe(401);
  expect((await login(account, 'not this')).status).toBe(401);
});

it('set-password does not wait for the end of its input', async () => {
  const { account } = await portal.newCaller();
  const { code } = await setPassword('from an open Pipe\nand more', account, { isInputOpen: true });
  expect(code).toBe(0);
  expect((await login(account, 'from an open Pipe')).status).toBe(200);
});

it.each([
  ['an empty first line', '\r\nsecond line\n', 'must not be empty.'],
  [
    'the company of the user',
    '7-gruas-del-rio-7\n',
    'must not contain the e-mail, user name, tenant or company of its user.',
  ],
])('set-password rejects %s', async (_what, input, reason) => {
  const { account } = await portal.newCaller({ company: { name: 'Grúas del Río' } });
  expect(await setPassword(input, account)).toEqual({ code: 2, stdout: '', stderr: `The password ${reason}\n` });
  expect((await login(account)).status).toBe(200);
});

it('set-password --local accepts the published password of the demo', async () => {
  const { account } = await portal.newCaller();
  expect(await setPassword(`${DEMO_ACCOUNT.password}\n`, account)).toMatchObject({ code: 0, stderr: '' });
  expect((await login(account, DEMO_ACCOUNT.password)).status).toBe(200);
});

it('set-password shows neither the password nor its hash', async () => {
  const { account } = await portal.newCaller();
  const unknownUser = { ...account, email: 'nobody' };
  const runs = [
    await setPassword('Secret-1-q7xw', account),
    await setPassword('Secret-1-q7xw', account),
    await setPassword('Secret-2-q7xw', account, {}, '--json'),
    await setPassword('Secret-3-q7xw', unknownUser),
  ];
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 2]);
  expect(runs[1]?.stdout).toContain('The user already has this password.\n');
  expect(JSON.parse(runs[2]?.stdout ?? '')).toMatchObject({
    changes: [{ property: 'tokens_from' }, { property: 'password' }],
  });
  for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toMatch(/Secret|argon2/);
});
