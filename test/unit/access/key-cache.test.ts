import { describe, expect, it, vi } from 'vitest';
import { generateSigningKey } from '../../../lib/access/sign-token.ts';
import { createPublicKeyCache } from '../../../lib/access/tokens.ts';
import { useDate } from '../../support/setup/use-date.ts';

const [first, second] = await Promise.all([generateSigningKey('first'), generateSigningKey('second')]);
const ONE_MINUTE_MS = 60_000;
useDate(Date.parse('2026-07-01T10:00:00Z'));

const passTime = (ms: number) => vi.setSystemTime(Date.now() + ms);

/** Creates a cache of keys that the test sets. `reads` counts the reads. */
function createKeyCache() {
  const source = { reads: 0, value: [first.publicKey], readDelay: Promise.resolve() };
  const read = async () => {
    source.reads += 1;
    const { value, readDelay } = source;
    await readDelay;
    return value;
  };
  const resolve = createPublicKeyCache(read);
  return { source, find: (kid?: string) => resolve(kid === undefined ? {} : { kid }) };
}

describe('the cache of public keys', () => {
  it('reads the keys once, and again for an unknown key id, so that a new key is found at once', async () => {
    const { source, find } = createKeyCache();
    expect((await find('first')).algorithm).toMatchObject({ name: 'ECDSA', namedCurve: 'P-256' });
    expect(await find('first')).toBe(await find('first'));
    expect(source.reads).toBe(1);
    source.value = [first.publicKey, second.publicKey];
    passTime(1_001);
    expect((await find('second')).type).toBe('public');
    expect(source.reads).toBe(2);
  });

  it('reads the keys at most once a second, also for many unknown or missing key ids', async () => {
    const { source, find } = createKeyCache();
    await expect(find()).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    passTime(1_000);
    for (let n = 0; n < 100; n++)
      await expect(find(`invented-${n}`)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    expect(source.reads).toBe(1);
  });

  it('keeps the keys for a minute, or until the clock is set back', async () => {
    const { source, find } = createKeyCache();
    await find('first');
    for (const [passedMs, reads] of [
      [ONE_MINUTE_MS, 1],
      [1, 2],
      [-ONE_MINUTE_MS - 1, 3],
    ] as const) {
      passTime(passedMs);
      await find('first');
      expect(source.reads).toBe(reads);
    }
    source.value = [second.publicKey];
    passTime(ONE_MINUTE_MS + 1);
    await expect(find('first'), 'the key was withdrawn').rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  });

  it('keeps the keys for a minute from the start of the read, so that a withdrawn key is not accepted for longer', async () => {
    const { source, find } = createKeyCache();
    const { promise, resolve } = Promise.withResolvers<void>();
    source.readDelay = promise;
    const reading = find('first');
    source.value = [second.publicKey];
    passTime(5_000);
    resolve();
    await reading;
    passTime(55_000);
    expect((await find('first')).type).toBe('public');
    passTime(1);
    await expect(find('first')).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
  });

  it('throws SERVICE_UNAVAILABLE if the keys cannot be read', async () => {
    const failing = createPublicKeyCache(() => Promise.reject(new Error('no table')));
    await expect(failing({ kid: 'first' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
