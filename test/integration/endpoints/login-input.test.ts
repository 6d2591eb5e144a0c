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
