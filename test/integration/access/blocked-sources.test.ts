import { beforeEach, describe, expect, it, vi } from 'vitest';
import { requireActiveUser } from '../../../lib/auth/access-rules.ts';
import { createAccountGuard } from '../../../lib/rate-limit/account-guard.ts';
import { createLoginGuard, LoginBlocked } from '../../../lib/rate-limit/login-guard.ts';
import { ACCOUNT_POLICY, LOGIN_POLICY } from '../../../lib/rate-limit/policies.ts';
import { createAccountTable } from '../../../lib/storage/access/account-table.ts';
import { createDirectoryTable } from '../../../lib/storage/directory/directory-table.ts';
import { createLoginGuardTable } from '../../../lib/storage/access/login-guard-table.ts';
import { login } from '../../../lib/endpoints/login.ts';
import type { Answer } from '../../support/answers/answer.ts';
import { aRequest } from '../../support/service/request-state.ts';
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

const at = (seconds: number) => vi.setSystemTime(START + Math.round(seconds * 1000));

function attempt(password: string, from = sourceIp): Promise<Answer> {
  const headers = { tenant: account.scope.tenant, 'x-forwarded-for': newId() };
  return portal.invoke('login', { headers, body: { email: account.email, password }, sourceIp: from });
}
const wrong = () => attempt('wrong');
const right = () => attempt(account.password);

async function fail(times: number): Promise<void> {
  for (let time = 0; time < times; time++) expect((await wrong()).status).toBe(401);
}

const inParallel = <Result>(times: number, work: () => Promise<Result>) =>
  Promise.all(Array.from({ length: times }, work));

/** The login over its ports, with a password check that refuses and remembers the hash that it was given. */
function directLogin() {
  const { client, tables } = portal.engine;
  const clock = { now: () => new Date() };
  const checked: (string | null)[] = [];
  const ports = {
    directory: createDirectoryTable(client, tables.Directory),
    guards: {
      ...createLoginGuard(createLoginGuardTable(client, tables.RateCounters, LOGIN_POLICY, 'LOGIN'), clock),
      admitToAccount: createAccountGuard(createAccountTable(client, tables.Directory, ACCOUNT_POLICY), clock),
    },
    isOwnKey: () => false,
    requireActiveUser,
    signToken: async () => 'token',
    verifyPassword: async (_password: string, hash: string | null) => {
      checked.push(hash);
      return false;
    },
  };
  const { tenant } = account.scope;
  const guess = (email: string) =>
    login(ports)(aRequest({ tenant, apiKeyHash: null, input: { email, password: 'wrong' }, sourceIp }));
  return { checked, guess };
}

describe('the login guard', () => {
  it('never tells more than 5 of 50 parallel guesses that they are wrong, and checks none once the source is blocked [auth/rule-6/every-attempt] [limits/login]', async () => {
    const { guess, checked } = directLogin();
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => guess(account.email)));
    const blocked = results.filter((result) => result.status === 'rejected' && result.reason instanceof LoginBlocked);
    expect(blocked).toHaveLength(45);
    const checkedSoFar = checked.length;
    await expect(guess(account.email)).rejects.toThrow(LoginBlocked);
    expect(checked).toHaveLength(checkedSoFar);
  });

  it('counts a failure once when its answer was lost and the write is repeated [limits/login]', async () => {
    portal.proxy.fail({ how: 'lose-answer', operation: 'UpdateItem', table: 'RateCounters', times: 1 });
    const { status, headers } = await wrong();
    expect([status, headers['X-RateLimit-Remaining']]).toEqual([401, '4']);
  });

  it('counts a guess at an unknown user like any other, and has its password checked against nothing', async () => {
    const { guess, checked } = directLogin();
    for (const email of ['nobody@supplier.example', account.email]) {
      await expect(guess(email)).rejects.toMatchObject({ code: 'UNAUTHORIZED', message: 'Invalid email or password.' });
    }
    expect(checked).toEqual([null, expect.stringMatching(/^\$argon2id\$/)]);
    await fail(3);
    expect((await right()).status).toBe(429);
  });

  it('refuses 45 of 50 parallel wrong guesses with 429 RATE_LIMITED, which carries only Retry-After [auth/rule-6/headers] [rate-headers/login] [limits/login]', async () => {
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

  it('lets 40 parallel right logins from one source all succeed, with at most 7 calls each', async () => {
    const answers = await inParallel(40, right);
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
    // The failures and the login name; the access snapshot and the account; the decision and the signing key. That the
    // source is known, is written by those that began before another had written it.
    expect(portal.proxy.calls.length).toBeGreaterThan(40 * 6);
    expect(portal.proxy.calls.length).toBeLessThanOrEqual(40 * 7);
  });

  it('blocks for 60 s, every attempt: refused at 59.9 s, allowed at 60 s [auth/rule-6/block] [auth/rule-6/every-attempt] [limits/login]', async () => {
    await fail(5);
    expect([(await right()).status, (await wrong()).status]).toEqual([429, 429]);
    at(59.9);
    const last = await right();
    expect([last.status, last.headers['Retry-After']]).toEqual([429, '1']);
    at(60);
    expect((await right()).status).toBe(200);
    await fail(5);
    expect((await right()).status).toBe(429);
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
    at(60);
    for (let time = 0; time < 3; time++) {
      expect((await sendAll()).map(({ headers }) => headers['X-RateLimit-Remaining'])).toEqual(['5', '5']);
    }
    expect((await right()).status).toBe(200);
  });

  it('tells the failures that are left and when the oldest one is forgotten; a success does not erase them [rate-headers/X-RateLimit-Remaining] [rate-headers/X-RateLimit-Reset]', async () => {
    const status = ({ headers }: Answer) =>
      ['Limit', 'Remaining', 'Reset'].map((name) => Number(headers[`X-RateLimit-${name}`]));
    const reset = START / 1000 + 30;
    expect(status(await wrong())).toEqual([5, 4, reset]);
    at(10);
    expect(status(await wrong())).toEqual([5, 3, reset]);
    expect(status(await right())).toEqual([5, 3, reset]);
    expect(status(await wrong())).toEqual([5, 2, reset]);
    expect(status(await wrong())).toEqual([5, 1, reset]);
    expect(status(await right())).toEqual([5, 1, reset]);
    expect(status(await wrong())).toEqual([5, 0, reset]);
    expect((await right()).status).toBe(429);
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
