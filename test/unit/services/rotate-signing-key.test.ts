import { describe, expect, it } from 'vitest';
import { type Rotation, rotateSigningKey } from '../../../lib/services/rotate-signing-key.ts';
import { type Access, SigningKeysFake } from '../../support/fakes/signing-keys-fake.ts';

const NOW = new Date('2026-07-01T10:00:00.000Z');
const IN_NINETY_DAYS = '2026-09-29T10:00:00.000Z';

const someKeys = { expired: NOW, retired: new Date('2026-07-01T11:00:00.000Z'), old: null };

/** What is asked for, and what happens before each access to the tables. */
type Run = Partial<Pick<Rotation, 'rotate' | 'leaked'>> & { readonly before?: (operation: string) => void };

async function run(keys: SigningKeysFake, { rotate = true, leaked = false, before }: Run) {
  const log: string[] = [];
  const access: Access = async (operation, act) => {
    before?.(operation);
    log.push(operation);
    return act();
  };
  return { outcome: await rotateSigningKey(keys.ports(access), { rotate, leaked, now: NOW }), log };
}

describe('the signing key', () => {
  it('is made when there is none, published and in use in one step', async () => {
    const keys = new SigningKeysFake();
    expect(await run(keys, { rotate: false })).toEqual({ outcome: 'created', log: ['use first new-1'] });
    expect(keys.used).toEqual(['new-1']);
    expect((await run(new SigningKeysFake(), {})).outcome).toBe('created');
  });

  it('stays in use when there is one and no rotation is asked for: nothing is published', async () => {
    const keys = new SigningKeysFake(someKeys, 'old');
    expect(await run(keys, { rotate: false })).toEqual({ outcome: 'kept', log: ['use first new-1'] });
    expect(Object.fromEntries(keys.published)).toEqual(someKeys);
  });

  it('is replaced once every verifier can know the new one; the old one verifies for 90 days, the expired go', async () => {
    const { outcome, log } = await run(new SigningKeysFake(someKeys, 'old'), {});
    expect(outcome).toBe('rotated');
    const replaced = `use new-1, end old ${IN_NINETY_DAYS}`;
    expect(log).toEqual(['publish new-1', 'pause 2000', 'published', replaced, 'remove expired']);
  });

  it('that has leaked is replaced, and every older one stops verifying at once, the retired ones too', async () => {
    const { outcome, log } = await run(new SigningKeysFake(someKeys, 'old'), { leaked: true });
    expect(outcome).toBe('rotated');
    const now = NOW.toISOString();
    expect(log.slice(3)).toEqual([`use new-1, end old ${now}`, `end retired ${now}`, 'remove expired']);
  });

  it('is made anew when the one in use was replaced in the meantime', async () => {
    const keys = new SigningKeysFake(someKeys, 'old');
    const before = (operation: string) => {
      if (operation.startsWith('use new-1')) keys.published.set('old', NOW).set('other', null);
    };
    const { outcome, log } = await run(keys, { before });
    expect(outcome).toBe('rotated');
    const replaced = `use new-2, end other ${IN_NINETY_DAYS}`;
    expect(log.slice(4, 8)).toEqual(['publish new-2', 'pause 2000', 'published', replaced]);
    expect(keys.used).toEqual(['old', 'new-2']);
  });
});
