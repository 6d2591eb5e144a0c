import { describe, expect, it } from 'vitest';
import { cachedPublicKeys } from '../../../lib/auth/key-cache.ts';
import { generateSigningKey } from '../../../lib/auth/key-pairs.ts';

const [first, second] = await Promise.all([generateSigningKey('first'), generateSigningKey('second')]);
const ONE_MINUTE_MS = 60_000;

/** A clock that the test moves, and a source that counts how often it is read. */
function aSource<Value>(value: Value) {
  const source = {
    nowMs: Date.parse('2026-07-01T10:00:00Z'),
    reads: 0,
    value,
    clock: { now: () => new Date(source.nowMs) },
    read: () => {
      source.reads += 1;
      return Promise.resolve(source.value);
    },
  };
  return source;
}

function aKeyCache() {
  const source = aSource([first.publicKey]);
  const resolve = cachedPublicKeys(source.read, source.clock);
  const find = (kid?: string) => resolve(kid === undefined ? {} : { kid });
  return { source, find };
}

describe('the published keys', () => {
  it('are read once and found by their key id', async () => {
    const { source, find } = aKeyCache();
    expect((await find('first')).algorithm).toMatchObject({ name: 'ECDSA', namedCurve: 'P-256' });
    expect(await find('first')).toBe(await find('first'));
    expect(source.reads).toBe(1);
  });

  it('are read again for an unknown key id, so that a new key works at once', async () => {
    const { source, find } = aKeyCache();
    await find('first');
    source.value = [first.publicKey, second.publicKey];
    source.nowMs += 1_001;
    expect((await find('second')).type).toBe('public');
    expect(source.reads).toBe(2);
  });

  it('are not read more than once a second, however many key ids are invented', async () => {
    const { source, find } = aKeyCache();
    await find('first');
    source.nowMs += 1_000;
    for (let n = 0; n < 100; n++)
      await expect(find(`invented-${n}`)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    expect(source.reads).toBe(1);
  });

  it('do not hold a key for a token without a key id', async () => {
    await expect(aKeyCache().find()).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  });

  it('are kept for a minute, so that a withdrawn key stops working then', async () => {
    const { source, find } = aKeyCache();
    await find('first');
    source.value = [second.publicKey];
    source.nowMs += ONE_MINUTE_MS;
    await find('first');
    source.nowMs += 1;
    await expect(find('first')).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  });

  it('are the same objects after each reading, so that what they have verified is known again', async () => {
    const { source, find } = aKeyCache();
    const key = await find('first');
    source.nowMs += ONE_MINUTE_MS + 1;
    expect(await find('first')).toBe(key);
    source.value = [{ ...second.publicKey, kid: 'first' }];
    source.nowMs += ONE_MINUTE_MS + 1;
    expect(await find('first')).not.toBe(key);
    expect(source.reads).toBe(3);
  });

  it('are read again when the clock has been set back', async () => {
    const { source, find } = aKeyCache();
    await find('first');
    source.nowMs -= ONE_MINUTE_MS + 1;
    await find('first');
    expect(source.reads).toBe(2);
  });

  it('that cannot be read make the verification impossible: SERVICE_UNAVAILABLE', async () => {
    const failing = cachedPublicKeys(() => Promise.reject(new Error('no table')), { now: () => new Date() });
    await expect(failing({ kid: 'first' })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});
