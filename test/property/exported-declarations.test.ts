import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, simulateExports, SIMULATION } from '../support/data/export-simulation.ts';

const EXACTLY_ONCE = { lost: 0, repeated: 0, differingDays: 0 };

it('successive exports contain every declaration exactly once while calls, clocks and the index stay below an hour', async () => {
  const settings = fc.record({
    seed: fc.nat(),
    exports: fc.integer({ min: 5, max: 80 }),
    writerClockMs: fc.integer({ min: 0, max: 12 * MINUTE_MS }),
    exportClockMs: fc.integer({ min: -5 * HOUR_MS, max: 5 * HOUR_MS }),
  });
  await fc.assert(
    fc.asyncProperty(settings, fc.double({ min: 0, max: 1, noNaN: true }), async (change, delay) => {
      // The clocks of two writers, of the call and of the export count against the hour. A minute remains.
      const longestIndexMs = 59 * MINUTE_MS - 2 * change.writerClockMs - SIMULATION.callMs;
      const simulation = { ...SIMULATION, ...change, indexMs: delay * longestIndexMs };
      expect(await simulateExports(simulation)).toEqual(EXACTLY_ONCE);
    }),
    { numRuns: 60 },
  );
});

/** Simulates with several seeds. */
async function simulateWithSeeds(change: Partial<typeof SIMULATION>) {
  const results = [];
  for (let seed = 1; seed <= 12; seed++) results.push(await simulateExports({ ...SIMULATION, ...change, seed }));
  return results;
}

it('successive exports lose nothing if the clocks of some writers are 40 minutes ahead', async () => {
  for (const { lost } of await simulateWithSeeds({ writerClockMs: 40 * MINUTE_MS, exports: 80 })) expect(lost).toBe(0);
});

it('an index that is later than an hour loses declarations, and the counts of the days differ', async () => {
  const results = await simulateWithSeeds({ indexMs: 3 * HOUR_MS, exports: 60 });
  expect(results.filter(({ lost }) => lost > 0)).not.toEqual([]);
  for (const { lost, differingDays } of results) expect(differingDays > 0).toBe(lost > 0);
});
