import { beforeEach, expect, it, vi } from 'vitest';
import { LIMITS } from '../../../lib/domain/limits.ts';
import type { EndpointResponse } from '../../support/answers/answer.ts';
import { createLegacyCaller } from '../../support/legacy/legacy.ts';
import { buildHeaders } from '../../support/service/handlers.ts';
import { useDate } from '../../support/setup/use-date.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { runCli } from '../../support/ops/run-ops.ts';
import { type Account, newId, readRecord, seedAccount } from '../../support/data/seed.ts';
import { proves } from '../../rules/proves.ts';

const path = '/apidev/v1/supplier-portal/invoices/4711';
const NEW_PASSWORD = 'another Passphrase';

const NOW = new Date('2026-05-01T10:00:00.400Z');

const portal = useWatchedPortal();
useDate(NOW);
let account: Account;
beforeEach(async () => {
  account = await seedAccount(portal.engine);
});

/** Runs an operator command for the user of the account. */
async function runUserCommand(command: string, { input = '', endpoint = portal.engine.endpoint } = {}) {
  const { tenant, userId } = account.reference;
  return runCli([command, tenant, userId, '--local'], { env: { AWS_ENDPOINT_URL_DYNAMODB: endpoint }, input });
}
const setPassword = (endpoint = portal.engine.endpoint) =>
  runUserCommand('set-password', { input: `${NEW_PASSWORD}\n`, endpoint });

async function login(password = account.password): Promise<EndpointResponse> {
  const body = { email: account.email, password };
  return portal.invoke('login', { headers: { tenant: account.scope.tenant }, body, sourceIp: newId() });
}
const logInForToken = async (password?: string) => (await login(password)).body.data.authorization as string;

const getInvoice = (token: string) => portal.invoke('get-invoice', { path, headers: buildHeaders(account, token) });

async function readErrorWith(token: string): Promise<unknown[]> {
  const { status, body } = await getInvoice(token);
  return [status, body.error?.code, body.error?.message];
}
// The requested invoice does not exist, so NOT_FOUND means that every check has passed.
const PASSED = [404, 'NOT_FOUND', 'The invoice was not found.'];
const ENDED = [401, 'UNAUTHORIZED', 'The session has ended. Log in again.'];

it('a password change ends the session at the next request, and a login in the same second with the new password works', async () => {
  proves('codes/UNAUTHORIZED/token');
  const token = await logInForToken();
  expect(await readErrorWith(token)).toEqual(PASSED);
  await setPassword();
  expect(await readErrorWith(await logInForToken(NEW_PASSWORD))).toEqual(PASSED);
  expect(await readErrorWith(token)).toEqual(ENDED);
});

it('end-sessions ends a session at the next request each time, and does not affect passwords, user records or legacy calls', async () => {
  proves('codes/UNAUTHORIZED/token');
  const readStored = async () => [
    await readRecord(portal.engine, account.keys.user),
    await readRecord(portal.engine, account.keys.account),
  ];
  const before = await readStored();
  for (let time = 0; time < 2; time++) {
    const token = await logInForToken();
    expect(await readErrorWith(token)).toEqual(PASSED);
    await runUserCommand('end-sessions');
    expect(await readErrorWith(token)).toEqual(ENDED);
  }
  const legacy = await createLegacyCaller(portal.invoke, account)('WSObtenerFactura', { IdFactura: '4711' });
  expect(legacy.body.Resultado.Codigo).toBe('NOT_FOUND');
  expect(await readStored()).toMatchObject(before);
});

it('requests with a revoked token do not use the read limit of the user, which both routes share', async () => {
  proves('limits/per-user');
  const revoked = await logInForToken();
  await runUserCommand('end-sessions');
  for (const response of await Promise.all(Array.from({ length: LIMITS.reads }, () => getInvoice(revoked)))) {
    expect(response).toMatchObject({ status: 401, body: { error: { message: ENDED[2] } } });
  }
  const readRemaining = async (response: Promise<Pick<EndpointResponse, 'headers'>>) =>
    (await response).headers['X-RateLimit-Remaining'];
  const legacy = createLegacyCaller(portal.invoke, account);
  expect(await readRemaining(getInvoice(await logInForToken()))).toBe(`${LIMITS.reads - 1}`);
  expect(await readRemaining(legacy('WSObtenerFactura', { IdFactura: '4711' }))).toBe(`${LIMITS.reads - 2}`);
});

it.each(['delay-response', 'delay-request'] as const)(
  'a login with the old password during the change gets a token that is rejected afterwards (%s)',
  async (how) => {
    proves('codes/UNAUTHORIZED/token');
    const readOfUser = { operation: 'BatchGetItem', mentioning: 'USER#', table: 'Directory', times: 1 } as const;
    portal.proxy.injectFault({ how, ...readOfUser, wait: () => setPassword() });
    const token = await logInForToken();
    expect(portal.proxy.hits.get(how)).toBe(1);
    expect(await readErrorWith(token)).toEqual(ENDED);
  },
);

it('a token of a login with the old password is rejected if the write of the new password takes 2 seconds', async () => {
  proves('codes/UNAUTHORIZED/token');
  let lateToken: string | undefined;
  portal.proxy.injectFault({
    how: 'delay-request',
    operation: 'TransactWriteItems',
    times: 1,
    async wait() {
      vi.setSystemTime(NOW.getTime() + 2_000);
      lateToken = await logInForToken();
    },
  });
  expect((await setPassword(portal.proxy.engine.endpoint)).code).toBe(0);
  expect(await readErrorWith(lateToken ?? '')).toEqual(ENDED);
  expect((await login()).status).toBe(401);
  expect(await readErrorWith(await logInForToken(NEW_PASSWORD))).toEqual(PASSED);
});
