import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { RotationRequest } from '../../../functions/rotate-signing-key.ts';
import { generateSigningKey } from '../../../lib/access/sign-token.ts';
import { METRICS_NAMESPACE } from '../../../infra/config.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { rotateSigningKey, type SigningKeyTables } from '../../../lib/access/rotate-signing-key.ts';
import { createPublicKeyReader } from '../../../lib/tables/public-keys.ts';
import { createSigningKeyReader } from '../../../lib/tables/signing-key-tables.ts';
import { type Account, newId, seedAccount } from '../../support/data/seed.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { buildHeaders, type Invoke, loadHandlers } from '../../support/service/handlers.ts';
import { createTestKeyTables } from '../../support/service/tokens.ts';
import { useDate } from '../../support/setup/use-date.ts';
import { usePortal } from '../../support/setup/use-portal.ts';

// A rotation waits for two seconds before it uses the new key. This mock moves the date instead.
vi.mock(import('../../../lib/runtime/attempts.ts'), async (original) => ({
  ...(await original()),
  pause: async (ms) => void vi.setSystemTime(Date.now() + ms),
}));

describe('a rotation of the signing key', () => {
  const START = Date.parse('2026-07-01T10:00:00.400Z');
  const path = '/apidev/v1/supplier-portal/invoices/4711';
  const accepted = [404, 'NOT_FOUND'];
  const rejected = [401, 'UNAUTHORIZED'];

  const portal = usePortal();
  useDate(START);
  let account: Account;
  let rotate: (request: RotationRequest) => Promise<{ outcome: string }>;
  beforeAll(async () => {
    account = await seedAccount(portal.engine);
    ({ handler: rotate } = await import('../../../functions/rotate-signing-key.ts'));
  });
  const setTime = (seconds: number) => vi.setSystemTime(START + seconds * 1000);

  async function logIn(invoke = portal.invoke): Promise<string> {
    const { email, password, scope } = account;
    const { body } = await invoke('login', { headers: { tenant: scope.tenant }, body: { email, password } });
    expect(body.error).toBeUndefined();
    return body.data.authorization;
  }
  async function readErrorWith(token: string, invoke: Invoke = portal.invoke): Promise<unknown[]> {
    const { status, body } = await invoke('get-invoice', { path, headers: buildHeaders(account, token) });
    return [status, body.error?.code];
  }

  it('a run without a request keeps a key until it is 30 days old, replaces an old or undated key, and reports the age', async () => {
    vi.stubEnv('LOG_LEVEL', 'INFO');
    vi.resetModules();
    const { handler } = await import('../../../functions/rotate-signing-key.ts');
    const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    onTestFinished(() => {
      stdout.mockRestore();
      vi.unstubAllEnvs();
    });
    const outcomes: string[] = [];
    const rotateAfterDays = async (days: number, request: RotationRequest = {}) => {
      vi.setSystemTime(START + days * DAY_MS);
      outcomes.push((await handler(request)).outcome);
    };
    await rotateAfterDays(0, { rotate: true });
    await rotateAfterDays(29);
    await rotateAfterDays(30.001);
    await rotateAfterDays(31);
    expect(outcomes).toEqual(['rotated', 'kept', 'rotated', 'kept']);
    const lines = stdout.mock.calls.map(([line]) => JSON.parse(String(line)));
    expect(lines.map(({ SigningKeyAgeDays: age }) => Math.round(age))).toEqual([0, 29, 0, 1]);
    const metrics = [{ Namespace: METRICS_NAMESPACE, Metrics: [{ Name: 'SigningKeyAgeDays' }] }];
    expect(lines[0]).toMatchObject({ message: 'signing key', _aws: { CloudWatchMetrics: metrics } });
  });

  it('a rotation after a leak ends the tokens of the old key: at once in a new process, after a minute in a warm process', async () => {
    const leaked = await logIn();
    expect(await readErrorWith(leaked)).toEqual(accepted);
    expect(await rotate({ leaked: true })).toEqual({ outcome: 'rotated' });

    const freshProcess = await loadHandlers(portal.engine);
    expect(await readErrorWith(leaked, freshProcess)).toEqual(rejected);
    expect(await readErrorWith(await logIn(freshProcess), freshProcess)).toEqual(accepted);

    setTime(60.001);
    expect(await readErrorWith(leaked)).toEqual(rejected);
    expect(await readErrorWith(await logIn())).toEqual(accepted);
  });
});

describe('the signing key in its tables', () => {
  let engine: TestEngine;
  let tables: SigningKeyTables;
  const now = new Date('2026-07-01T10:00:00Z');
  useDate(now);
  beforeEach(async () => {
    engine = await startEngine();
    tables = createTestKeyTables(engine);
  });
  afterEach(() => engine.close());

  const readTrustedKids = async () => {
    const keys = await createPublicKeyReader(engine.client, engine.tables.Directory)();
    return keys.map(({ kid }) => kid).toSorted();
  };
  const readKidInUse = async () =>
    (await createSigningKeyReader(engine.client, engine.tables.SigningKeys)())?.kid ?? '';
  const generatePair = () => generateSigningKey(newId());
  const runRotation = (rotate: boolean) => {
    const ports = { tables, generate: generatePair, pause: () => sleep(20) };
    return rotateSigningKey(ports, { rotate, leaked: false, now });
  };

  it('the signing key is created once by several parallel and later runs, and no other key is published', async () => {
    const outcomes = await Promise.all([runRotation(false), runRotation(false), runRotation(false)]);
    expect(outcomes.toSorted()).toEqual(['created', 'kept', 'kept']);
    const kid = await readKidInUse();
    expect(await runRotation(false)).toBe('kept');
    expect(await readKidInUse()).toBe(kid);
    const publicKey = expect.objectContaining({ kid });
    expect(await tables.readPublished()).toEqual([{ publicKey, expiresAt: null, activeSince: now }]);
  });

  it('a withdrawn signing key is not restored by a process that had read it before, also after its removal', async () => {
    const soon = new Date(now.getTime() + 60_000);
    const in90Days = new Date(now.getTime() + 90 * DAY_MS);
    const pair = await generatePair();
    const tryToRestore = async () => {
      await tables.setEarlierEnd(pair.publicKey, in90Days);
      const next = await generatePair();
      await tables.publish(next.publicKey, soon);
      const ending = {
        oldKeys: [pair.publicKey],
        oldKeysExpireAt: in90Days,
        publishedUntil: soon,
        activeSince: now,
      };
      expect(await tables.replace({ ...next, ...ending })).toBe(false);
      expect(await tables.replace({ ...pair, ...ending, oldKeys: [] })).toBe(false);
    };
    await tables.publish(pair.publicKey, soon);
    await expect(tables.removeExpired(pair.publicKey, now)).rejects.toThrow('conditional');
    await tables.setEarlierEnd(pair.publicKey, now);
    await tables.publish(pair.publicKey, soon);
    await tryToRestore();
    expect(await readTrustedKids()).not.toContain(pair.publicKey.kid);
    for (let time = 0; time < 2; time++) await tables.removeExpired(pair.publicKey, now);
    await tryToRestore();
    expect(await readTrustedKids()).not.toContain(pair.publicKey.kid);
    expect(await readKidInUse()).toBe('');
  });
});
