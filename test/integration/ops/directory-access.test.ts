import { expect, it } from 'vitest';
import { ACCOUNT_POLICY } from '../../../lib/domain/policies.ts';
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
const setPassword = (input: string, { reference, email }: Account, setting: OpsSetting = {}) => {
  const env = { AWS_ENDPOINT_URL_DYNAMODB: portal.engine.endpoint };
  return runCli(['set-password', reference.tenant, email, '--local'], { env, input, ...setting });
};

it('suspend-company and resume-company take effect on the next request', async () => {
  const { account, call } = await portal.newCaller();
  const { tenant, companyId } = account.reference;
  expect(maskTimes(await runCommand('suspend-company', tenant, companyId))).toEqual({
    code: 0,
    stdout: `changed   company ${companyId} of ${tenant}\n    status: ACTIVE -> SUSPENDED\n    stopped_at: (none) -> TIME\n`,
    stderr: '',
  });
  const responses = [await list(call), await login(account)];
  expect(responses.map(({ body }) => body.error?.code)).toEqual(['COMPANY_SUSPENDED', 'COMPANY_SUSPENDED']);
  expect((await runCommand('resume-company', tenant, companyId)).stdout).toContain('status: SUSPENDED -> ACTIVE');
  expect((await list(call)).status).toBe(200);
  const again = await runCommand('resume-company', tenant, companyId);
  const stdout = `left      company ${companyId} of ${tenant}\nThere is nothing to change.\n`;
  expect(again).toEqual({ code: 0, stdout, stderr: '' });
});

it('deactivate-user, activate-user and end-sessions take effect on the next request', async () => {
  const { account, call } = await portal.newCaller({ user: { username: 'íñigo'.normalize('NFC') } });
  const { tenant, userId } = account.reference;
  expect((await runCommand('deactivate-user', tenant, 'Íñigo'.normalize('NFD'))).stdout).toContain(
    'active: true -> false',
  );
  for (const { body } of [await list(call), await login(account)])
    expect(body.error).toMatchObject({ code: 'UNAUTHORIZED', message: 'User is not active' });
  const email = account.email.toUpperCase();
  expect((await runCommand('activate-user', tenant, email)).stdout).toContain('active: false -> true');
  expect((await list(call)).body.error).toMatchObject({ message: 'The session has ended. Log in again.' });
  expect((await login(account)).status).toBe(200);
  const readCutoff = async () =>
    Date.parse(String((await readRecord(portal.engine, account.keys.account))['tokens_from']));
  const before = await readCutoff();
  expect((await runCommand('end-sessions', tenant, userId)).code).toBe(0);
  expect(await readCutoff()).toBeGreaterThan(before);
});

it('unlock-user clears all failures of the current window, also of trusted addresses, and keeps the trusted addresses', async () => {
  const { account } = await portal.newCaller();
  const { tenant, userId } = account.reference;
  const failures = buildFailureCounterName(Date.now());
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

it('unlock-user writes nothing if the user has no password and so no account', async () => {
  const { keys, reference } = await seedAccount(portal.engine);
  await deleteRecord(portal.engine, keys.account);
  const { stdout } = await runCommand('unlock-user', reference.tenant, reference.userId);
  expect(stdout).toMatch(/^left .+\nThere is nothing to change\.\n$/);
  expect(await readRecord(portal.engine, keys.account)).toEqual({});
});

it('a command writes nothing and ends with 3 if every attempt conflicts with other writes', async () => {
  const { account } = await portal.newCaller();
  const { tenant, companyId } = account.reference;
  portal.proxy.injectConflicts(Number.POSITIVE_INFINITY);
  const run = await runOps(portal.proxy.engine.endpoint, 'suspend-company', tenant, companyId);
  portal.proxy.reset();
  const stderr = 'Nothing was changed: others kept changing the records. Run the command again.';
  expect(run).toEqual({ code: 3, stdout: '', stderr: expect.stringContaining(stderr) });
  expect(await readRecord(portal.engine, account.keys.company)).toMatchObject({ status: 'ACTIVE' });
});

it('a command ends with 2 and prints the tenant, company, user, supplier, key or invoice that does not exist', async () => {
  const { account } = await portal.newCaller();
  const { tenant } = account.reference;
  // One command for each function that finds an entity.
  const runs = {
    'list-keys unknown.example': 'Tenant unknown.example does not exist.',
    'show unknown.example 77': 'Tenant unknown.example does not exist.',
    [`list-users ${tenant} --company 404`]: `The company 404 of ${tenant} does not exist.`,
    [`deactivate-user ${tenant} 404`]: `The user 404 of ${tenant} does not exist.`,
    [`unlock-user ${tenant} stranger`]: `The user stranger of ${tenant} does not exist.`,
    [`set-password ${tenant} stranger`]: 'The password must not be empty.',
    [`revoke-key ${tenant} abcd`]: 'The key does not exist',
    [`show ${tenant} 404`]: `Invoice 404 of ${tenant}: does not exist; it may have other leading zeros or another supplier, or an`,
    [`show ${tenant} 7x`]: '<invoice>: must be a string of 1 to 20 digits.',
  };
  for (const [command, reason] of Object.entries(runs)) {
    const stderr = expect.stringContaining(reason);
    expect(await runCommand(...command.split(' ')), command).toEqual({ code: 2, stdout: '', stderr });
  }
});

it('set-password sets the first line of an input that stays open, and the old password is no longer accepted', async () => {
  const { account } = await portal.newCaller();
  const run = await setPassword(' a new Passphrase \r\nnot this\n', account, { isInputOpen: true });
  const { tenant, userId } = account.reference;
  expect(maskTimes(run)).toEqual({
    code: 0,
    stdout: `changed   user ${userId} (${account.email}) of ${tenant}\n    tokens_from: (none) -> TIME\n    password: changed\n`,
    stderr: '',
  });
  expect((await login(account, ' a new Passphrase ')).status).toBe(200);
  expect((await login(account)).status).toBe(401);
});

it('set-password rejects a weak password, but not the published one of the demo with --local', async () => {
  const { account } = await portal.newCaller({ company: { name: 'Grúas del Río' } });
  const stderr = 'user.password: must not contain the e-mail, user name, tenant or company of its user\n';
  expect(await setPassword('7-gruas-del-rio-7\n', account)).toEqual({ code: 2, stdout: '', stderr });
  expect(await setPassword('\r\nsecond line\n', account)).toMatchObject({ code: 2, stdout: '' });
  expect((await login(account)).status).toBe(200);
  expect(await setPassword(`${DEMO_ACCOUNT.password}\n`, account)).toMatchObject({ code: 0, stderr: '' });
  expect((await login(account, DEMO_ACCOUNT.password)).status).toBe(200);
});
