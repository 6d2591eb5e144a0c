import { beforeEach, describe, expect, it, vi } from 'vitest';
import { directoryKeys } from '../../../lib/tables/keys.ts';
import type { Key } from '../../../lib/tables/dynamodb/reads.ts';
import { ACCOUNT_POLICY } from '../../../lib/access/policies.ts';
import { type Account, changeRecord, newId, readRecord, seedAccount } from '../../support/data/seed.ts';
import { costOf } from '../../support/engine/engine-proxy.ts';
import { legacyCallsOf } from '../../support/legacy/legacy.ts';
import { useDate } from '../../support/setup/use-date.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

// Two hours after the start of a window.
const START = Date.parse('2026-05-01T10:00:00.000Z');
const WINDOW = START / ACCOUNT_POLICY.windowMs;
const SLOTS = `f_${Math.floor(WINDOW)}`;
const SOURCES = `s_${Math.floor(START / ACCOUNT_POLICY.periodMs)}`;
const USERNAME = 'integración';

const portal = useWatchedPortal();
let account: Account;
useDate(START);
beforeEach(async () => {
  account = await seedAccount(portal.engine, { user: { username: USERNAME } });
});

const at = (seconds: number) => vi.setSystemTime(START + seconds * 1000);

interface Attempt {
  readonly password?: string;
  readonly name?: string;
  readonly sourceIp?: string;
}

/** Attempts by each route, from an address of its own unless one is named. */
const routes = {
  login: (what: Attempt) => sendLogin(what),
  'login with the key': (what: Attempt) => sendLogin(what, { 'x-api-key': account.apiKey }),
  'legacy call': ({ password = account.password, name = account.email, sourceIp = newId() }: Attempt) =>
    legacyCallsOf(portal.invoke, account, sourceIp)(
      'WSObtenerFactura',
      { IdFactura: '1' },
      { authorization: { Usuario: name, Password: password } },
    ),
};
type Route = keyof typeof routes;
const everyRoute = Object.keys(routes) as Route[];

function sendLogin({ password = account.password, name = account.email, sourceIp = newId() }: Attempt, key = {}) {
  const headers = { tenant: account.scope.tenant, ...key };
  return portal.invoke('login', { headers, body: { email: name, password }, sourceIp });
}

/** Returns the status of an attempt; that of a legacy call by its code, for it finds no invoice when it may log in. */
async function attempt(what: Attempt = {}, route: Route = 'login'): Promise<number> {
  const { status, body } = await routes[route](what);
  const { Codigo = '' } = (body as { Resultado?: { Codigo: string } }).Resultado ?? {};
  return { NOT_FOUND: 200, UNAUTHORIZED: 401 }[Codigo] ?? status;
}
const wrong = (what: Attempt = {}, route?: Route) => attempt({ password: 'wrong', ...what }, route);
const atOnce = (count: number, send: (index: number) => Promise<number>) =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)));
const count = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length;

/** Makes attempts one after the other, so slowly that the guard of sources does not lock the source out. */
async function slowly(times: number, send: (index: number) => Promise<number>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < times; index++) {
    statuses.push(await send(index));
    vi.setSystemTime(Date.now() + 40_000);
  }
  return statuses;
}

/** Sets the members of a set of the account; other slots than those of the test. */
const fill = (set: string, size: number, of: Key = account.keys.account) =>
  changeRecord(portal.engine, of, { [set]: new Set(Array.from({ length: size }, (_, n) => `another ${n}`)) });
const sizeOf = async (set: string, of: Key = account.keys.account) =>
  ((await readRecord(portal.engine, of))[set] as Set<string> | undefined)?.size ?? 0;

describe('wrong passwords from one address', () => {
  it('get 401 ten times of 30, then 429 with the time until the window ends and no rate headers', async () => {
    const sourceIp = newId();
    expect(await slowly(30, () => wrong({ sourceIp }))).toEqual([...Array(10).fill(401), ...Array(20).fill(429)]);
    const { body, headers } = await routes.login({ sourceIp });
    expect(body.error).toMatchObject({ code: 'RATE_LIMITED' });
    expect(headers).toMatchObject({ 'Retry-After': String(7_200 - 30 * 40) });
    expect(Object.keys(headers).filter((name) => /^x-ratelimit/i.test(name))).toEqual([]);
    at(7_200);
    expect(await wrong({ sourceIp })).toBe(401);
  });
});

describe('wrong passwords from many addresses', () => {
  it('get 401 until 100 are counted, though they come at once; in the next window each address may try again', async () => {
    await fill(SLOTS, 94);
    const statuses = await atOnce(12, (index) => wrong({}, everyRoute[index % 3]));
    expect([count(statuses, 401), count(statuses, 429), await sizeOf(SLOTS)]).toEqual([6, 6, 100]);
    expect(await attempt()).toBe(429);
    at(7_200);
    expect([await wrong(), await attempt()]).toEqual([401, 200]);
    expect(
      await readRecord(portal.engine, account.keys.account),
      'the set of the last window is removed',
    ).not.toHaveProperty(SLOTS);
  });
});

describe('the item of an account', () => {
  it('counts a failure once if the response of the write is lost and the write is retried', async () => {
    portal.proxy.fail({ how: 'lose-answer', operation: 'UpdateItem', table: 'Directory', times: 1 });
    expect([await wrong(), portal.proxy.hits.get('lose-answer'), await sizeOf(SLOTS)]).toEqual([401, 1, 1]);
  });

  it('expires with its window if the login name does not exist, and never if it has a password', async () => {
    expect([await wrong(), await wrong({ name: 'Nobody@supplier.example' })]).toEqual([401, 401]);
    const nobody = directoryKeys.unknownLogin(account.scope.tenant, 'nobody@supplier.example');
    expect(Number((await readRecord(portal.engine, nobody))['ttl'])).toBe(START / 1000 + 7_200);
    const stored = await readRecord(portal.engine, account.keys.account);
    expect(Object.keys(stored).toSorted()).toEqual([SLOTS, 'f_last', 'password_hash', 'pk', 'sk']);
  });

  it('contains hashes of addresses, and no address', async () => {
    const sourceIp = '203.0.113.7';
    expect([await wrong({ sourceIp }), await attempt({ sourceIp })]).toEqual([401, 200]);
    const stored = await readRecord(portal.engine, account.keys.account);
    const members = [SLOTS, SOURCES].flatMap((set) => [...(stored[set] as Set<string>)]);
    expect(members).toEqual([expect.stringMatching(/^[\w-]{22}0$/), expect.stringMatching(/^[\w-]{22}$/)]);
  });

  it.each([
    ['a failure', 401, 'wrong'],
    ['a login', 200, undefined],
  ])(
    'loses by %s the attributes of the old format and of earlier windows and periods, and no others',
    async (_what, status, password) => {
      const old = ['h00', 'k19', 'u05', 'v12', 'h_pause', 'v_pause', 'failures', 'failures_from', 'source_x-Y_z'];
      const period = Number(SOURCES.slice(2));
      const sets = [`f_${Math.floor(WINDOW) - 1}`, `s_${period - 1}`, `s_${period - 2}`, 's_99'];
      const kept = { tokens_from: '2020-01-01T00:00:00.000Z', later_attribute: 1 };
      const changes = [...old.map((name) => [name, 1]), ...sets.map((name) => [name, new Set(['x'])])];
      await changeRecord(portal.engine, account.keys.account, { ...kept, ...Object.fromEntries(changes) });
      expect(await attempt({ password: password ?? account.password })).toBe(status);
      const names = Object.keys(await readRecord(portal.engine, account.keys.account));
      const written = status === 200 ? [SOURCES] : [SLOTS, 'f_last'];
      const expected = ['pk', 'sk', 'password_hash', ...Object.keys(kept), `s_${period - 1}`, ...written];
      expect(names.toSorted()).toEqual(expected.toSorted());
    },
  );
});

describe('attempts by a name that does not exist', () => {
  /** Returns the responses to 11 wrong attempts by a name from one address, and the round trips of two of them. */
  async function responsesTo(route: Route, name: string): Promise<unknown[]> {
    const sourceIp = newId();
    const responses: unknown[] = [];
    async function send(index: number): Promise<void> {
      // In upper case too: it is the same name.
      const by = index % 2 === 0 ? name : name.toUpperCase();
      const { status, headers, body } = await routes[route]({ name: by, password: 'wrong', sourceIp });
      responses.push([status, { ...headers, 'X-Request-Id': '' }, body]);
    }
    at(0);
    await slowly(11, async (index) => {
      if (index % 10 > 0) await send(index);
      else responses.push((await costOf(portal.proxy, () => send(index))).serialRoundTrips);
      return 0;
    });
    return responses;
  }

  it.each(['login', 'legacy call'] as const)(
    'get the same responses in as many round trips as by an e-mail and by a username that exist: %s',
    async (route) => {
      const unknown = await responsesTo(route, 'nobody at all');
      expect(JSON.stringify(unknown).match(/"(UNAUTHORIZED|RATE_LIMITED)"/g)).toEqual([
        ...Array<string>(10).fill('"UNAUTHORIZED"'),
        '"RATE_LIMITED"',
      ]);
      expect(await responsesTo(route, account.email)).toEqual(unknown);
      expect(await responsesTo(route, USERNAME)).toEqual(unknown);
    },
  );
});
