import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Rotation, rotateSigningKey } from '../../lib/access/rotate-signing-key.ts';
import { type Access, SigningKeysFake } from '../support/fakes/signing-keys-fake.ts';

const NOW = new Date('2026-07-01T10:00:00.000Z');

/** A rotation that crashes after so many accesses to the tables, if it does. */
type Run = Pick<Rotation, 'rotate' | 'leaked'> & { readonly crashesAfter: number | null };

const crashesAfter = fc.option(fc.nat({ max: 8 }), { freq: 2 });
const rotations = fc.record({ rotate: fc.constant(true), leaked: fc.boolean(), crashesAfter });
const ordinaryRuns = fc.record({ rotate: fc.boolean(), leaked: fc.constant(false), crashesAfter });
const sideBySide = (run: fc.Arbitrary<Run>) => fc.array(run, { minLength: 1, maxLength: 4 });

const someKeys = { expired: NOW, retired: new Date(NOW.getTime() + 1), old: null };

function trusts(keys: SigningKeysFake, kid: string): boolean {
  const expiresAt = keys.published.get(kid);
  return expiresAt === null || (expiresAt !== undefined && expiresAt > NOW);
}

/**
 * Does the runs in the order of the scheduler; after each access, what is in use must be trusted and what was withdrawn
 * must not.
 */
async function runAll(keys: SigningKeysFake, runs: readonly Run[], scheduler: fc.Scheduler): Promise<void> {
  const withdrawn = new Set<string>();
  const faults: string[] = [];
  const check = (when: string) => {
    const inUse = keys.used.at(-1);
    if (inUse !== undefined && !trusts(keys, inUse)) faults.push(`${when}: ${inUse} is in use and not trusted`);
    for (const kid of withdrawn) if (trusts(keys, kid)) faults.push(`${when}: ${kid} is trusted again`);
  };

  for (const { rotate, leaked, crashesAfter: lastAccess } of runs) {
    let accesses = 0;
    let usedBefore: readonly string[] = [];
    const access: Access = async (operation, act) => {
      if (accesses++ === lastAccess) return new Promise<never>(() => {});
      await scheduler.schedule(Promise.resolve(), operation);
      if (operation.startsWith('use')) usedBefore = [...keys.used];
      const result = act();
      check(operation);
      return result;
    };
    const rotation = async () => {
      await rotateSigningKey(keys.ports(access), { rotate, leaked, now: NOW });
      if (leaked) for (const kid of [...usedBefore, 'retired']) withdrawn.add(kid);
      check('the end of a rotation');
    };
    void rotation();
  }
  await scheduler.waitIdle();
  expect(faults).toEqual([]);
}

describe('runs of the rotation side by side, each crashing anywhere or not at all', () => {
  it('leave a trusted key in use, never bring back one that was withdrawn, and the next one removes what has expired', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), sideBySide(rotations), async (scheduler, runs) => {
        const keys = new SigningKeysFake(someKeys, 'old');
        await runAll(keys, runs, scheduler);

        const inUse = [...keys.published].filter(([, expiresAt]) => expiresAt === null).map(([kid]) => kid);
        expect(inUse).toEqual([keys.used.at(-1)]);
        const later = new Date(NOW.getTime() + 3_600_000);
        await rotateSigningKey(
          keys.ports(async (_, act) => act()),
          { rotate: true, leaked: false, now: later },
        );
        expect([...keys.published.values()].filter((expiresAt) => expiresAt && expiresAt <= later)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('make the first key once, and leave every key that was in use trusted unless one has leaked', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), sideBySide(ordinaryRuns), async (scheduler, runs) => {
        const keys = new SigningKeysFake();
        await runAll(keys, runs, scheduler);

        expect(keys.used.filter((kid) => !trusts(keys, kid))).toEqual([]);
        if (runs.some((run) => run.crashesAfter === null)) expect(keys.used).not.toEqual([]);
        if (!runs.some(({ rotate }) => rotate)) expect(keys.used.length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 500 },
    );
  });
});
