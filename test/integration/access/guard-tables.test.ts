import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccountRecord, AccountStore } from '../../../lib/access/account-guard.ts';
import { LOGIN_POLICY, PORTAL_POLICIES, type RatePolicy } from '../../../lib/access/policies.ts';
import { createAccountTable } from '../../../lib/tables/account-table.ts';
import { createLoginGuardTable, createRateCounterTable } from '../../../lib/tables/rate-counter-tables.ts';
import { newId } from '../../support/data/seed.ts';
import {
  createAccountStoreFake,
  createGuardStoreFake,
  createRateCountersFake,
} from '../../support/fakes/guard-stores.ts';
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
  numRuns = 15,
) {
  const property = fc.asyncProperty(all, async (sequence) => {
    const next = take();
    let nowMs = START;
    for (const [passedMs, step] of sequence) await next(step, (nowMs += passedMs));
  });
  await fc.assert(property, { numRuns, examples: [[example]] });
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
      const [table, fake] = [
        createRateCounterTable(engine.client, engine.tables.RateCounters),
        createRateCountersFake(),
      ];
      const subject = newId();
      return async (policy, nowMs) => {
        const key = `${subject}#${policy.group}`;
        const { kind, times } = await table.add(key, policy, nowMs);
        expect({ kind, times: times.filter((time) => time > 0) }).toEqual(await fake.add(key, policy, nowMs));
      };
    });
  });

  it('the table of sources [limits/login]', async () => {
    const fail = 'recordFailure';
    const what = fc.constantFrom(fail, fail, fail, 'recordSuccess', 'readFailureTimes');
    const failures = [0, 0, 0, 0, LOGIN_POLICY.windowMs, 0].map((passedMs): [number, typeof fail] => [passedMs, fail]);
    await walk(steps(what, [LOGIN_POLICY.windowMs, LOGIN_POLICY.lockoutMs]), failures, () => {
      const { client, tables } = engine;
      const [table, fake] = [
        createLoginGuardTable(client, tables.RateCounters, LOGIN_POLICY, 'LOGIN'),
        createGuardStoreFake(),
      ];
      const source = newId();
      return async (step, nowMs) => expect(await table[step](source, nowMs)).toEqual(await fake[step](source, nowMs));
    });
  });

  it('the table of accounts', async () => {
    const policy = { windowMs: 60_000, failuresPerWindow: 4, periodMs: 300_000 };
    const what = fc.record({
      does: fc.constantFrom('recordFailure', 'recordFailure', 'recordFailure', 'recordSuccess'),
      slot: fc.constantFrom('a0', 'a1', 'b0', 'b1', 'c0'),
      change: fc.constantFrom<readonly [needsSlot: boolean, trustedSource: string | null]>(
        [true, 'a'],
        [true, 'b'],
        [true, null],
        [false, 'a'],
      ),
      isNobody: fc.boolean(),
    });
    await walk(
      steps(what, [policy.windowMs, policy.periodMs]),
      [],
      () => {
        const table = createAccountTable(engine.client, engine.tables.Directory, policy, 'LOGIN');
        const fake = createAccountStoreFake(policy);
        const user = { tenant: 'guards.example', userId: newId(), companyId: '1', supplierId: null };
        const accounts = [
          { tenant: user.tenant, loginName: 'ana', user },
          { tenant: user.tenant, loginName: newId(), user: null },
        ];
        const obsolete = new Map<object, readonly string[]>();
        return async ({ does, slot, change: [needsSlot, trustedSource], isNobody }, nowMs) => {
          const account = accounts[isNobody ? 1 : 0]!;
          async function write(store: AccountStore) {
            const record = { obsoleteAttributes: obsolete.get(account) ?? [] } as unknown as AccountRecord;
            const change = { freeSlot: needsSlot ? slot : null, trustedSource };
            const isWritten =
              does === 'recordFailure'
                ? await store.recordFailure(account, record, slot, nowMs)
                : await store.recordSuccess(account, record, change, nowMs);
            const { usedSlots, trustedSources, obsoleteAttributes } = await store.read(account, '192.0.2.1', nowMs);
            if (store === table) obsolete.set(account, obsoleteAttributes);
            return { isWritten, usedSlots, trustedSources };
          }
          expect(await write(table)).toEqual(await write(fake));
        };
      },
      8,
    );
  });
});
