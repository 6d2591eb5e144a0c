import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LIMITS } from '../../../lib/domain/limits.ts';
import type { EndpointResponse } from '../../support/answers/answer.ts';
import { createLegacyCaller } from '../../support/legacy/legacy.ts';
import { buildHeaders } from '../../support/service/handlers.ts';
import { useDate } from '../../support/setup/use-date.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { runCli } from '../../support/ops/run-ops.ts';
import { type Account, newId, readRecord, seedAccount } from '../../support/data/seed.ts';

const path = '/apidev/v1/supplier-portal/invoices/4711';
const NEW_PASSWORD = 'another Passphrase';

const NOW = new Date('2026-05-01T10:00:00.400Z');

const portal = useWatchedPortal();
useDate(NOW);
let account: Account;
beforeEach(async () => {
  account = await seedAccount(portal.engine);
});

/** Runs a command about the account's user, on the engine unless another address is named. */
async function ops(command: string, { input = '', endpoint = portal.engine.endpoint } = {}) {
  const { tenant, userId } = account.reference;
  return runCli([command, tenant, userId, '--local'], { env: { AWS_ENDPOINT_URL_DYNAMODB: endpoint }, input });
}
const setPassword = (endpoint = portal.engine.endpoint) =>
  ops('set-password', { input: `${NEW_PASSWORD}\n`, endpoint });

async function login(password = account.password): Promise<EndpointResponse> {
  const body = { email: account.email, password };
  return portal.invoke('login', { headers: { tenant: account.scope.tenant }, body, sourceIp: newId() });
}
const tokenOf = async (password?: string) => (await login(password)).body.data.authorization as string;

const read = (token: string) => portal.invoke('get-invoice', { path, headers: buildHeaders(account, token) });

async function use(token: string): Promise<unknown[]> {
  const { status, body } = await read(token);
  return [status, body.error?.code, body.error?.message];
}
// The invoice that is asked for does not exist: NOT_FOUND says that every check was passed.
const PASSED = [404, 'NOT_FOUND', 'The invoice was not found.'];
const ENDED = [401, 'UNAUTHORIZED', 'The session has ended. Log in again.'];

describe('a session ends from the next request on', () => {
  it('when the password changes; a login with the new one, in the same second too, begins another [codes/UNAUTHORIZED/token]', async () => {
    const token = await tokenOf();
    expect(await use(token)).toEqual(PASSED);
    await setPassword();
    expect(await use(await tokenOf(NEW_PASSWORD))).toEqual(PASSED);
    expect(await use(token)).toEqual(ENDED);
  });

  it('when an operator ends it, every time; password, user and legacy calls, which have none, stay as they are [codes/UNAUTHORIZED/token]', async () => {
    const stored = async () => [
      await readRecord(portal.engine, account.keys.user),
      await readRecord(portal.engine, account.keys.account),
    ];
    const before = await stored();
    for (let time = 0; time < 2; time++) {
      const token = await tokenOf();
      expect(await use(token)).toEqual(PASSED);
      await ops('end-sessions');
      expect(await use(token)).toEqual(ENDED);
    }
    const legacy = await createLegacyCaller(portal.invoke, account)('WSObtenerFactura', { IdFactura: '4711' });
    expect(legacy.body.Resultado.Codigo).toBe('NOT_FOUND');
    expect(await stored()).toMatchObject(before);
  });
});

it('requests with a revoked token leave the limit of the open session unused; it is shared by both routes [limits/per-user]', async () => {
  const revoked = await tokenOf();
  await ops('end-sessions');
  for (const answer of await Promise.all(Array.from({ length: LIMITS.reads }, () => read(revoked)))) {
    expect(answer).toMatchObject({ status: 401, body: { error: { message: ENDED[2] } } });
  }
  const remaining = async (answer: Promise<Pick<EndpointResponse, 'headers'>>) =>
    (await answer).headers['X-RateLimit-Remaining'];
  const legacy = createLegacyCaller(portal.invoke, account);
  expect(await remaining(read(await tokenOf()))).toBe(`${LIMITS.reads - 1}`);
  expect(await remaining(legacy('WSObtenerFactura', { IdFactura: '4711' }))).toBe(`${LIMITS.reads - 2}`);
});

describe('a login under way while its sessions end', () => {
  it.each(['delay-response', 'delay-request'] as const)(
    'with the old password gets a token that is refused afterwards (%s) [codes/UNAUTHORIZED/token]',
    async (how) => {
      const of = { operation: 'BatchGetItem', mentioning: 'USER#', table: 'Directory', times: 1 } as const;
      portal.proxy.injectFault({ how, ...of, wait: () => setPassword() });
      const token = await tokenOf();
      expect(portal.proxy.hits.get(how)).toBe(1);
      expect(await use(token)).toEqual(ENDED);
    },
  );

  it('with the old password is refused, too, when the write of the new one takes longer than its second [codes/UNAUTHORIZED/token]', async () => {
    let late: string | undefined;
    portal.proxy.injectFault({
      how: 'delay-request',
      operation: 'TransactWriteItems',
      times: 1,
      async wait() {
        vi.setSystemTime(NOW.getTime() + 2_000);
        late = await tokenOf();
      },
    });
    expect((await setPassword(portal.proxy.engine.endpoint)).code).toBe(0);
    expect(await use(late ?? '')).toEqual(ENDED);
    expect((await login()).status).toBe(401);
    expect(await use(await tokenOf(NEW_PASSWORD))).toEqual(PASSED);
  });
});
