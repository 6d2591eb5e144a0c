import { beforeEach, expect, it } from 'vitest';
import { type Account, readRecord } from '../../support/data/seed.ts';
import { KEYS, runOnTerminal, runOps } from '../../support/ops/run-ops.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

const portal = usePortal();
let account: Account;
let key: string;

beforeEach(async () => {
  ({ account } = await portal.newCaller());
  const { tenant, companyId } = account.reference;
  const issued = await runOps(portal.engine.endpoint, 'issue-key', tenant, companyId, 'ERP', '--json');
  key = JSON.parse(issued.stdout).generated_key;
});

const runWithKeys = (keys: string, ...args: string[]) => runOnTerminal(portal.engine.endpoint, args, keys);
const buildSuspend = () => ['suspend-company', account.reference.tenant, account.reference.companyId];
const buildRevoke = () => ['revoke-key', account.scope.tenant, key.slice(-4)];
const buildEraseUser = () => ['erase-user', account.reference.tenant, account.email];
const readStatus = async () => (await readRecord(portal.engine, account.keys.company))?.['status'];

it.each([
  [
    'suspend-company',
    buildSuspend,
    /Suspend company \d+ \(Company\) of \S+\? The access of its users, suppliers and API keys ends immediately\. /,
  ],
  ['revoke-key', buildRevoke, /Revoke the API key "ERP" \(….{4}\) of company \d+ of \S+\? .+ This cannot be undone\. /],
  ['erase-user', buildEraseUser, /Erase user \d+ \(\S+\) of \S+\? No command can undo this\. /],
  [
    'rotate-signing-key',
    () => ['rotate-signing-key', '--leaked'],
    /End the sessions of every user of the service on this/,
  ],
])('%s describes its effects in a question, and runs only if the answer is yes', async (_, command, question) => {
  const no = await runWithKeys(`n${KEYS.enter}`, ...command());
  expect(no).toEqual({ code: 130, stdout: '', stderr: expect.stringContaining('Nothing was changed.\n') });
  expect(no.stderr).toMatch(question);
  const yes = await runWithKeys(`y${KEYS.enter}`, ...command());
  expect(yes).toMatchObject({ code: 0, stdout: expect.stringMatching(/./) });
});

it.each([
  [`Y${KEYS.enter}`, 0],
  [` yes ${KEYS.enter}`, 0],
  [KEYS.enter, 130],
  [`yep${KEYS.enter}`, 130],
  [KEYS.ctrlC, 130],
  [KEYS.ctrlD, 130],
])('a confirmation with %j ends with %i', async (typed, code) => {
  const run = await runWithKeys(typed, ...buildSuspend());
  expect(run.code).toBe(code);
  if (code !== 0)
    expect(run).toMatchObject({ stdout: '', stderr: expect.stringMatching(/\nNothing was changed\.\n$/) });
  expect(await readStatus()).toBe(code === 0 ? 'SUSPENDED' : 'ACTIVE');
});

it('a dry run does not ask for confirmation', async () => {
  expect(await runWithKeys('', ...buildSuspend(), '--dry-run')).toMatchObject({ code: 0, stderr: '' });
});

it('a command changes nothing if its question would not be visible', async () => {
  const run = await runOnTerminal(portal.engine.endpoint, buildSuspend(), `y${KEYS.enter}`, { isErrorShown: false });
  expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('pass --yes') });
  expect(await readStatus()).toBe('ACTIVE');
});

it('a command asks for no confirmation if it would change nothing or its subject does not exist', async () => {
  const buildEraseById = () => ['erase-user', account.reference.tenant, account.reference.userId];
  for (const command of [buildSuspend(), buildRevoke(), buildEraseById()]) {
    await runOps(portal.engine.endpoint, ...command);
    expect(await runWithKeys('', ...command)).toMatchObject({ code: 0, stderr: '' });
  }
  const { code, stderr } = await runWithKeys('', 'suspend-company', account.scope.tenant, '404');
  expect([code, stderr]).toEqual([2, expect.stringMatching(/does not exist/)]);
});

it('with --json, standard output contains only the document although the command asks', async () => {
  const no = await runWithKeys(KEYS.ctrlD, ...buildSuspend(), '--json');
  expect(JSON.parse(no.stdout)).toEqual({ error: 'Nothing was changed.' });
  const yes = await runWithKeys(`y${KEYS.enter}`, ...buildSuspend(), '--json');
  expect(JSON.parse(yes.stdout)).toMatchObject({ outcome: 'changed' });
});

it('set-password asks twice on a terminal, and changes nothing if the two passwords differ', async () => {
  const args = ['set-password', account.reference.tenant, account.email];
  const repeat = (password: string) => {
    const answers = { 'New password:': `a new Passphrase${KEYS.enter}`, 'Repeat the password:': password };
    return runOnTerminal(portal.engine.endpoint, args, '', { answers });
  };
  expect((await repeat(`another${KEYS.enter}`)).stderr).toContain('The two passwords differ.\n');
  expect(await repeat(KEYS.ctrlC)).toMatchObject({ code: 130, stdout: '' });
  expect((await repeat(`a new Passphrase${KEYS.enter}`)).stdout).toContain('password: changed');
});
