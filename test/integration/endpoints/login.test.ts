import { describe, expect, it } from 'vitest';
import { type EndpointResponse } from '../../support/answers/answer.ts';
import { usePortal } from '../../support/setup/use-portal.ts';
import { type Account, changeRecord, newId, readRecord, seedAccount } from '../../support/data/seed.ts';
import { proves } from '../../rules/proves.ts';

const portal = usePortal();

/** Logs in, by default from an address that no other attempt uses. */
function login(
  account: Account,
  fields: object = {},
  tenant: string | undefined = account.scope.tenant,
  sourceIp = newId(),
): Promise<EndpointResponse> {
  const body = { email: account.email, password: account.password, ...fields };
  return portal.invoke('login', { headers: { tenant }, body, sourceIp });
}

const readError = ({ status, body }: EndpointResponse) => [status, body.error?.code, body.error?.message];
const INVALID = [401, 'UNAUTHORIZED', 'Invalid email or password.'];
const INACTIVE = [401, 'UNAUTHORIZED', 'User is not active'];

describe('a login', () => {
  it('a login returns only a token, which the endpoints accept, and ignores unknown fields', async () => {
    proves('auth/flow-1', 'auth/flow-2', 'auth/flow-3', 'login/no-token', 'login/response', 'login/token');
    proves('login/password');
    const account = await seedAccount(portal.engine);

    const { status, body } = await login(account, { remember: true });

    expect(status).toBe(200);
    expect(body).toEqual({ success: true, data: { authorization: expect.any(String) }, meta: {} });
    const token = body.data.authorization as string;
    const { tenant } = account.scope;
    const headers = { tenant, authorization: `Bearer ${token}`, 'x-api-key': account.apiKey };
    const list = { headers, query: { startdate: '2026-03-01', enddate: '2026-03-31' } };
    expect((await portal.invoke('list-invoices', list)).status).toBe(200);
  });

  it('a login accepts the e-mail in any case and Unicode form and with blanks around it, and no username', async () => {
    proves('login/email');
    const user = { username: 'integracion', email: 'íñigo@supplier.example'.normalize('NFC') };
    const account = await seedAccount(portal.engine, { user });
    const spellings = [user.email.toUpperCase(), user.email.normalize('NFD'), `\t ${user.email}\u00a0`];
    for (const email of spellings) expect((await login(account, { email })).status).toBe(200);
    expect(readError(await login(account, { email: 'integracion' }))).toEqual(INVALID);
  });

  it('a wrong password, an unknown user, an unknown tenant and a user without a password get the same response', async () => {
    proves('auth/rule-1/wrong-credentials', 'codes/UNAUTHORIZED/credentials');
    const account = await seedAccount(portal.engine);
    const stranger = await seedAccount(portal.engine);
    expect(readError(await login(account, { password: 'wrong' }))).toEqual(INVALID);
    expect(readError(await login(account, { email: 'nobody@supplier.example' }))).toEqual(INVALID);
    expect(readError(await login(account, {}, 'unknown.example'))).toEqual(INVALID);
    expect(readError(await login(account, {}, stranger.scope.tenant))).toEqual(INVALID);
    await changeRecord(portal.engine, account.keys.account, { password_hash: undefined });
    expect(readError(await login(account))).toEqual(INVALID);
  });

  it('a login with the valid password of an inactive user gets 401 until the user is active, and counts as no failure', async () => {
    proves('auth/rule-2/login', 'auth/rule-2/deactivated');
    const account = await seedAccount(portal.engine, { user: { active: false } });
    const rejected = await login(account);
    expect(readError(rejected)).toEqual(INACTIVE);
    expect(rejected.headers['X-RateLimit-Remaining']).toBe('5');
    expect(readError(await login(account, { password: 'wrong' }))).toEqual(INVALID);
    await changeRecord(portal.engine, account.keys.user, { active: true });
    expect((await login(account)).status).toBe(200);
  });

  it('a login of a user of a suspended company gets 403 COMPANY_SUSPENDED only if the password is valid', async () => {
    proves('auth/rule-4/login');
    const account = await seedAccount(portal.engine, { company: { status: 'SUSPENDED' } });
    const rejected = await login(account);
    expect(readError(rejected)).toEqual([403, 'COMPANY_SUSPENDED', 'The company account is suspended.']);
    expect(rejected.headers['X-RateLimit-Remaining']).toBe('5');
    expect(readError(await login(account, { password: 'wrong' }))).toEqual(INVALID);
  });

  it('a login stores each player id once, keeps the latest 10, and stores no player id of a failed login', async () => {
    proves('login/playerid');
    const account = await seedAccount(portal.engine);
    const readPlayerIds = async () => (await readRecord(portal.engine, account.keys.user))['player_ids'];
    await login(account, { playerid: 'p', password: 'wrong' });
    expect(await readPlayerIds()).toBeUndefined();
    for (const playerid of ['p1', 'p2', 'p1', '', null, 'x'.repeat(200)]) await login(account, { playerid });
    expect(await readPlayerIds()).toEqual(['p1', 'p2', 'x'.repeat(200)]);
    await Promise.all([1, 2, 3, 4, 5].map((index) => login(account, { playerid: `parallel-${index}` })));
    expect(await readPlayerIds()).toHaveLength(8);
    for (const playerid of ['p8', 'p9', 'p10']) await login(account, { playerid });
    expect(await readPlayerIds()).toHaveLength(10);
    expect(await readPlayerIds()).not.toContain('p1');
    expect(await readPlayerIds()).toContain('p10');
  });
});
