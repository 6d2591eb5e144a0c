import { beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../../support/answers/answer.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { type Account, newId, seedAccount } from '../../support/data/seed.ts';
import { useDate } from '../../support/setup/use-date.ts';

const START = Date.parse('2026-05-01T10:00:00.000Z');

const portal = useWatchedPortal();
let account: Account;
let sourceIp: string;
useDate(START);
beforeEach(async () => {
  account = await seedAccount(portal.engine);
  sourceIp = newId();
});

function attempt(password: string, from = sourceIp): Promise<Answer> {
  const headers = { tenant: account.scope.tenant, 'x-forwarded-for': newId() };
  return portal.invoke('login', { headers, body: { email: account.email, password }, sourceIp: from });
}
const wrong = () => attempt('wrong');

async function fail(times: number): Promise<void> {
  for (let time = 0; time < times; time++) expect((await wrong()).status).toBe(401);
}

const inParallel = <Result>(times: number, work: () => Promise<Result>) =>
  Promise.all(Array.from({ length: times }, work));

describe('the login guard', () => {
  it('counts a failure once when its answer was lost and the write is repeated [limits/login]', async () => {
    portal.proxy.fail({ how: 'lose-answer', operation: 'UpdateItem', table: 'RateCounters', times: 1 });
    const { status, headers } = await wrong();
    expect([status, headers['X-RateLimit-Remaining']]).toEqual([401, '4']);
  });

  it('refuses 45 of 50 parallel wrong guesses with 429 RATE_LIMITED, which carries only Retry-After [auth/rule-6/headers] [auth/rule-6/every-attempt] [rate-headers/login] [limits/login]', async () => {
    const answers = await inParallel(50, wrong);
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(refused).toHaveLength(45);
    for (const { headers, body } of refused) {
      expect(body.error?.code).toBe('RATE_LIMITED');
      expect(Object.keys(headers).filter((name) => /^x-ratelimit/i.test(name))).toEqual([]);
      expect(headers['Retry-After']).toBe('60');
    }
  });

  it('refuses malformed attempts too, which cost one look and are no failures [auth/rule-6/every-attempt] [auth/rule-6/headers] [rate-headers/login]', async () => {
    const malformed = [
      () => portal.invoke('login', { body: { email: account.email, password: account.password }, sourceIp }),
      () => portal.invoke('login', { headers: { tenant: account.scope.tenant }, body: '{', sourceIp }),
    ];
    const sendAll = () => Promise.all(malformed.map((send) => send()));
    await fail(3);
    const told = await sendAll();
    expect(told.map(({ status, headers }) => [status, headers['X-RateLimit-Remaining']])).toEqual([
      [401, '2'],
      [400, '2'],
    ]);
    await fail(2);
    portal.proxy.reset();
    for (const { status, headers } of await sendAll()) {
      expect([status, headers['Retry-After'], headers['X-RateLimit-Limit']]).toEqual([429, '60', undefined]);
    }
    expect(portal.proxy.calls.map(({ operation }) => operation)).toEqual(['GetItem', 'GetItem']);
  });

  it("holds per source address as the gateway saw it, whichever user is tried and whatever a client's header says [auth/rule-6/block]", async () => {
    await fail(5);
    expect((await attempt(account.password, newId())).status).toBe(200);
    const other = await seedAccount(portal.engine);
    const headers = { tenant: other.scope.tenant, 'x-forwarded-for': '203.0.113.9' };
    const body = { email: other.email, password: other.password };
    expect((await portal.invoke('login', { headers, body, sourceIp })).status).toBe(429);
  });
});
