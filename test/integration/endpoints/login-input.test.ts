import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { usePortal } from '../../support/setup/use-portal.ts';
import { type Account, seedAccount } from '../../support/data/seed.ts';
import { expectFault } from '../../support/answers/expect-fault.ts';

const portal = usePortal();
let account: Account;
beforeAll(async () => {
  account = await seedAccount(portal.engine);
});

let attempts = 0;
/** Logs in with the account's own e-mail and password but for the given fields, each time from another address. */
const login = (fields: Record<string, unknown> = {}) =>
  portal.invoke('login', {
    headers: { tenant: account.scope.tenant },
    body: { email: account.email, password: account.password, ...fields },
    sourceIp: `198.51.100.${attempts++}`,
  });

describe('POST /apidev/v1/login', () => {
  it('answers right credentials with the access token in data.authorization [auth/flow-1] [login/no-token] [login/response] [login/email] [login/password]', async () => {
    const { status, body } = await login();
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, data: { authorization: expect.any(String) }, meta: {} });
    expect(decodeJwt(body.data.authorization)).toMatchObject({ sub: account.reference.userId });
  });

  it.each([
    ['email', 'required', undefined],
    ['email', 'type', 7],
    ['email', 'type', null],
    ['email', 'minLength', ''],
    ['email', 'maxLength', `${'e'.repeat(243)}@example.com`],
    ['password', 'required', undefined],
    ['password', 'type', 7],
    ['password', 'type', null],
    ['password', 'minLength', ''],
    ['playerid', 'type', 7],
    ['playerid', 'maxLength', 'p'.repeat(201)],
  ])('rejects %s that breaks %s: %j [login/$0]', async (property, constraint, value) => {
    expectFault(await login({ [property]: value }), property, constraint);
  });

  it('looks at an e-mail of 254 characters', async () => {
    const { body } = await login({ email: `${'e'.repeat(242)}@example.com` });
    expect(body.error).toEqual({ code: 'UNAUTHORIZED', message: 'Invalid email or password.' });
  });

  it('accepts a playerid of 200 characters, and an empty one [login/playerid]', async () => {
    expect((await login({ playerid: 'p'.repeat(200) })).status).toBe(200);
    expect((await login({ playerid: '' })).status).toBe(200);
  });

  it('names every invalid field at once', async () => {
    const { body } = await login({ email: 7, password: undefined, playerid: 7 });
    expect(body.error?.details?.map(({ property }) => property)).toEqual(['password', 'email', 'playerid']);
  });

  it('ignores unknown fields', async () => {
    expect((await login({ remember: true })).status).toBe(200);
  });

  it('needs the Content-Type application/json [login/content-type]', async () => {
    const { email, password, scope } = account;
    for (const type of ['text/plain', undefined]) {
      const headers = { tenant: scope.tenant, 'content-type': type };
      expectFault(await portal.invoke('login', { headers, body: { email, password } }), 'Content-Type', 'mediaType');
    }
  });
});
