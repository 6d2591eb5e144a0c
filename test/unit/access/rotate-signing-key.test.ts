import { describe, expect, it } from 'vitest';
import { getKeyAgeDays, rotateSigningKey } from '../../../lib/access/rotate-signing-key.ts';
import { type Access, SigningKeysFake } from '../../support/fakes/signing-keys-fake.ts';

const NOW = new Date('2026-07-01T10:00:00.000Z');
const IN_NINETY_DAYS = '2026-09-29T10:00:00.000Z';

const someKeys = { expired: NOW, retired: new Date('2026-07-01T11:00:00.000Z'), old: null };

/** Runs a rotation with the key `old` in use, and logs the accesses to the tables. */
async function run({ rotate = true, leaked = false, keys = new SigningKeysFake(someKeys, 'old') }) {
  const log: string[] = [];
  const access: Access = async (operation, act) => {
    log.push(operation);
    return act();
  };
  return { outcome: await rotateSigningKey(keys.ports(access), { rotate, leaked, now: NOW }), log };
}

it('getKeyAgeDays returns the age of the key in use, and 0 if there is none', () => {
  const publicKey = { kid: 'key' } as never;
  const inUse = { publicKey, expiresAt: null, activeSince: new Date('2026-06-28T22:00:00.000Z') };
  const newer = { publicKey, expiresAt: null, activeSince: new Date('2026-06-30T10:00:00.000Z') };
  const retired = { publicKey, expiresAt: new Date('2026-08-01T00:00:00.000Z'), activeSince: NOW };
  expect(getKeyAgeDays([retired, inUse], NOW)).toBe(2.5);
  expect(getKeyAgeDays([inUse, newer], NOW)).toBe(1);
  expect(getKeyAgeDays([retired], NOW)).toBe(0);
});

describe('rotateSigningKey', () => {
  it('creates the first key in one step, and keeps an existing key unless a rotation is requested', async () => {
    const first = new SigningKeysFake();
    expect(await run({ rotate: false, keys: first })).toEqual({ outcome: 'created', log: ['use first new-1'] });
    expect(first.used).toEqual(['new-1']);
    expect(await run({ rotate: false })).toEqual({ outcome: 'kept', log: ['use first new-1'] });
    expect((await run({ keys: new SigningKeysFake() })).outcome).toBe('created');
  });

  it('uses a new key after every verifier can read it, keeps the old one for 90 days, and removes expired keys', async () => {
    const { outcome, log } = await run({});
    expect(outcome).toBe('rotated');
    const replacement = `use new-1, end old ${IN_NINETY_DAYS}`;
    expect(log).toEqual(['publish new-1', 'pause 2000', 'published', replacement, 'remove expired']);
  });

  it('replaces a leaked key, and ends the leaked key and all retired keys at once', async () => {
    const { outcome, log } = await run({ leaked: true });
    expect(outcome).toBe('rotated');
    const now = NOW.toISOString();
    expect(log.slice(3)).toEqual([`use new-1, end old ${now}`, `end retired ${now}`, 'remove expired']);
  });
});
