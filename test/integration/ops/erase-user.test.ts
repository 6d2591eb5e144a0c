import { beforeEach, expect, it } from 'vitest';
import { createAccountGuard } from '../../../lib/access/account-guard.ts';
import { toEntity, type User } from '../../../lib/domain/directory.ts';
import { collectPages } from '../../../lib/runtime/pages.ts';
import { createAccountTable } from '../../../lib/tables/account-table.ts';
import { createPlayerIdWriter } from '../../../lib/tables/player-ids.ts';
import { type Key, scanPages } from '../../../lib/tables/dynamodb/reads.ts';
import { directoryKeys } from '../../../lib/tables/keys.ts';
import { changeRecord, readRecord } from '../../support/data/seed.ts';
import { applyFile, user } from '../../support/ops/apply-lists.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

const portal = useWatchedPortal();
const PLAYER = { player_ids: ['0a1b2c3d'] };
let caller: Awaited<ReturnType<typeof portal.newCaller>>;
let tenant: string;
let userId: string;
let email: string;

beforeEach(async () => {
  caller = await portal.newCaller({ user: { username: 'Somebody', ...PLAYER } });
  ({ email } = caller.account);
  ({ tenant, userId } = caller.account.reference);
});

const run = (command: string, ...args: readonly string[]) =>
  runOps(portal.proxy.engine.endpoint, command, tenant, ...args);
const login = (password = caller.account.password) =>
  portal.invoke('login', { headers: { tenant }, body: { email, password } });
const readItems = async () => {
  const pages = scanPages<Key>(portal.engine.client, { TableName: portal.engine.tables.Directory });
  return (await collectPages(pages)).filter(({ pk }) => pk.includes(tenant));
};
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

it('erase-user removes all data of a user in one transaction, also if the response is lost, and ends its sessions', async () => {
  await login();
  await login('wrong password');
  portal.proxy.injectFault({ how: 'lose-response', operation: 'TransactWriteItems', times: 1 });
  const { code, stdout } = await run('erase-user', 'somebody');
  expect([code, stdout]).toEqual([
    0,
    `User ${userId} of ${tenant}: erased.\nWhat remains elsewhere: logs (in production 90 days), point-in-time ` +
      'recovery (35 days), exported files, and names in free text (notes, reasons, --by).\n',
  ]);
  expect(JSON.stringify(await readItems())).not.toMatch(/@|somebody|argon2|0a1b2c3d|"[fs]_/i);
  const { stdout: record } = await run('audit');
  expect(record).toMatch(new RegExp(`erase-user ${tenant} <user> .*changed user ${userId} of t\\S+ +\\S+\\n$`));
  const { keys, reference } = caller.account;
  const erasure = { erased_at: TIME, tokens_from: TIME };
  const inactive = { permissions: [], active: false, license_active: false };
  const erasedUser = { user_id: userId, company_id: reference.companyId, ...inactive, ...erasure };
  expect(await readRecord(portal.engine, keys.user)).toEqual({ ...keys.user, ...erasedUser });
  expect(await readRecord(portal.engine, keys.account)).toEqual({ ...keys.account, ...erasure });
  const { status } = await caller.call('list-invoices', { query: { startdate: '2026-06-01', enddate: '2026-06-30' } });
  expect([status, (await login()).status]).toEqual([401, 401]);
});

it('no command reactivates an erased user, and its e-mail can belong to a new user', async () => {
  await run('erase-user', email);
  const before = await readItems();
  expect((await run('erase-user', userId)).stdout).toContain(`User ${userId} of ${tenant}: already erased.\n`);
  for (const command of ['activate-user', 'unlock-user']) {
    const { code, stderr } = await run(command, userId);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^User \d+ of \S+ was erased at \S+Z, permanently\.\n$/)]);
  }
  expect(await readItems()).toEqual(before);
  expect((await run('list-users')).stdout).toMatch(new RegExp(`${userId} .* ERASED`));
  expect((await run('export')).stdout).not.toContain(userId);
  const { supplier_id: _, ...entry } = { ...user, company_id: caller.account.reference.companyId, email };
  const { outcomes } = await applyFile(portal.engine, tenant, { users: [entry] });
  expect(Object.values(outcomes)).toEqual(['left', 'created']);
});

it('a login that began before the erasure writes nothing afterwards', async () => {
  const { client, tables } = portal.engine;
  const { keys } = caller.account;
  const store = createAccountTable(client, tables.Directory, 'LOGIN');
  const account = { tenant, loginName: email, user: caller.account.reference };
  const beginAttempt = createAccountGuard(store);
  const attempts = [await beginAttempt(account, '203.0.113.7'), await beginAttempt(account, '203.0.113.8')];
  const readUser = async (): Promise<User> => toEntity.user((await readRecord(portal.engine, keys.user)) as never);
  const userBefore = await readUser();
  await run('erase-user', userId);
  const before = await readItems();
  await expect(attempts[0]!.recordSuccess()).rejects.toThrow();
  await expect(attempts[1]!.recordFailure()).rejects.toThrow();
  await createPlayerIdWriter(client, tables.Directory)(tenant, userBefore, 'ffff');
  expect(await readItems()).toEqual(before);
});

it('a change of the login names during the erasure is erased, too', async () => {
  const loginKey = directoryKeys.login(tenant, 'another');
  const wait = async () => {
    await changeRecord(portal.engine, caller.account.keys.user, { username: 'another' });
    await changeRecord(portal.engine, loginKey, { ...loginKey, user_id: userId });
  };
  portal.proxy.injectFault({ how: 'delay-request', operation: 'TransactWriteItems', times: 1, wait });
  await run('erase-user', email);
  expect(JSON.stringify(await readItems())).not.toMatch(/another|@/);
});

it('erase-user leaves a login name that belongs to another user', async () => {
  const key = directoryKeys.login(tenant, 'somebody');
  await changeRecord(portal.engine, key, { user_id: '999' });
  expect((await run('erase-user', userId)).code).toBe(0);
  expect(await readRecord(portal.engine, key)).toMatchObject({ user_id: '999' });
});
