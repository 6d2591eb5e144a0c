import { beforeEach, describe, expect, it, vi } from 'vitest';
import { directoryKeys } from '../../../lib/storage/items/keys.ts';
import type { Answer } from '../../support/answers/answer.ts';
import { legacyCallsOf } from '../../support/legacy/legacy.ts';
import { useWatchedPortal } from '../../support/setup/use-portal.ts';
import { type Account, changeRecord, newId, readRecord, seedAccount } from '../../support/data/seed.ts';
import { useDate } from '../../support/setup/use-date.ts';

const START = Date.parse('2026-05-01T10:00:00.000Z');
const DAY_S = 86_400;

const portal = useWatchedPortal();
let account: Account;
useDate(START);
beforeEach(async () => {
  account = await seedAccount(portal.engine);
});

const at = (seconds: number) => vi.setSystemTime(START + Math.round(seconds * 1000));

interface Attempt {
  readonly password?: string;
  readonly email?: string;
  readonly sourceIp?: string;
  readonly apiKey?: string;
}

/** Logs in, from an address of its own unless one is named, so that no source is blocked. */
function attempt({
  password = 'wrong',
  email = account.email,
  sourceIp = newId(),
  apiKey,
}: Attempt = {}): Promise<Answer> {
  const headers = { tenant: account.scope.tenant, 'x-api-key': apiKey };
  return portal.invoke('login', { headers, body: { email, password }, sourceIp });
}

const statusOf = async (made: Promise<{ status: number }>) => (await made).status;
const right = (sourceIp?: string) => statusOf(attempt({ password: account.password, ...(sourceIp && { sourceIp }) }));
const times = <Result>(count: number, work: () => Promise<Result>) => Promise.all(Array.from({ length: count }, work));

/** Guesses until the failures of an account are used up. */
async function spend(email = account.email): Promise<void> {
  const statuses = await times(20, () => statusOf(attempt({ email })));
  expect(statuses).toEqual(Array(20).fill(401));
}

describe('the guard of accounts', () => {
  it('lets 20 guesses from 20 addresses through, then refuses with 429, which carries only Retry-After, and after the pause exactly one', async () => {
    await spend();
    at(10);
    const refused = await attempt();
    expect(refused.body.error).toMatchObject({ code: 'RATE_LIMITED' });
    expect(Object.keys(refused.headers).filter((name) => /^x-ratelimit/i.test(name))).toEqual([]);
    expect(refused.headers['Retry-After']).toBe('50');
    at(60);
    const statuses = await times(10, () => statusOf(attempt()));
    expect(statuses.filter((status) => status === 401)).toHaveLength(1);
  });

  it('goes on with failures that the version before has noted', async () => {
    const before = Object.fromEntries(
      Array.from({ length: 20 }, (_, place) => [`h${String(place).padStart(2, '0')}`, START - 30_000]),
    );
    await changeRecord(portal.engine, account.keys.account, before);
    expect((await attempt()).headers['Retry-After']).toBe('30');
    at(30);
    expect([await statusOf(attempt()), await statusOf(attempt())]).toEqual([401, 429]);
  });

  it('tells exactly 20 of 60 guesses at once that they are wrong, and nothing to a right one after them', async () => {
    const guesses = times(60, () => statusOf(attempt()));
    expect((await guesses).filter((status) => status === 401)).toHaveLength(20);
    expect(await right()).toBe(429);
  });

  it('forgets the failures at an account that does not exist, but never a password', async () => {
    await spend();
    await spend('Nobody@supplier.example');
    const nobody = directoryKeys.nobody(account.scope.tenant, 'nobody@supplier.example');
    expect(Number((await readRecord(portal.engine, nobody))['ttl'])).toBe(START / 1000 + DAY_S);
    const stored = await readRecord(portal.engine, account.keys.account);
    expect(Object.keys(stored)).toEqual(expect.arrayContaining(['h19', 'password_hash']));
    expect(stored).not.toHaveProperty('ttl');
  });

  it('counts a failure once when its answer was lost and the write is repeated', async () => {
    portal.proxy.fail({ how: 'lose-answer', operation: 'UpdateItem', table: 'Directory', times: 1 });
    await spend();
    expect(await statusOf(attempt())).toBe(429);
  });
});

describe('a source from which an account has logged in', () => {
  let home: string;
  beforeEach(() => void (home = newId()));

  it('is known on both routes by a legacy call', async () => {
    const legacy = legacyCallsOf(portal.invoke, account, home);
    const look = async () => (await legacy('WSObtenerFactura', { IdFactura: '1' })).body.Resultado.Codigo;
    expect(await look()).toBe('NOT_FOUND');
    await spend();
    expect([await right(home), await look(), await right()]).toEqual([200, 'NOT_FOUND', 429]);
  });

  it('is one of the 10 latest, and its address does not stand in the record', async () => {
    await right(home);
    for (let source = 0; source < 10; source++) {
      at(source + 1);
      await right(`203.0.113.${source}`);
    }
    const stored = await readRecord(portal.engine, account.keys.account);
    expect(Object.keys(stored).filter((name) => name.startsWith('source_'))).toHaveLength(10);
    expect(JSON.stringify(stored)).not.toMatch(/203\.0\.113/);
    await spend();
    expect([await right(home), await right('203.0.113.0')]).toEqual([429, 200]);
  });

  it('is all noted when 8 new sources log in at once', async () => {
    const sources = Array.from({ length: 8 }, (_, source) => `203.0.113.${source}`);
    expect(await Promise.all(sources.map(right))).toEqual(sources.map(() => 200));
    await spend();
    expect(await Promise.all(sources.map(right))).toEqual(sources.map(() => 200));
  });
});
