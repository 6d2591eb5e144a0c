import { expect, it } from 'vitest';
import { demoAccount } from '../../../infra/openapi/sample-requests.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { runCli, runOpsProcess, timeless } from '../../support/ops/run-ops.ts';
import type { Account } from '../../support/data/seed.ts';

const portal = usePortal();
const env = () => ({ AWS_ENDPOINT_URL_DYNAMODB: portal.engine.endpoint });
const setPassword = (input: string | Buffer, { reference, email }: Account, ...options: string[]) =>
  runCli(['set-password', reference.tenant, email, '--local', ...options], { env: env(), input });

async function loginStatus(account: Account, password = account.password): Promise<number> {
  const { scope, email } = account;
  const headers = { tenant: scope.tenant };
  return (await portal.invoke('login', { headers, body: { email, password } })).status;
}

it('set-password sets the first line of standard input as the password, and ends the old one', async () => {
  const { account } = await portal.newCaller();
  const run = await setPassword(' a new Passphrase \r\nnot this\n', account);
  const { tenant, userId } = account.reference;
  expect(timeless(run)).toEqual({
    code: 0,
    stdout: `changed   user ${userId} (${account.email}) of ${tenant}\n    tokens_from: (none) -> TIME\n    password: changed\n`,
    stderr: '',
  });
  expect(await loginStatus(account, ' a new Passphrase ')).toBe(200);
  expect(await loginStatus(account)).toBe(401);
  expect(await loginStatus(account, 'not this')).toBe(401);
});

it('set-password does not wait for the end of its input', async () => {
  const { account } = await portal.newCaller();
  const { code } = await runOpsProcess(['set-password', account.scope.tenant, account.email, '--local'], {
    env: env(),
    // A pipe that stays open after its first line.
    input: null,
    started: (child) => void child.stdin?.write('from an open Pipe\nand more'),
  });
  expect(code).toBe(0);
  expect(await loginStatus(account, 'from an open Pipe')).toBe(200);
});

const EMPTY = 'must not be empty.';
const EASY = 'is easy to guess: use four unrelated words, or 12 random characters.';
const NAMED = 'must not contain the e-mail, user name, tenant or company of its user.';

it.each([
  ['an empty one', '', EMPTY],
  ['an empty line', '\n', EMPTY],
  ['an empty line before another one', '\r\nsecond line\n', EMPTY],
  ['a common one', 'Password123\n', EASY],
  ['one that is not UTF-8', Buffer.from('contrase\u00f1a-7\n', 'latin1'), 'is not well-formed Unicode (UTF-8).'],
  ['the name of the company of its user', '7-gruas-del-rio-7\n', NAMED],
])('set-password rejects %s', async (_what, input, reason) => {
  const { account } = await portal.newCaller({ company: { name: 'Grúas del Río' } });
  expect(await setPassword(input, account)).toEqual({ code: 2, stdout: '', stderr: `The password ${reason}\n` });
  expect(await loginStatus(account)).toBe(200);
});

it('set-password --local accepts the password of the demo', async () => {
  const { account } = await portal.newCaller();
  expect(await setPassword(`${demoAccount.password}\n`, account)).toMatchObject({ code: 0, stderr: '' });
  expect(await loginStatus(account, demoAccount.password)).toBe(200);
});

it('set-password shows neither the password nor its hash', async () => {
  const { account } = await portal.newCaller();
  const nobody = { ...account, email: 'nobody' };
  const runs = [
    await setPassword('Secret-1-q7xw', account),
    await setPassword('Secret-1-q7xw', account),
    await setPassword('Secret-2-q7xw', account, '--json'),
    await setPassword('Secret-3-q7xw', nobody),
  ];
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 2]);
  expect(runs[1]?.stdout).toContain('The user already has this password.\n');
  expect(JSON.parse(runs[2]?.stdout ?? '')).toMatchObject({
    changes: [{ property: 'tokens_from' }, { property: 'password' }],
  });
  for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toMatch(/Secret|argon2/);
});
