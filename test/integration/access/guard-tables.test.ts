import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccountStore, Admission } from '../../../lib/rate-limit/account-guard.ts';
import { LOGIN_POLICY, PORTAL_POLICIES, type RatePolicy } from '../../../lib/rate-limit/policies.ts';
import { createAccountTable } from '../../../lib/storage/access/account-table.ts';
import { createLoginGuardTable } from '../../../lib/storage/access/login-guard-table.ts';
import { createRateCounterTable } from '../../../lib/storage/access/rate-counter-table.ts';
import { newId } from '../../support/data/seed.ts';
import { accountStoreFake, guardStoreFake, rateCountersFake } from '../../support/fakes/guard-stores.ts';
import { useEngine } from '../../support/setup/use-engine.ts';

const START = Date.parse('2026-05-01T10:00:00.000Z');
const engine = useEngine();

/** Steps, each with the milliseconds that pass before it: bursts, the edges of windows and pauses, and between. */
function steps<Step>(step: fc.Arbitrary<Step>, edges: readonly number[]) {
  const passedMs = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(0, 0, 0, 1, 10) },
    { weight: 2, arbitrary: fc.integer({ min: 100, max: 9_000 }) },
    { weight: 2, arbitrary: fc.constantFrom(...edges.flatMap((edge) => [edge - 1, edge, edge + 1])) },
  );
  return fc.array(fc.tuple(passedMs, step), { minLength: 30, maxLength: 80, size: 'max' });
}

/** Takes the steps of an example and of random sequences, one after the other. */
async function walk<Step>(
  all: fc.Arbitrary<[number, Step][]>,
  example: [number, Step][],
  take: () => (step: Step, nowMs: number) => Promise<void>,
) {
  const property = fc.asyncProperty(all, async (sequence) => {
    const next = take();
    let nowMs = START;
    for (const [passedMs, step] of sequence) await next(step, (nowMs += passedMs));
  });
  await fc.assert(property, { numRuns: 15, examples: [[example]] });
}

// The rules of limits and guards are proved over stores in memory.
describe('like its store in memory decides, and remembers, whatever comes when', () => {
  it('the table of limits [limits/sliding-window]', async () => {
    const two = { group: 'two', limit: 2, windowMs: 60_000 };
    const anyPolicy = fc.constantFrom(PORTAL_POLICIES.read, PORTAL_POLICIES.write, two);
    const edge: [number, RatePolicy][] = [
      [0, two],
      [1, two],
      [59_998, two],
      [1, two],
      [0, two],
      [1, two],
    ];
    await walk(steps(anyPolicy, [30_000, 60_000]), edge, () => {
      const [table, fake] = [createRateCounterTable(engine.client, engine.tables.RateCounters), rateCountersFake()];
      const subject = newId();
      return async (policy, nowMs) => {
        const key = `${subject}#${policy.group}`;
        const { kind, times } = await table.add(key, policy, nowMs);
        expect({ kind, times: times.filter((time) => time > 0) }).toEqual(await fake.add(key, policy, nowMs));
      };
    });
  });

  it('the table of sources [limits/login]', async () => {
    const what = fc.constantFrom('fail' as const, 'fail', 'fail', 'succeed', 'failures');
    const failures = [0, 0, 0, 0, LOGIN_POLICY.windowMs, 0].map((passedMs): [number, 'fail'] => [passedMs, 'fail']);
    await walk(steps(what, [LOGIN_POLICY.windowMs, LOGIN_POLICY.blockMs]), failures, () => {
      const { client, tables } = engine;
      const [table, fake] = [
        createLoginGuardTable(client, tables.RateCounters, LOGIN_POLICY, 'LOGIN'),
        guardStoreFake(),
      ];
      const source = newId();
      return async (step, nowMs) => expect(await table[step](source, nowMs)).toEqual(await fake[step](source, nowMs));
    });
  });

  it('the table of accounts', async () => {
    const policy = { limit: 3, windowMs: 600_000, pausesMs: [60_000, 120_000, 240_000] };
    const register = fc.constantFrom('email', 'usernameWithKey');
    const admission: fc.Arbitrary<Admission> = fc.oneof(
      fc.record({ kind: fc.constant('budget'), register } as const),
      fc.record({ kind: fc.constant('pause'), register, pause: fc.constantFrom(0, 1, 2) } as const),
      fc.record({ kind: fc.constant('known') } as const),
    );
    const what = fc.record({
      admission,
      does: fc.constantFrom('fail', 'fail', 'fail', 'noteSource'),
      name: fc.constantFrom('a', 'b', 'c'),
    });
    await walk(steps(what, [...policy.pausesMs, policy.windowMs]), [], () => {
      const table = createAccountTable(engine.client, engine.tables.Directory, policy);
      const fake = accountStoreFake(policy);
      const user = { tenant: 'guards.example', userId: newId(), companyId: '1', supplierId: null };
      const account = { tenant: user.tenant, loginName: 'ana', user, isUsername: false };
      const remembered = async (store: AccountStore) => {
        const { registers, recent, knownSources } = await store.read(account, '');
        return { registers, recent, knownSources };
      };
      return async ({ admission: wanted, does, name }, nowMs) => {
        const { recent, registers } = await fake.read(account, '');
        // Nobody waits for a pause before the failures are used up.
        const isEarly = wanted.kind === 'pause' && registers[wanted.register].times[0] === 0;
        const admitted: Admission = isEarly ? { kind: 'budget', register: wanted.register } : wanted;
        const counted = recent.count % 4 === 0 ? { fromMs: nowMs, count: 1 } : { ...recent, count: recent.count + 1 };
        const decide = (store: AccountStore) =>
          does === 'fail'
            ? store.fail(account, admitted, counted, nowMs)
            : store.noteSource(account, admitted, { name, forget: name === 'a' ? ['b', 'c'] : [] }, nowMs);
        expect(await decide(table)).toEqual(await decide(fake));
        expect(await remembered(table)).toEqual(await remembered(fake));
      };
    });
  });
});
