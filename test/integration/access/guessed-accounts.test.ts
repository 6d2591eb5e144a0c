import { beforeEach, describe, expect, it, vi } from 'vitest';
import { directoryKeys } from '../../../lib/storage/items/keys.ts';
import type { Answer } from '../../support/answers/answer.ts';
import { type Account, changeRecord, newId, readRecord, seedAccount } from '../../support/data/seed.ts';
import { costOf } from '../../support/engine/engine-proxy.ts';
import { legacyCallsOf } from '../../support/legacy/legacy.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { useDate } from '../../support/setup/use-date.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

const START = Date.parse('2026-05-01T10:00:00.000Z');
const DAY_S = 86_400;

const portal = useWatchedPortal();
let account: Account;
useDate(START);
beforeEach(async () => {
  account = await seedAccount(portal.engine, { user: { username: 'integración' } });
});

const at = (seconds: number) => vi.setSystemTime(START + seconds * 1000);

interface Attempt {
  readonly password?: string | undefined;
  readonly email?: string | undefined;
  readonly sourceIp?: string | undefined;
  readonly apiKey?: string | undefined;
}

/** Logs in, from an address of its own unless one is named, so that no source is blocked. */
function attempt({ password = account.password, email = account.email, sourceIp = newId(), apiKey }: Attempt = {}) {
  const headers = { tenant: account.scope.tenant, 'x-api-key': apiKey };
  return portal.invoke('login', { headers, body: { email, password }, sourceIp });
}

function legacyAttempt({ password = account.password, email = account.email, sourceIp = newId() }: Attempt = {}) {
  const authorization = { Usuario: email, Password: password };
  return legacyCallsOf(portal.invoke, account, sourceIp)('WSObtenerFactura', { IdFactura: '1' }, { authorization });
}

const statusOf = async (made: Promise<{ readonly status: number }>) => (await made).status;
const wrong = (of: Attempt = {}) => statusOf(attempt({ password: 'wrong', ...of }));
const times = <Result>(count: number, work: () => Promise<Result>) => Promise.all(Array.from({ length: count }, work));
const waitOf = ({ headers }: Answer) => headers['Retry-After'];

/** Uses up failures of the account, all but some. */
async function spend(left = 0): Promise<void> {
  const places = Array.from({ length: 20 - left }, (_, place) => `h${String(place + left).padStart(2, '0')}`);
  await changeRecord(portal.engine, account.keys.account, Object.fromEntries(places.map((name) => [name, START])));
}

describe('the guard of accounts', () => {
  it('tells exactly 20 of 30 guesses at once that they are wrong, then refuses with 429 and only Retry-After, and after the pause tells exactly one', async () => {
    const guesses = await times(30, wrong);
    expect(guesses.filter((status) => status === 401)).toHaveLength(20);
    at(10);
    const refused = await attempt();
    expect(refused.body.error).toMatchObject({ code: 'RATE_LIMITED' });
    expect(Object.keys(refused.headers).filter((name) => /^x-ratelimit/i.test(name))).toEqual([]);
    expect(waitOf(refused)).toBe('50');
    at(60);
    expect((await times(5, wrong)).filter((status) => status === 401)).toHaveLength(1);
  });

  it('counts a failure once when its answer was lost and the write is repeated', async () => {
    await spend(2);
    portal.proxy.fail({ how: 'lose-answer', operation: 'UpdateItem', table: 'Directory', times: 1 });
    expect([await wrong(), await wrong(), await wrong()]).toEqual([401, 401, 429]);
    expect(portal.proxy.hits.get('lose-answer')).toBe(1);
  });

  it('forgets the failures at an account that does not exist, but never a password', async () => {
    expect([await wrong(), await wrong({ email: 'Nobody@supplier.example' })]).toEqual([401, 401]);
    const nobody = directoryKeys.nobody(account.scope.tenant, 'nobody@supplier.example');
    expect(Number((await readRecord(portal.engine, nobody))['ttl'])).toBe(START / 1000 + DAY_S);
    const stored = await readRecord(portal.engine, account.keys.account);
    expect(Object.keys(stored)).toEqual(expect.arrayContaining(['h19', 'password_hash']));
    expect(stored).not.toHaveProperty('ttl');
  });

  it('blocks a source that goes on asking for an account whose failures are used up, and then writes nothing', async () => {
    await spend();
    const poller = newId();
    const waits = [];
    for (let poll = 0; poll < 5; poll++) waits.push(waitOf(await attempt({ sourceIp: poller })));
    expect(waits).toEqual(Array(5).fill('60'));
    at(30);
    let blocked: string | undefined;
    const { serialRoundTrips, units } = await costOf(portal.proxy, async () => {
      blocked = waitOf(await attempt({ sourceIp: poller }));
    });
    expect([blocked, serialRoundTrips]).toEqual(['30', 1]);
    expect(units).toMatchObject({ Directory: { write: 0 }, RateCounters: { write: 0 } });
    // Another account is asked for in vain, too, from there.
    const other = await seedAccount(portal.engine, { tenant: { tenant: account.scope.tenant } });
    expect(await statusOf(attempt({ ...other, sourceIp: poller }))).toBe(429);
  });

  it('needs no more serial round trips for a key: 3 with the right password, 4 with a wrong one; 3 when the failures are used up', async () => {
    const key = { apiKey: account.apiKey };
    const trips = async (of: Attempt) => (await costOf(portal.proxy, () => attempt(of))).serialRoundTrips;
    await attempt(key);
    expect([await trips(key), await trips({ ...key, password: 'wrong' })]).toEqual([3, 4]);
    await spend();
    expect(await trips({})).toBe(3);
  });

  it('takes the key of another company for none: same answers, same round trips', async () => {
    const { apiKey } = await seedAccount(portal.engine, { tenant: { tenant: account.scope.tenant } });
    const seen = async (of: Attempt) => {
      const answers: unknown[] = [];
      const { serialRoundTrips } = await costOf(portal.proxy, async () => {
        const { status, headers, body } = await attempt(of);
        answers.push(status, { ...headers, 'X-Request-Id': '' }, body.error);
      });
      return [...answers, serialRoundTrips];
    };
    for (const left of [20, 0]) {
      await spend(left);
      for (const password of [account.password, 'wrong'])
        expect(await seen({ password, apiKey })).toEqual(await seen({ password }));
    }
    expect(await statusOf(attempt({ apiKey }))).toBe(429);
  });
});

describe('an account whose failures are used up', () => {
  it('lets its owner in with the key at once, without it from a known address, after unlock-user, or after a pause', async () => {
    const home = newId();
    expect(await statusOf(attempt({ sourceIp: home }))).toBe(200);
    await spend();
    expect(await statusOf(attempt({ apiKey: account.apiKey }))).toBe(200);
    expect((await legacyAttempt()).body.Resultado.Codigo).toBe('NOT_FOUND');
    expect([await statusOf(attempt()), await statusOf(attempt({ sourceIp: home }))]).toEqual([429, 200]);
    at(60);
    expect([await statusOf(attempt()), await wrong(), await statusOf(attempt())]).toEqual([200, 401, 429]);
    const { tenant, userId } = account.reference;
    expect((await runOps(portal.engine.endpoint, 'unlock-user', tenant, userId)).code).toBe(0);
    expect(await statusOf(attempt())).toBe(200);
  });
});

describe('a source from which an account has logged in', () => {
  const sourcesOf = async () => {
    const stored = await readRecord(portal.engine, account.keys.account);
    return Object.keys(stored).filter((name) => name.startsWith('source_'));
  };

  it('is known on both routes by a legacy call, and its address does not stand in the record', async () => {
    const sourceIp = '203.0.113.7';
    const look = async () => (await legacyAttempt({ sourceIp })).body.Resultado.Codigo;
    expect(await look()).toBe('NOT_FOUND');
    expect(JSON.stringify(await readRecord(portal.engine, account.keys.account))).not.toMatch(/203\.0\.113/);
    await spend();
    expect([await statusOf(attempt({ sourceIp })), await look()]).toEqual([200, 'NOT_FOUND']);
  });

  it('is one of the 10 latest, and all are noted that log in at once', async () => {
    const sources = Array.from({ length: 11 }, newId);
    await attempt({ sourceIp: sources[0] });
    at(1);
    await Promise.all(sources.slice(1, 6).map((sourceIp) => attempt({ sourceIp })));
    expect(await sourcesOf()).toHaveLength(6);
    for (const [second, sourceIp] of sources.slice(6).entries()) {
      at(2 + second);
      await attempt({ sourceIp });
    }
    expect(await sourcesOf()).toHaveLength(10);
    await spend();
    expect(await statusOf(attempt({ sourceIp: sources[0] }))).toBe(429);
    expect(await statusOf(attempt({ sourceIp: sources[1] }))).toBe(200);
  });
});

describe('guesses by a name', () => {
  const routes = { login: attempt, 'login with the key': attempt, 'legacy call': legacyAttempt };
  type Route = keyof typeof routes;

  /** What a guess by a name is answered on each route once 20 by it are used up on one, without the ids of requests. */
  async function answersAfter(spent: Route, email: string): Promise<Record<Route, string>> {
    const guess = async (route: Route, by = email) => {
      const apiKey = route === 'login with the key' ? account.apiKey : undefined;
      const { status, headers, body } = await routes[route]({ email: by, password: 'wrong', apiKey });
      return JSON.stringify([status, { ...headers, 'X-Request-Id': '' }, body]);
    };
    const names = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? email : email.toUpperCase()));
    const guesses = await Promise.all(names.map((name) => guess(spent, name)));
    expect(guesses.filter((answer) => answer.includes('UNAUTHORIZED'))).toHaveLength(20);
    return {
      login: await guess('login'),
      'login with the key': await guess('login with the key'),
      'legacy call': await guess('legacy call'),
    };
  }

  it.each<[Route, refused: Route[]]>([
    ['login', ['login']],
    // Those with a key share a budget on both routes, and those without one have another.
    ['legacy call', ['login with the key', 'legacy call']],
  ])('after 20 by %s are answered on every route alike, whoever has the name, or nobody', async (route, refused) => {
    const unknown = await answersAfter(route, 'nobody at all');
    const names = Object.keys(unknown) as Route[];
    expect(names.filter((name) => unknown[name].includes('RATE_LIMITED'))).toEqual(refused);
    expect(await answersAfter(route, 'integración'.normalize('NFD'))).toEqual(unknown);
    // Which kind of name it is, is found out in the same way on every route.
    if (route === 'login') expect(await answersAfter(route, account.email)).toEqual(unknown);
  });
});
