import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { costOf } from '../../support/engine/engine-proxy.ts';
import type { Answer } from '../../support/answers/answer.ts';
import { headersOf, type Invoke } from '../../support/service/handlers.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { type Account, seedAccount } from '../../support/data/seed.ts';
import { tokenFor } from '../../support/service/tokens.ts';
import { useDate } from '../../support/setup/use-date.ts';

const START = Date.parse('2026-05-01T10:00:00.000Z');
const path = '/apidev/v1/supplier-portal/invoices/4711';

const portal = useWatchedPortal();
useDate(START);

const read = (call: Invoke) => call('get-invoice', { path });
const write = (call: Invoke) => call('declare-invoice', { body: { invoice_id: '4711', amount: 1 } });
const refused = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 429);

async function repeat(times: number, request: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let time = 0; time < times; time++) answers.push(await request());
  return answers;
}

describe('the rate limit', () => {
  it('lets exactly 30 of 40 parallel reads and exactly 10 of 40 parallel writes pass [limits/read] [limits/write] [limits/sliding-window]', async () => {
    const { call } = await portal.newCaller();
    const reads = await Promise.all(Array.from({ length: 40 }, () => read(call)));
    const writes = await Promise.all(Array.from({ length: 40 }, () => write(call)));
    expect(refused(reads)).toHaveLength(10);
    expect(refused(writes)).toHaveLength(30);
  });

  it('holds per tenant and user: a second key does not multiply it, another user and tenant have their own [auth/rule-8] [limits/per-user]', async () => {
    const { account, call } = await portal.newCaller();
    const { tenant, userId } = account.reference;
    const { apiKey } = await seedAccount(portal.engine, { tenant: { tenant } });
    expect(refused(await repeat(11, () => write(call)))).toHaveLength(1);

    const token = await tokenFor(account.reference, portal.signingKey, new Date(START));
    const otherKey = await portal.invoke('declare-invoice', {
      headers: { ...headersOf(account, token), 'x-api-key': apiKey },
      body: { invoice_id: '4711', amount: 1 },
    });
    expect(otherKey.status).toBe(429);
    const colleague = await portal.newCaller({ tenant: { tenant } });
    expect((await write(colleague.call)).status).toBe(404);
    const namesake = await portal.newCaller({ user: { user_id: userId } });
    expect((await write(namesake.call)).status).toBe(404);
  });

  it('costs one write unit in one call beside the access check; a refused request consumes nothing further', async () => {
    const { account, call } = await portal.newCaller();
    await write(call);
    const accepted = await costOf(portal.proxy, () => write(call));
    expect(accepted.units).toMatchObject({ RateCounters: { read: 0, write: 1 } });
    expect(portal.proxy.calls.filter(({ tables }) => tables.includes('RateCounters'))).toHaveLength(1);

    await repeat(8, () => write(call));
    expect((await write(call)).status).toBe(429);
    const register = await registerOf(account);
    const refusal = await costOf(portal.proxy, () => write(call));
    expect(refusal).toEqual({ serialRoundTrips: 1, units: { Directory: { read: 5, write: 0 } } });
    expect(await registerOf(account)).toEqual(register);
  });
});

async function registerOf({ reference: { tenant, userId } }: Account): Promise<unknown> {
  const { client, tables } = portal.engine;
  const pk = `${tenant}#${userId}#supplier-portal-write#10`;
  const { Item } = await client.send(
    new GetCommand({ TableName: tables.RateCounters, Key: { pk }, ConsistentRead: true }),
  );
  expect(Item).toBeDefined();
  return Item;
}
