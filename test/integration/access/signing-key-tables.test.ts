import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generateSigningKey } from '../../../lib/auth/key-pairs.ts';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { rotateSigningKey, type SigningKeyTables } from '../../../lib/services/rotate-signing-key.ts';
import { createPublicKeyReader, createSigningKeyReader } from '../../../lib/storage/access/signing-key-tables.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { newId } from '../../support/data/seed.ts';
import { signingKeyTables } from '../../support/service/tokens.ts';

describe('the signing key in its tables', () => {
  let engine: TestEngine;
  let tables: SigningKeyTables;
  let nowMs: number;
  beforeEach(async () => {
    engine = await startEngine();
    tables = signingKeyTables(engine);
    nowMs = Date.parse('2026-07-01T10:00:00Z');
  });
  afterEach(() => engine.close());

  const clock = { now: () => new Date(nowMs) };
  const trustedKids = async () => {
    const keys = await createPublicKeyReader(engine.client, engine.tables.Directory, clock)();
    return keys.map(({ kid }) => kid).toSorted();
  };
  const kidInUse = async () => (await createSigningKeyReader(engine.client, engine.tables.SigningKeys)())?.kid ?? '';
  const newPair = () => generateSigningKey(newId());
  const run = (rotate: boolean, leaked = false) => {
    const ports = { tables, generate: newPair, pause: () => pause(20) };
    return rotateSigningKey(ports, { rotate, leaked, now: clock.now() });
  };
  /** Keys that were published, and end then. */
  async function publish(count: number, expiresAt: Date) {
    const pairs = await Promise.all(Array.from({ length: count }, newPair));
    await Promise.all(pairs.map(({ publicKey }) => tables.publish(publicKey, expiresAt)));
  }

  it('is made once, however often and however many at once ask for one; the others leave nothing', async () => {
    const outcomes = await Promise.all([run(false), run(false), run(false)]);
    expect(outcomes.toSorted()).toEqual(['created', 'kept', 'kept']);
    const kid = await kidInUse();
    expect(await run(false)).toBe('kept');
    expect(await kidInUse()).toBe(kid);
    expect(await tables.published()).toEqual([{ publicKey: expect.objectContaining({ kid }), expiresAt: null }]);
  });

  it('is followed by another on rotation, and stays published for 90 days', async () => {
    await run(false);
    const first = await kidInUse();
    expect(await run(true)).toBe('rotated');
    const second = await kidInUse();
    expect(second).not.toBe(first);
    expect(await trustedKids()).toEqual([first, second].toSorted());
    nowMs += 90 * DAY_MS - 1;
    expect(await trustedKids()).toEqual([first, second].toSorted());
    nowMs += 1;
    expect(await trustedKids()).toEqual([second]);
  });

  it('is found among more than a page of others, and a rotation removes all that have expired', async () => {
    await publish(1_005, new Date(nowMs + 1_000));
    await publish(150, clock.now());
    await run(false);
    expect(await trustedKids()).toHaveLength(1_006);
    expect(await run(true)).toBe('rotated');
    expect(await tables.published()).toHaveLength(1_007);
    nowMs += 1_000;
    expect(await run(true)).toBe('rotated');
    expect(await tables.published()).toHaveLength(3);
  });

  describe('that was withdrawn', () => {
    const soon = () => new Date(nowMs + 60_000);
    const in90Days = () => new Date(nowMs + 90 * DAY_MS);

    it('is not brought back by whoever had read it before, also when it has been removed', async () => {
      const pair = await newPair();
      const putBack = async () => {
        await tables.end(pair.publicKey, in90Days());
        const next = await newPair();
        await tables.publish(next.publicKey, soon());
        const ending = { old: [pair.publicKey], oldExpireAt: in90Days(), publishedUntil: soon() };
        expect(await tables.replace({ ...next, ...ending })).toEqual({ kind: 'refused' });
        expect(await tables.replace({ ...pair, ...ending, old: [] })).toEqual({ kind: 'refused' });
      };
      await tables.publish(pair.publicKey, soon());
      await tables.end(pair.publicKey, clock.now());
      await tables.publish(pair.publicKey, soon());
      await putBack();
      expect(await trustedKids()).not.toContain(pair.publicKey.kid);
      await tables.removeExpired(pair.publicKey, clock.now());
      await putBack();
      expect(await trustedKids()).not.toContain(pair.publicKey.kid);
      expect(await kidInUse()).toBe('');
    });

    it('is removed once it has expired, and not before', async () => {
      const { publicKey } = await newPair();
      await tables.publish(publicKey, soon());
      await expect(tables.removeExpired(publicKey, clock.now())).rejects.toThrow('conditional');
      await tables.removeExpired(publicKey, soon());
      await tables.removeExpired(publicKey, soon());
      expect(await tables.published()).toEqual([]);
    });
  });
});
