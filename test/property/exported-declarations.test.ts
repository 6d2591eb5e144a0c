import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExportCursor } from '../../infra/ops/export/export-cursor.ts';
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

/** Simulates with several seeds, and adds the results. */
async function simulateWithSeeds(change: Partial<typeof SIMULATION>) {
  const sum = { lost: 0, repeated: 0, differingDays: 0 };
  for (let seed = 1; seed <= 12; seed++) {
    const result = await simulateExports({ ...SIMULATION, ...change, seed });
    for (const name of ['lost', 'repeated', 'differingDays'] as const) sum[name] += result[name];
  }
  return sum;
}

/** Makes a mutation of the rule for the time of the next cursor. */
const withTime = (chooseTime: (cursor: ExportCursor, run: { now: string; latest: string }) => string) => ({
  changeCursor: (cursor: ExportCursor, run: { now: string; latest: string }) => ({
    ...cursor,
    time: chooseTime(cursor, run),
  }),
});

describe('the rules of the cursor are necessary', () => {
  it('the clock of the machine as the next time loses declarations if the clock is ahead', async () => {
    const exportClockMs = 5 * HOUR_MS;
    const { lost } = await simulateWithSeeds({ exportClockMs, ...withTime((_, { now }) => now) });
    expect(lost).toBeGreaterThan(100);
    expect(await simulateWithSeeds({ exportClockMs })).toEqual(EXACTLY_ONCE);
  });

  it('the latest exported time without a limit loses declarations if the clock of a writer is ahead', async () => {
    const clocks = { writerClockMs: 40 * MINUTE_MS, exports: 80 };
    const { lost } = await simulateWithSeeds({ ...clocks, ...withTime((cursor, { latest }) => latest || cursor.time) });
    expect(lost).toBeGreaterThan(0);
  });

  it('a cursor without the keys of the last hour exports declarations twice', async () => {
    const { repeated } = await simulateWithSeeds({
      changeCursor: (cursor) => ({ ...cursor, keys: new Set<string>() }),
    });
    expect(repeated).toBeGreaterThan(50);
  });

  it('an overlap of 10 seconds loses declarations, and the counts of the days differ', async () => {
    const { lost, differingDays } = await simulateWithSeeds({ overlapMs: 10_000, exports: 200, hours: 8 });
    expect(lost).toBeGreaterThan(0);
    expect(differingDays).toBeGreaterThan(0);
  });

  it('an index that is later than an hour loses declarations, and the counts of the days differ', async () => {
    const { lost, differingDays } = await simulateWithSeeds({ indexMs: 3 * HOUR_MS, exports: 60 });
    expect(lost).toBeGreaterThan(0);
    expect(differingDays).toBeGreaterThan(0);
  });
});
