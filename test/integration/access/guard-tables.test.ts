import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY_MS } from '../../../lib/domain/iso-date.ts';
import { LOGIN_POLICY, PORTAL_POLICIES, type RatePolicy } from '../../../lib/domain/policies.ts';
import { getItem } from '../../../lib/tables/dynamodb/reads.ts';
import { readInteger } from '../../../lib/tables/dynamodb/values.ts';
import { createLoginGuardTable } from '../../../lib/tables/login-guard-table.ts';
import { createRateCounterTable } from '../../../lib/tables/rate-counter-table.ts';
import { newId } from '../../support/data/seed.ts';
import { createGuardStoreFake, createRateCountersFake } from '../../support/fakes/guard-stores.ts';
import { useEngine } from '../../support/setup/use-engine.ts';
import { proves } from '../../rules/proves.ts';

const START = Date.parse('2026-05-01T10:00:00.000Z');
const engine = useEngine();

/** Builds sequences of steps and the milliseconds before each: bursts, edges of windows and lockouts, times between. */
function buildSteps<Step>(step: fc.Arbitrary<Step>, edges: readonly number[]) {
  const passedMs = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(0, 0, 0, 1, 10) },
    { weight: 2, arbitrary: fc.integer({ min: 100, max: 9_000 }) },
    { weight: 2, arbitrary: fc.constantFrom(...edges.flatMap((edge) => [edge - 1, edge, edge + 1])) },
  );
  return fc.array(fc.tuple(passedMs, step), { minLength: 30, maxLength: 80, size: 'max' });
}

/** Runs the steps of an example and of random sequences, one after the other. */
async function runSteps<Step>(
  sequences: fc.Arbitrary<[number, Step][]>,
  example: [number, Step][],
  createRunner: () => (step: Step, nowMs: number) => Promise<void>,
) {
  const property = fc.asyncProperty(sequences, async (sequence) => {
    const runStep = createRunner();
    let nowMs = START;
    for (const [passedMs, step] of sequence) await runStep(step, (nowMs += passedMs));
  });
  await fc.assert(property, { numRuns: 15, examples: [[example]] });
}

// Unit tests check the rules of limits and guards with in-memory stores.
it('the table of limits behaves like its in-memory store in random sequences of requests', async () => {
  proves('limits/sliding-window');
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
  await runSteps(buildSteps(anyPolicy, [30_000, 60_000]), edge, () => {
    const [table, fake] = [createRateCounterTable(engine.client, engine.tables.RateCounters), createRateCountersFake()];
    const subject = newId();
    return async (policy, nowMs) => {
      const key = `${subject}#${policy.group}`;
      const { kind, times } = await table.add(key, policy, nowMs);
      expect({ kind, times: times.filter((time) => time > 0) }).toEqual(await fake.add(key, policy, nowMs));
    };
  });
});

it('the table of sources behaves like its in-memory store in random sequences of logins', async () => {
  proves('limits/login');
  const fail = 'recordFailure';
  const anyStep = fc.constantFrom(fail, fail, fail, 'recordSuccess', 'readFailureTimes');
  const failures = [0, 0, 0, 0, LOGIN_POLICY.windowMs, 0].map((passedMs): [number, typeof fail] => [passedMs, fail]);
  await runSteps(buildSteps(anyStep, [LOGIN_POLICY.windowMs, LOGIN_POLICY.lockoutMs]), failures, () => {
    const { client, tables } = engine;
    const [table, fake] = [createLoginGuardTable(client, tables.RateCounters, 'LOGIN'), createGuardStoreFake()];
    const source = newId();
    return async (step, nowMs) => expect(await table[step](source, nowMs)).toEqual(await fake[step](source, nowMs));
  });
});

it('the item of a limit expires after its window, and that of a source a day after its latest failure', async () => {
  const { client, tables } = engine;
  const [subject, source, policy] = [newId(), newId(), PORTAL_POLICIES.read];
  await createRateCounterTable(client, tables.RateCounters).add(subject, policy, START);
  const sources = createLoginGuardTable(client, tables.RateCounters, 'LOGIN');
  for (const nowMs of [START, START + DAY_MS]) await sources.recordFailure(source, nowMs);

  const readItem = async (pk: string) => (await getItem<object>(client, tables.RateCounters, { pk })) ?? {};
  expect(readInteger(await readItem(subject), 'ttl')).toBe((START + policy.windowMs) / 1000);
  const sourceItem = await readItem(`LOGIN#${source}`);
  expect(readInteger(sourceItem, 'ttl')).toBe((START + 2 * DAY_MS) / 1000);
  const counts = Object.keys(sourceItem).filter((name) => name.startsWith('day_'));
  expect(counts, 'the count of the previous day is removed').toEqual([`day_${Math.floor(START / DAY_MS) + 1}`]);
});
