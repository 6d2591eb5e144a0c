import { describe, expect, it } from 'vitest';
import { type PublishedKey, rotateSigningKey, type SigningKeyStore } from '../../lib/usecases/rotate-signing-key.ts';

const NOW = new Date('2026-07-01T10:00:00.000Z');
const NINETY_DAYS_LATER = new Date('2026-09-29T10:00:00.000Z');

/** A store with a private key in use (null: none), that writes down what is done to it. */
function aStore(current: string | null, published: PublishedKey<string>[] = []) {
  const log: unknown[] = [];
  const store: SigningKeyStore<string, string> = {
    generate: () => Promise.resolve({ publicKey: 'public new', privateKey: 'new' }),
    published: () => Promise.resolve(published),
    publish: ({ publicKey, expiresAt }) => Promise.resolve(void log.push(['publish', publicKey, expiresAt])),
    use: (privateKey, { replace }) => {
      const used = replace || current === null;
      if (used) log.push(['use', privateKey]);
      return Promise.resolve(used);
    },
    pause: (ms) => Promise.resolve(void log.push(['pause', ms])),
  };
  return { store, log };
}

const old = { publicKey: 'public old', expiresAt: null };
const retired = { publicKey: 'public older', expiresAt: new Date('2026-07-01T11:00:00.000Z') };

describe('the signing key', () => {
  it('is made when there is none: published before it is used', async () => {
    const { store, log } = aStore(null);
    expect(await rotateSigningKey(store, { rotate: false, leaked: false, now: NOW })).toBe('created');
    expect(log).toEqual([
      ['publish', 'public new', null],
      ['use', 'new'],
    ]);
  });

  it('stays in use when there is one and no rotation is asked for', async () => {
    const { store, log } = aStore('old', [old]);
    expect(await rotateSigningKey(store, { rotate: false, leaked: false, now: NOW })).toBe('kept');
    expect(log).toEqual([
      ['publish', 'public new', null],
      ['publish', 'public new', NOW],
    ]);
  });

  it('is replaced on rotation, once every verifier can know the new one; the old one verifies for 90 days more', async () => {
    const { store, log } = aStore('old', [retired, old]);
    expect(await rotateSigningKey(store, { rotate: true, leaked: false, now: NOW })).toBe('rotated');
    expect(log).toEqual([
      ['publish', 'public new', null],
      ['pause', 2000],
      ['use', 'new'],
      ['publish', 'public old', NINETY_DAYS_LATER],
    ]);
  });

  it('that has leaked is replaced, and every older one stops verifying at once, the retired ones too', async () => {
    const { store, log } = aStore('old', [retired, old]);
    expect(await rotateSigningKey(store, { rotate: true, leaked: true, now: NOW })).toBe('rotated');
    expect(log).toEqual([
      ['publish', 'public new', null],
      ['pause', 2000],
      ['use', 'new'],
      ['publish', 'public older', NOW],
      ['publish', 'public old', NOW],
    ]);
  });

  it('is made by a rotation too when there was none', async () => {
    const { store } = aStore(null);
    expect(await rotateSigningKey(store, { rotate: true, leaked: false, now: NOW })).toBe('created');
  });
});
