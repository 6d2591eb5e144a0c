import fc from 'fast-check';
import { decodeProtectedHeader } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RotationRequest } from '../../../functions/rotate-signing-key.ts';
import { generateSigningKey } from '../../../lib/auth/key-pairs.ts';
import { newUuid } from '../../../lib/runtime/ids.ts';
import type { Fault, LateKind } from '../../support/engine/engine-faults.ts';
import { headersOf, type Invoke, loadHandlers } from '../../support/service/handlers.ts';
import { startWatchedPortal, type WatchedPortal } from '../../support/service/portal.ts';
import { type Account, seedAccount } from '../../support/data/seed.ts';
import { signingKeyTables } from '../../support/service/tokens.ts';

// A rotation waits for two seconds before it uses the new key. Here the date moves instead.
vi.mock(import('../../../lib/runtime/attempts.ts'), async (original) => ({
  ...(await original()),
  pause: async (ms) => void vi.setSystemTime(Date.now() + ms),
}));

const START = Date.parse('2026-07-01T10:00:00.400Z');
const path = '/apidev/v1/supplier-portal/invoices/4711';
const accepted = [404, 'NOT_FOUND'];
const refused = [401, 'UNAUTHORIZED'];

let portal: WatchedPortal;
let account: Account;
let rotate: (request: RotationRequest) => Promise<{ outcome: string }>;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: START });
  portal = await startWatchedPortal();
  account = await seedAccount(portal.engine);
  ({ handler: rotate } = await import('../../../functions/rotate-signing-key.ts'));
});
afterEach(async () => {
  vi.useRealTimers();
  await portal.close();
});

const at = (seconds: number) => vi.setSystemTime(START + seconds * 1000);

async function logIn(invoke = portal.invoke): Promise<string> {
  const { email, password, scope } = account;
  const { body } = await invoke('login', { headers: { tenant: scope.tenant }, body: { email, password } });
  return body.data.authorization;
}

async function use(token: string, invoke: Invoke = portal.invoke): Promise<unknown[]> {
  const { status, body } = await invoke('get-invoice', { path, headers: headersOf(account, token) });
  return [status, body.error?.code];
}

// When (ms from the rotation on) a process reads the keys before, and when it is asked again.
const processNumber = fc.nat({ max: 2 });
const readings = fc.array(fc.record({ process: processNumber, ms: fc.integer({ min: -59_000, max: -1 }) }), {
  maxLength: 6,
});
const sessions = fc.array(
  fc.record({ login: processNumber, reader: processNumber, ms: fc.integer({ min: 2_000, max: 61_000 }) }),
  {
    minLength: 1,
    maxLength: 8,
  },
);

/** Holds back the calls that a fault hits, from when they have begun until they are let go. */
function held(fault: Omit<Fault & { how: LateKind }, 'wait'>): { begun: Promise<void>; end: () => void } {
  const begun = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const wait = () => {
    begun.resolve();
    return ended.promise;
  };
  portal.proxy.fail({ ...fault, wait });
  return { begun: begun.promise, end: ended.resolve };
}

const inOrder = <Event extends { readonly ms: number }>(events: readonly Event[]) =>
  events.toSorted((one, other) => one.ms - other.ms);

describe('a rotation of the signing key', () => {
  it.each([
    { kind: 'of every month', request: { rotate: true } },
    { kind: 'because of a leak', request: { leaked: true } },
  ])(
    '$kind is followed by every login that comes after it, and no token of theirs is refused, whenever a process has read the keys before',
    async ({ request }) => {
      const processes = [portal.invoke, await loadHandlers(portal.engine), await loadHandlers(portal.engine)];
      const tell = (process: number) => processes[process] ?? portal.invoke;
      let rotations = 0;
      await fc.assert(
        fc.asyncProperty(readings, sessions, async (earlier, later) => {
          const rotationSeconds = ++rotations * 180;
          const atMs = (ms: number) => at(rotationSeconds + ms / 1000);
          for (const { process, ms } of inOrder(earlier)) {
            atMs(ms);
            expect(await use(await logIn(tell(process)), tell(process))).toEqual(accepted);
          }
          atMs(0);
          await rotate(request);
          for (const { login, reader, ms } of inOrder(later)) {
            atMs(ms);
            expect(await use(await logIn(tell(login)), tell(reader))).toEqual(accepted);
          }
        }),
        { numRuns: 10 },
      );
    },
  );

  it('leaves the tokens of the old key valid until they expire, and is followed at once', async () => {
    const old = await logIn();
    expect(await rotate({ rotate: true })).toEqual({ outcome: 'rotated' });
    const next = await logIn();
    expect(decodeProtectedHeader(next).kid).not.toBe(decodeProtectedHeader(old).kid);
    expect([await use(old), await use(next)]).toEqual([accepted, accepted]);
    at(3_599);
    expect(await use(old)).toEqual(accepted);
    at(3_600);
    expect(await use(old)).toEqual([401, 'TOKEN_EXPIRED']);
    expect(await use(next)).toEqual(accepted);
  });

  it('has the tokens of the old key told from forged ones for 90 days', async () => {
    const old = await logIn();
    await rotate({ rotate: true });
    at(89 * 86_400);
    expect(await use(old)).toEqual([401, 'TOKEN_EXPIRED']);
    at(91 * 86_400);
    expect(await use(old)).toEqual(refused);
  });

  it('goes on working, as a login and its token do, however many keys have been retired', async () => {
    const tables = signingKeyTables(portal.engine);
    const pairs = await Promise.all(Array.from({ length: 150 }, () => generateSigningKey(newUuid())));
    await Promise.all(pairs.map(({ publicKey }) => tables.publish(publicKey, new Date(START + 3_600_000))));

    expect(await use(await logIn())).toEqual(accepted);
    expect(await rotate({ rotate: true })).toEqual({ outcome: 'rotated' });
    at(3_601);
    expect(await use(await logIn())).toEqual(accepted);
    expect(await tables.published()).toHaveLength(152);
    expect(await rotate({ rotate: true })).toEqual({ outcome: 'rotated' });
    expect(await tables.published()).toHaveLength(3);
  });

  it('that is not asked for, as at a start, leaves nothing behind', async () => {
    const tables = signingKeyTables(portal.engine);
    const before = await tables.published();
    for (let starts = 0; starts < 150; starts++) expect(await rotate({})).toEqual({ outcome: 'kept' });
    expect(await tables.published()).toEqual(before);
  });

  it('because of a leak ends the tokens of the old key: at once for a new process, after a minute for a warm one', async () => {
    const leaked = await logIn();
    expect(await use(leaked)).toEqual(accepted);
    expect(await rotate({ leaked: true })).toEqual({ outcome: 'rotated' });

    const freshProcess = await loadHandlers(portal.proxy.engine);
    expect(await use(leaked, freshProcess)).toEqual(refused);
    expect(await use(await logIn(freshProcess), freshProcess)).toEqual(accepted);

    at(60.001);
    expect(await use(leaked)).toEqual(refused);
    expect(await use(await logIn())).toEqual(accepted);
  });

  it('because of a leak ends the token of a login that had read the old key, too, and its next one is valid', async () => {
    const underWay = held({ how: 'answer-late', table: 'SigningKeys', times: 1 });
    const login = logIn();
    await underWay.begun;
    await rotate({ leaked: true });
    underWay.end();
    const freshProcess = await loadHandlers(portal.engine);
    expect(await use(await login, freshProcess)).toEqual(refused);
    expect(await use(await logIn(), freshProcess)).toEqual(accepted);
  });

  it('because of a leak is followed by a login that asks for the key just before it and is heard just after it', async () => {
    const underWay = held({ how: 'deliver-late', table: 'SigningKeys', times: 1 });
    const login = logIn();
    await underWay.begun;
    await rotate({ leaked: true });
    underWay.end();
    expect(await use(await login, await loadHandlers(portal.engine))).toEqual(accepted);
  });

  it('because of a leak ends the tokens of keys that were retired before, too', async () => {
    const oldest = await logIn();
    await rotate({ rotate: true });
    at(60.001);
    expect(await use(oldest)).toEqual(accepted);
    await rotate({ rotate: true, leaked: true });
    at(120.002);
    expect(await use(oldest)).toEqual(refused);
  });
});
