import { describe, expect, it } from 'vitest';
import { createPublicKeyCache, generateSigningKey } from '../../../lib/access/tokens.ts';

const [first, second] = await Promise.all([generateSigningKey('first'), generateSigningKey('second')]);
const ONE_MINUTE_MS = 60_000;

/** Creates a cache over keys that the test sets, with a clock that the test moves. `reads` counts the reads. */
function aKeyCache() {
  const source = {
    nowMs: Date.parse('2026-07-01T10:00:00Z'),
    reads: 0,
    value: [first.publicKey],
    answered: Promise.resolve(),
  };
  const read = async () => {
    source.reads += 1;
    const { value, answered } = source;
    await answered;
    return value;
  };
  const resolve = createPublicKeyCache(read, { now: () => new Date(source.nowMs) });
  return { source, find: (kid?: string) => resolve(kid === undefined ? {} : { kid }) };
}

describe('the published keys', () => {
  it('are read once and found by their key id; again for an unknown one, so that a new key works at once', async () => {
    const { source, find } = aKeyCache();
    expect((await find('first')).algorithm).toMatchObject({ name: 'ECDSA', namedCurve: 'P-256' });
    expect(await find('first')).toBe(await find('first'));
    expect(source.reads).toBe(1);
    source.value = [first.publicKey, second.publicKey];
    source.nowMs += 1_001;
    expect((await find('second')).type).toBe('public');
    expect(source.reads).toBe(2);
  });

  it('are not read more than once a second, however many key ids are invented or left out', async () => {
    const { source, find } = aKeyCache();
    await expect(find()).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    source.nowMs += 1_000;
    for (let n = 0; n < 100; n++)
      await expect(find(`invented-${n}`)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    expect(source.reads).toBe(1);
  });

  it('are kept for a minute, or until the clock is set back, and are the same objects while they are the same', async () => {
    const { source, find } = aKeyCache();
    const key = await find('first');
    for (const [passedMs, reads] of [
      [ONE_MINUTE_MS, 1],
      [1, 2],
      [-ONE_MINUTE_MS - 1, 3],
    ] as const) {
      source.nowMs += passedMs;
      expect([(await find('first')) === key, source.reads]).toEqual([true, reads]);
    }
    source.value = [{ ...second.publicKey, kid: 'first' }];
    source.nowMs += ONE_MINUTE_MS + 1;
    expect(await find('first')).not.toBe(key);
    source.value = [second.publicKey];
    source.nowMs += ONE_MINUTE_MS + 1;
    await expect(find('first'), 'which was withdrawn').rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  });

  it('are kept for a minute from the start of their read, so that a withdrawn key is not accepted for longer', async () => {
    const { source, find } = aKeyCache();
    const { promise, resolve } = Promise.withResolvers<void>();
    source.answered = promise;
    const reading = find('first');
    source.value = [second.publicKey];
    source.nowMs += 5_000;
    resolve();
    await reading;
    source.nowMs += 55_000;
    expect((await find('first')).type).toBe('public');
    source.nowMs += 1;
    await expect(find('first')).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  });

  it('that cannot be read make the verification impossible: SERVICE_UNAVAILABLE', async () => {
    const failing = createPublicKeyCache(() => Promise.reject(new Error('no table')), { now: () => new Date() });
    await expect(failing({ kid: 'first' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
