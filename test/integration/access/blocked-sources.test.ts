import { beforeEach, expect, it } from 'vitest';
import type { EndpointResponse } from '../../support/answers/answer.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { type Account, newId, seedAccount } from '../../support/data/seed.ts';
import { useDate } from '../../support/setup/use-date.ts';
import { proves } from '../../rules/proves.ts';

const START = Date.parse('2026-05-01T10:00:00.000Z');

const portal = useWatchedPortal();
let account: Account;
let sourceIp: string;
useDate(START);
beforeEach(async () => {
  account = await seedAccount(portal.engine);
  sourceIp = newId();
});

function attemptLogin(password: string, from = sourceIp): Promise<EndpointResponse> {
  const headers = { tenant: account.scope.tenant, 'x-forwarded-for': newId() };
  return portal.invoke('login', { headers, body: { email: account.email, password }, sourceIp: from });
}
const attemptWrongLogin = () => attemptLogin('wrong');

async function failLogins(times: number): Promise<void> {
  for (let time = 0; time < times; time++) expect((await attemptWrongLogin()).status).toBe(401);
}

it('a failed login is counted once if the response of the write is lost and the write is retried', async () => {
  proves('limits/login');
  portal.proxy.injectFault({ how: 'lose-response', operation: 'UpdateItem', table: 'RateCounters', times: 1 });
  const { status, headers } = await attemptWrongLogin();
  expect([status, headers['X-RateLimit-Remaining']]).toEqual([401, '4']);
});

it('a lockout applies to the source address reported by the gateway, for every user and whatever headers the client sends', async () => {
  proves('auth/rule-6/block');
  await failLogins(5);
  expect((await attemptLogin(account.password, newId())).status).toBe(200);
  const other = await seedAccount(portal.engine);
  const headers = { tenant: other.scope.tenant, 'x-forwarded-for': '203.0.113.9' };
  const body = { email: other.email, password: other.password };
  expect((await portal.invoke('login', { headers, body, sourceIp })).status).toBe(429);
});
