import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Account, newId, seedAccount } from '../../support/data/seed.ts';
import { costOf } from '../../support/engine/engine-proxy.ts';
import { legacyCallsOf } from '../../support/legacy/legacy.ts';
import { runOps } from '../../support/ops/run-ops.ts';
import { useDate } from '../../support/setup/use-date.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';

const START = Date.parse('2026-05-01T10:00:00.000Z');
const MINUTE_MS = 60_000;

const portal = useWatchedPortal();
let account: Account;
let now: number;
useDate(START);
beforeEach(async () => {
  now = START;
  account = await seedAccount(portal.engine);
});

function pass(ms: number): void {
  now += ms;
  vi.setSystemTime(now);
}

interface Attempt {
  readonly password?: string;
  readonly email?: string;
  readonly sourceIp?: string;
  readonly apiKey?: string;
}

/** Logs in, from an address of its own unless one is named. */
function attempt({ password = account.password, email = account.email, sourceIp = newId(), apiKey }: Attempt = {}) {
  const headers = { tenant: account.scope.tenant, 'x-api-key': apiKey };
  return portal.invoke('login', { headers, body: { email, password }, sourceIp });
}

const statusOf = async (made: Promise<{ readonly status: number }>) => (await made).status;
const wrong = (of: Attempt = {}) => statusOf(attempt({ ...of, password: 'wrong' }));
const legacyCodeOf = async (password: string, sourceIp = newId()) => {
  const call = legacyCallsOf(portal.invoke, account, sourceIp);
  const answer = await call('WSObtenerFactura', { IdFactura: '1' }, { authorization: { Password: password } });
  return answer.body.Resultado.Codigo;
};

/** Uses up the failures of an account. */
async function spend(of: Attempt = {}): Promise<void> {
  const statuses = await Promise.all(Array.from({ length: 20 }, () => wrong(of)));
  expect(statuses).toEqual(Array(20).fill(401));
}

describe('an account that one address attacks, poll after poll', () => {
  it('lets its owner in with the key at once, without it from a known address, after unlock-user, or a pause after the attack', async () => {
    const home = newId();
    expect(await statusOf(attempt({ sourceIp: home }))).toBe(200);
    const guesser = newId();
    let answered = 0;
    for (const start = now; now < start + 4 * MINUTE_MS; pass(2000)) {
      if ((await wrong({ sourceIp: guesser })) === 401) answered++;
    }
    // Its own blocks hold it up more than the account does.
    expect(answered).toBeGreaterThanOrEqual(20);
    expect(answered).toBeLessThanOrEqual(22);

    expect(await statusOf(attempt({ apiKey: account.apiKey }))).toBe(200);
    expect(await legacyCodeOf(account.password)).toBe('NOT_FOUND');
    const held = await attempt();
    expect(held.status).toBe(429);
    expect(await statusOf(attempt({ sourceIp: home }))).toBe(200);
    pass(Number(held.headers['Retry-After']) * 1000);
    expect(await statusOf(attempt())).toBe(200);

    await wrong();
    expect(await statusOf(attempt())).toBe(429);
    const { tenant, userId } = account.reference;
    expect((await runOps(portal.engine.endpoint, 'unlock-user', tenant, userId)).code).toBe(0);
    expect(await statusOf(attempt())).toBe(200);
  });

  it('blocks a source that goes on asking for an account whose failures are used up, and then writes nothing', async () => {
    await spend();
    const poller = newId();
    const waits = [];
    for (let poll = 0; poll < 5; poll++) waits.push((await attempt({ sourceIp: poller })).headers['Retry-After']);
    expect(waits).toEqual(Array(5).fill('60'));
    pass(30_000);
    let blocked: string | undefined;
    const { serialRoundTrips, units } = await costOf(portal.proxy, async () => {
      blocked = (await attempt({ sourceIp: poller })).headers['Retry-After'];
    });
    expect([blocked, serialRoundTrips]).toEqual(['30', 1]);
    expect(units).toMatchObject({ Directory: { write: 0 }, RateCounters: { write: 0 } });
    // Another account is asked for in vain, too, from there.
    const other = await seedAccount(portal.engine, { tenant: { tenant: account.scope.tenant } });
    expect(await statusOf(attempt({ email: other.email, sourceIp: poller }))).toBe(429);
  });
});

describe('attempts with an API key', () => {
  it('count as attempts without one when it is a key of another company: same answers, same round trips', async () => {
    const { apiKey } = await seedAccount(portal.engine, { tenant: { tenant: account.scope.tenant } });
    const seen = async (of: Attempt) => {
      const answers: unknown[] = [];
      const { serialRoundTrips } = await costOf(portal.proxy, async () => {
        const { status, headers, body } = await attempt(of);
        answers.push(status, { ...headers, 'X-Request-Id': '' }, body.error);
      });
      return [...answers, serialRoundTrips];
    };
    for (const password of [account.password, 'wrong']) {
      expect(await seen({ password, apiKey })).toEqual(await seen({ password }));
    }
    const statuses = await Promise.all(Array.from({ length: 18 }, () => wrong({ apiKey })));
    expect(statuses).toEqual(Array(18).fill(401));
    expect(await seen({ apiKey })).toEqual(await seen({}));
    expect(await statusOf(attempt({ apiKey }))).toBe(429);
  });

  it('need no more serial round trips: 3 with the right password, 4 with a new player id or a wrong one', async () => {
    await attempt({ apiKey: account.apiKey });
    const trips = async (work: () => Promise<unknown>) => (await costOf(portal.proxy, work)).serialRoundTrips;
    const key = { apiKey: account.apiKey };
    expect(await trips(() => attempt(key))).toBe(3);
    expect(await trips(() => wrong(key))).toBe(4);
    await spend();
    expect(await trips(() => attempt())).toBe(3);
  });
});
