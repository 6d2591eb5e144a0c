import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generateSigningKey } from '../../lib/auth/key-pairs.ts';
import {
  createPublicKeyReader,
  createPublicKeyWriter,
  createSigningKeyReader,
  createSigningKeyWriter,
} from '../../lib/storage/signing-key-tables.ts';
import { rotateSigningKey } from '../../lib/usecases/rotate-signing-key.ts';
import { DAY_MS } from '../../lib/domain/iso-date.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { newId } from '../support/seed.ts';

describe('the signing key in its tables', () => {
  let engine: TestEngine;
  let nowMs: number;
  beforeEach(async () => {
    engine = await startEngine();
    nowMs = Date.parse('2026-07-01T10:00:00Z');
  });
  afterEach(() => engine.close());

  const clock = { now: () => new Date(nowMs) };
  const published = () => createPublicKeyReader(engine.client, engine.tables.Directory, clock)();
  const publishedKids = async () => (await published()).map(({ publicKey }) => publicKey.kid).toSorted();
  const kidInUse = async () => (await createSigningKeyReader(engine.client, engine.tables.SigningKeys)())?.kid ?? '';
  const run = (rotate: boolean, leaked = false) =>
    rotateSigningKey(
      {
        generate: () => generateSigningKey(newId()),
        published,
        publish: createPublicKeyWriter(engine.client, engine.tables.Directory),
        use: createSigningKeyWriter(engine.client, engine.tables.SigningKeys),
        pause: () => Promise.resolve(),
      },
      { rotate, leaked, now: clock.now() },
    );

  it('is made once, however often and however many at once ask for one', async () => {
    const outcomes = await Promise.all([run(false), run(false), run(false)]);
    expect(outcomes.filter((outcome) => outcome !== 'kept')).toHaveLength(1);
    const kid = await kidInUse();
    expect(await run(false)).toBe('kept');
    expect(await kidInUse()).toBe(kid);
    expect(await publishedKids()).toContain(kid);
  });

  it('is in use when the answer to the attempt that stored it was lost', async () => {
    const use = createSigningKeyWriter(engine.client, engine.tables.SigningKeys);
    const { privateKey } = await generateSigningKey(newId());
    expect(await use(privateKey, { replace: false })).toBe(true);
    expect(await use(privateKey, { replace: false })).toBe(true);
    expect(await use((await generateSigningKey(newId())).privateKey, { replace: false })).toBe(false);
  });

  it('that was withdrawn is not brought back by a rotation that had read it before', async () => {
    await run(false);
    const [leaked] = await published();
    await run(true, true);
    const kids = await publishedKids();
    expect(kids).not.toContain(leaked?.publicKey.kid);
    const expiresAt = new Date(nowMs + 90 * DAY_MS);
    await createPublicKeyWriter(engine.client, engine.tables.Directory)({ ...leaked!, expiresAt });
    expect(await publishedKids()).toEqual(kids);
  });

  it('is followed by another on rotation, and stays published for 90 days', async () => {
    await run(false);
    const first = await kidInUse();
    expect(await run(true)).toBe('rotated');
    const second = await kidInUse();
    expect(second).not.toBe(first);
    expect(await publishedKids()).toEqual([first, second].toSorted());
    nowMs += 90 * DAY_MS - 1;
    expect(await publishedKids()).toEqual([first, second].toSorted());
    nowMs += 1;
    expect(await publishedKids()).toEqual([second]);
  });
});
