import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Rotation, rotateSigningKey } from '../../lib/access/rotate-signing-key.ts';
import { type Access, SigningKeysFake } from '../support/fakes/signing-keys-fake.ts';

const NOW = new Date('2026-07-01T10:00:00.000Z');

/** A rotation that crashes after this number of accesses to the tables, or not at all (null). */
type Run = Pick<Rotation, 'rotate' | 'leaked'> & { readonly crashesAfter: number | null };

const crashesAfter = fc.option(fc.nat({ max: 8 }), { freq: 2 });
const rotations = fc.record({ rotate: fc.constant(true), leaked: fc.boolean(), crashesAfter });
const ordinaryRuns = fc.record({ rotate: fc.boolean(), leaked: fc.constant(false), crashesAfter });
const generateRuns = (run: fc.Arbitrary<Run>) => fc.array(run, { minLength: 1, maxLength: 4 });

const someKeys = { expired: NOW, retired: new Date(NOW.getTime() + 1), old: null };

function isTrusted(keys: SigningKeysFake, kid: string): boolean {
  const expiresAt = keys.published.get(kid);
  return expiresAt === null || (expiresAt !== undefined && expiresAt > NOW);
}

/**
 * Executes the runs in the order of the scheduler. Checks after each access that the key in use is trusted, and that no
 * withdrawn key is trusted.
 */
async function runAll(keys: SigningKeysFake, runs: readonly Run[], scheduler: fc.Scheduler): Promise<void> {
  const withdrawn = new Set<string>();
  const violations: string[] = [];
  const check = (when: string) => {
    const inUse = keys.used.at(-1);
    if (inUse !== undefined && !isTrusted(keys, inUse)) violations.push(`${when}: ${inUse} is in use and not trusted`);
    for (const kid of withdrawn) if (isTrusted(keys, kid)) violations.push(`${when}: ${kid} is trusted again`);
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
    const runRotation = async () => {
      await rotateSigningKey(keys.ports(access), { rotate, leaked, now: NOW });
      if (leaked) for (const kid of [...usedBefore, 'retired']) withdrawn.add(kid);
      check('the end of a rotation');
    };
    void runRotation();
  }
  await scheduler.waitIdle();
  expect(violations).toEqual([]);
}

it('crashed rotations leave a trusted key in use and no withdrawn key trusted, and the next one removes expired keys', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), generateRuns(rotations), async (scheduler, runs) => {
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

it('crashed rotations create the first key once, and keep every used key trusted if no key has leaked', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), generateRuns(ordinaryRuns), async (scheduler, runs) => {
      const keys = new SigningKeysFake();
      await runAll(keys, runs, scheduler);

      expect(keys.used.filter((kid) => !isTrusted(keys, kid))).toEqual([]);
      if (runs.some((run) => run.crashesAfter === null)) expect(keys.used).not.toEqual([]);
      if (!runs.some(({ rotate }) => rotate)) expect(keys.used.length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 500 },
  );
});
