import { beforeEach, expect, it, vi } from 'vitest';
import { directoryKeys } from '../../../lib/tables/keys.ts';
import { ACCOUNT_POLICY } from '../../../lib/domain/policies.ts';
import { type Account, changeRecord, newId, readRecord, seedAccount } from '../../support/data/seed.ts';
import { measureCalls } from '../../support/engine/engine-proxy.ts';
import { createLegacyCaller } from '../../support/legacy/legacy.ts';
import { useDate } from '../../support/setup/use-date.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { proves } from '../../rules/proves.ts';

// Two hours of the current window are left.
const START = Date.parse('2026-05-01T10:00:00.000Z');
const WINDOW = START / ACCOUNT_POLICY.windowMs;
const FAILURES = `failures_${Math.floor(WINDOW)}`;
const SOURCES = `s_${Math.floor(START / ACCOUNT_POLICY.periodMs)}`;
const USERNAME = 'integración';

const portal = useWatchedPortal();
let account: Account;
useDate(START);
beforeEach(async () => {
  account = await seedAccount(portal.engine, { user: { username: USERNAME } });
});

const setTime = (seconds: number) => vi.setSystemTime(START + seconds * 1000);

interface Attempt {
  readonly password?: string;
  readonly name?: string;
  readonly sourceIp?: string;
}

/** Sends a login attempt by each route. By default, each attempt comes from another address. */
const routes = {
  login: (login: Attempt) => sendLogin(login),
  'login with the key': (login: Attempt) => sendLogin(login, { 'x-api-key': account.apiKey }),
  'legacy call': ({ password = account.password, name = account.email, sourceIp = newId() }: Attempt) =>
    createLegacyCaller(portal.invoke, account, sourceIp)(
      'WSObtenerFactura',
      { IdFactura: '1' },
      { authorization: { Usuario: name, Password: password } },
    ),
};
type Route = keyof typeof routes;
const everyRoute = Object.keys(routes) as Route[];

function sendLogin({ password = account.password, name = account.email, sourceIp = newId() }: Attempt, others = {}) {
  const headers = { tenant: account.scope.tenant, ...others };
  return portal.invoke('login', { headers, body: { email: name, password }, sourceIp });
}

/** Returns the status of an attempt. The code of a legacy call is mapped to it: NOT_FOUND means an accepted login. */
async function attemptLogin(login: Attempt = {}, route: Route = 'login'): Promise<number> {
  const { status, body } = await routes[route](login);
  const { Codigo = '' } = (body as { Resultado?: { Codigo: string } }).Resultado ?? {};
  return { NOT_FOUND: 200, UNAUTHORIZED: 401 }[Codigo] ?? status;
}
const attemptWrongLogin = (login: Attempt = {}, route?: Route) => attemptLogin({ password: 'wrong', ...login }, route);
const sendAtOnce = (count: number, send: (index: number) => Promise<number>) =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)));
const countStatus = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length;

/** Sends attempts one after the other, slowly enough that the guard of sources does not lock the source out. */
async function sendSlowly(times: number, send: (index: number) => Promise<number>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < times; index++) {
    statuses.push(await send(index));
    vi.setSystemTime(Date.now() + 40_000);
  }
  return statuses;
}

it('a lockout applies to the source address reported by the gateway, for every user and whatever headers the client sends', async () => {
  proves('auth/rule-6/block');
  const sourceIp = newId();
  for (let failures = 0; failures < 5; failures++) expect(await attemptWrongLogin({ sourceIp })).toBe(401);
  expect(await attemptLogin()).toBe(200);
  account = await seedAccount(portal.engine);
  expect((await sendLogin({ sourceIp }, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(429);
});

it('the addresses of one IPv6 prefix of 64 bits are one source', async () => {
  const prefix = `2001:db8:${newId().slice(-4)}`;
  for (let failures = 0; failures < 5; failures++)
    expect(await attemptWrongLogin({ sourceIp: `${prefix}:1::${failures}` })).toBe(401);
  expect(await attemptLogin({ sourceIp: `${prefix}:1:ffff::9` })).toBe(429);
  expect(await attemptLogin({ sourceIp: `${prefix}:2::1` })).toBe(200);
});

it('a failed login is counted once for its source if the response of the write is lost and the write is retried', async () => {
  proves('limits/login');
  portal.proxy.injectFault({ how: 'lose-response', operation: 'UpdateItem', table: 'RateCounters', times: 1 });
  const { status, headers } = await routes.login({ password: 'wrong' });
  expect([status, headers['X-RateLimit-Remaining']]).toEqual([401, '4']);
});

/** Sets the counter of the failures from all addresses that are not trusted. */
const setFailures = (count: number) => changeRecord(portal.engine, account.keys.account, { [FAILURES]: count });
const readFailures = async () => Number((await readRecord(portal.engine, account.keys.account))[FAILURES] ?? 0);

it('wrong passwords from one address get 401 ten times, then 429 with the time until the window ends and no rate headers', async () => {
  const sourceIp = newId();
  expect(await sendSlowly(30, () => attemptWrongLogin({ sourceIp }))).toEqual([
    ...Array(10).fill(401),
    ...Array(20).fill(429),
  ]);
  const { body, headers } = await routes.login({ sourceIp });
  expect(body.error).toMatchObject({ code: 'RATE_LIMITED' });
  expect(headers).toMatchObject({ 'Retry-After': String(7_200 - 30 * 40) });
  expect(Object.keys(headers).filter((name) => /^x-ratelimit/i.test(name))).toEqual([]);
  expect(await attemptWrongLogin({ sourceIp }, 'legacy call'), 'legacy calls have their own counter').toBe(401);
  setTime(7_200);
  expect(await attemptWrongLogin({ sourceIp })).toBe(401);
});

it('parallel wrong passwords from many addresses get 401 until 100 are counted, and again in the next window', async () => {
  await setFailures(94);
  const statuses = await sendAtOnce(12, (index) => attemptWrongLogin({}, everyRoute[index % 3]));
  expect([countStatus(statuses, 401), countStatus(statuses, 429), await readFailures()]).toEqual([6, 6, 100]);
  expect(await attemptLogin()).toBe(429);
  setTime(7_200);
  expect([await attemptWrongLogin(), await attemptLogin()]).toEqual([401, 200]);
  const stored = await readRecord(portal.engine, account.keys.account);
  expect(stored, 'the counter of the last window is removed').not.toHaveProperty(FAILURES);
});

it('parallel wrong passwords from a trusted address get 401 until 100 are counted, and do not lock other addresses out', async () => {
  const sourceIp = newId();
  expect(await attemptLogin({ sourceIp })).toBe(200);
  // The guard of sources allows no more than 4 failures in 30 s. 96 attempts take 64 minutes.
  expect(await sendSlowly(96, () => attemptWrongLogin({ sourceIp }))).toEqual(Array(96).fill(401));
  const statuses = await sendAtOnce(7, () => attemptWrongLogin({ sourceIp }));
  expect([countStatus(statuses, 401), countStatus(statuses, 429)]).toEqual([4, 3]);
  expect(await attemptLogin({ sourceIp })).toBe(429);
  expect([await readFailures(), await attemptWrongLogin(), await attemptLogin()]).toEqual([0, 401, 200]);
});

it('attempts on an account that other addresses have locked do not lock out their address', async () => {
  const colleague = await seedAccount(portal.engine, { tenant: { tenant: account.scope.tenant } });
  const office = newId();
  await setFailures(100);
  expect(await sendAtOnce(7, () => attemptLogin({ sourceIp: office }))).toEqual(Array(7).fill(429));
  const { email, password } = colleague;
  expect(await attemptLogin({ sourceIp: office, name: email, password })).toBe(200);
});

it('the item of an account counts a failure once if the response of the write is lost and the write is retried', async () => {
  portal.proxy.injectFault({ how: 'lose-response', operation: 'UpdateItem', table: 'Directory', times: 1 });
  expect([await attemptWrongLogin(), portal.proxy.hits.get('lose-response'), await readFailures()]).toEqual([
    401, 1, 1,
  ]);
});

it('the item of an account expires with its window if the login name does not exist, and never if it has a password', async () => {
  expect([await attemptWrongLogin(), await attemptWrongLogin({ name: 'Nobody@supplier.example' })]).toEqual([401, 401]);
  const unknownKey = directoryKeys.unknownLogin(account.scope.tenant, 'nobody@supplier.example');
  expect(Number((await readRecord(portal.engine, unknownKey))['ttl'])).toBe(START / 1000 + 7_200);
  const stored = await readRecord(portal.engine, account.keys.account);
  const counters = [FAILURES, expect.stringMatching(/^failures_\d+_[\w-]{22}$/)];
  expect(Object.keys(stored).toSorted()).toEqual([...counters, 'failures_latest', 'password_hash', 'pk', 'sk']);
});

it('the item of an account contains hashes of addresses, and no address', async () => {
  const sourceIp = '203.0.113.7';
  expect([await attemptWrongLogin({ sourceIp }), await attemptLogin({ sourceIp })]).toEqual([401, 200]);
  const stored = await readRecord(portal.engine, account.keys.account);
  const trustedSources = [...(stored[SOURCES] as Set<string>)];
  expect(trustedSources).toEqual([expect.stringMatching(/^[\w-]{22}$/)]);
  expect(JSON.stringify([stored, trustedSources])).not.toContain(sourceIp);
});

it.each([
  ['a failure', 401, 'wrong'],
  ['a login', 200, undefined],
])(
  '%s removes only the attributes of earlier windows and periods from the item of an account',
  async (_what, status, password) => {
    const window = Math.floor(WINDOW) - 1;
    const period = Number(SOURCES.slice(2));
    const old = { [`failures_${window}`]: 1, [`failures_${window}_${'x'.repeat(22)}`]: 1, s_99: new Set(['x']) };
    const sources = { [`s_${period - 1}`]: new Set(['x']), [`s_${period - 2}`]: new Set(['x']) };
    const kept = { tokens_from: '2020-01-01T00:00:00.000Z', later_attribute: 1 };
    await changeRecord(portal.engine, account.keys.account, { ...kept, ...old, ...sources });
    expect(await attemptLogin({ password: password ?? account.password })).toBe(status);
    const stored = Object.keys(await readRecord(portal.engine, account.keys.account));
    const names = stored.map((name) => (name.startsWith(`${FAILURES}_`) ? 'counter of the address' : name));
    const written = status === 200 ? [SOURCES] : [FAILURES, 'counter of the address', 'failures_latest'];
    const expected = ['pk', 'sk', 'password_hash', ...Object.keys(kept), `s_${period - 1}`, ...written];
    expect(names.toSorted()).toEqual(expected.toSorted());
  },
);

/** Returns the responses to 11 wrong passwords for a name from one address, and the round trips of two of them. */
async function collectResponses(route: Route, name: string): Promise<unknown[]> {
  const sourceIp = newId();
  const responses: unknown[] = [];
  async function send(index: number): Promise<void> {
    // The name in upper case, with a blank, is the same login name.
    const spelling = index % 2 === 0 ? name : `${name.toUpperCase()} `;
    const { status, headers, body } = await routes[route]({ name: spelling, password: 'wrong', sourceIp });
    responses.push([status, { ...headers, 'X-Request-Id': '' }, body]);
  }
  setTime(0);
  await sendSlowly(11, async (index) => {
    if (index % 10 > 0) await send(index);
    else responses.push((await measureCalls(portal.proxy, () => send(index))).serialRoundTrips);
    return 0;
  });
  return responses;
}

it.each([
  ['e-mail', 'login'],
  ['username', 'legacy call'],
] as const)(
  'an unknown login name gets the same responses in the same round trips as an existing %s: %s',
  async (kind, route) => {
    const unknown = await collectResponses(route, 'nobody at all');
    expect(JSON.stringify(unknown).match(/"(UNAUTHORIZED|RATE_LIMITED)"/g)).toEqual([
      ...Array<string>(10).fill('"UNAUTHORIZED"'),
      '"RATE_LIMITED"',
    ]);
    expect(await collectResponses(route, kind === 'e-mail' ? account.email : USERNAME)).toEqual(unknown);
  },
);
