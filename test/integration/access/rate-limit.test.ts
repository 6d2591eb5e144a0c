import { expect, it } from 'vitest';
import { LIMITS } from '../../../lib/domain/limits.ts';
import { measureCalls } from '../../support/engine/engine-proxy.ts';
import type { EndpointResponse } from '../../support/answers/answer.ts';
import type { Invoke } from '../../support/service/handlers.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { changeRecord, seedAccount } from '../../support/data/seed.ts';
import { useDate } from '../../support/setup/use-date.ts';
import { proves } from '../../rules/proves.ts';

const START = Date.parse('2026-05-01T10:00:00.000Z');
const path = '/apidev/v1/supplier-portal/invoices/4711';
const declaration = { invoice_id: '4711', amount: 1 };

const portal = useWatchedPortal();
useDate(START);

const read = (call: Invoke) => call('get-invoice', { path });
const write = (call: Invoke) => call('declare-invoice', { body: declaration });
const repeat = <Result>(count: number, work: () => Promise<Result>) => Promise.all(Array.from({ length: count }, work));
const filterThrottled = (responses: readonly EndpointResponse[]) => responses.filter(({ status }) => status === 429);

it('the rate limit is per tenant and user: a second key shares it, and another user or tenant has its own limit', async () => {
  proves('auth/rule-8', 'limits/per-user', 'limits/write');
  const { account, call } = await portal.newCaller();
  const { tenant, userId } = account.reference;
  const { apiKey } = await seedAccount(portal.engine, { tenant: { tenant } });
  expect(filterThrottled(await repeat(11, () => write(call)))).toHaveLength(1);
  const withOtherKey = await call('declare-invoice', { headers: { 'x-api-key': apiKey }, body: declaration });
  expect(withOtherKey.status).toBe(429);
  for (const overrides of [{ tenant: { tenant } }, { user: { user_id: userId } }]) {
    const other = await portal.newCaller(overrides);
    expect((await write(other.call)).status).toBe(404);
  }
});

it('the rate limit accepts exactly 30 of 60 valid reads among 60 with random API keys, which all get 401', async () => {
  proves('limits/read', 'limits/sliding-window');
  const { account, call } = await portal.newCaller();
  const readWith = (apiKey: string) => call('get-invoice', { path, headers: { 'x-api-key': apiKey } });
  const readWithBoth = () => Promise.all([readWith(crypto.randomUUID()), readWith(account.apiKey)]);
  const pairs = await repeat(60, readWithBoth);
  const withRandomKeys = pairs.map(([{ status }]) => status);
  const withValidKey = pairs.map(([, { status }]) => status);
  // On a busy machine, requests can reach their deadline, and get 503.
  const listAnswered = (statuses: readonly number[]) => new Set(statuses.filter((status) => status !== 503));
  expect(listAnswered(withRandomKeys)).toEqual(new Set([401]));
  expect(listAnswered(withValidKey)).toEqual(new Set([404, 429]));
  expect(withValidKey.filter((status) => status === 404)).toHaveLength(30);
});

it('requests with API keys that are not valid do not count, before and after the process has seen the valid key', async () => {
  const { account, call } = await portal.newCaller();
  const stranger = await seedAccount(portal.engine);
  const readWith = (apiKey: string) => call('get-invoice', { path, headers: { 'x-api-key': apiKey } });
  for (const remaining of [29, 28]) {
    for (const apiKey of [stranger.apiKey, ...Array.from({ length: 39 }, () => crypto.randomUUID())]) {
      const { status, headers } = await readWith(apiKey);
      expect([status, headers['X-RateLimit-Remaining']]).toEqual([401, '30']);
    }
    expect((await readWith(account.apiKey)).headers['X-RateLimit-Remaining']).toBe(`${remaining}`);
  }
});

it('a process counts one request with a key that was revoked, and counts again after the key is activated', async () => {
  const { account, call } = await portal.newCaller();
  const readRemaining = async () => (await read(call)).headers['X-RateLimit-Remaining'];
  expect(await readRemaining()).toBe('29');
  await changeRecord(portal.engine, account.keys.apiKey, { status: 'INACTIVE' });
  expect([await readRemaining(), await readRemaining()]).toEqual(['28', '30']);
  await changeRecord(portal.engine, account.keys.apiKey, { status: 'ACTIVE' });
  expect(await readRemaining()).toBe('27');
});

it('the first request of a process with an API key needs two round trips, and the next one', async () => {
  const other = await portal.newCaller();
  await read(other.call);
  const { call } = await portal.newCaller();
  const countRoundTrips = async () => (await measureCalls(portal.proxy, () => read(call))).serialRoundTrips;
  expect([await countRoundTrips(), await countRoundTrips()]).toEqual([2, 1]);
});

it.each([undefined, ' ', 'unknown', '0'.repeat(36), '0b1f7a3e-6c1d-4e0a-9c38-0f6b7d3b9a11, x'])(
  'a request with the API key %o is rejected without a call to a table, and does not use the rate limit',
  async (apiKey) => {
    proves('limits/per-user');
    const { call } = await portal.newCaller();
    const rejected = await measureCalls(portal.proxy, async () => {
      const response = await call('get-invoice', { path, headers: { 'x-api-key': apiKey } });
      expect(response).toMatchObject({
        status: 401,
        body: { error: { message: 'The API key is missing or not valid.' } },
      });
      expect(response.headers).toMatchObject({
        'X-RateLimit-Limit': `${LIMITS.reads}`,
        'X-RateLimit-Remaining': `${LIMITS.reads}`,
      });
    });
    expect(rejected).toEqual({ serialRoundTrips: 0, units: {} });
    expect((await read(call)).headers['X-RateLimit-Remaining']).toBe(`${LIMITS.reads - 1}`);
  },
);
