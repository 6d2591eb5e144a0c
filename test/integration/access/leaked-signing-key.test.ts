import { decodeProtectedHeader } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RotationRequest } from '../../../functions/rotate-signing-key.ts';
import { headersOf, type Invoke, loadHandlers } from '../../support/service/handlers.ts';
import { startWatchedPortal, type WatchedPortal } from '../../support/service/portal.ts';
import { type Account, seedAccount } from '../../support/data/seed.ts';

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

describe('a rotation of the signing key', () => {
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
