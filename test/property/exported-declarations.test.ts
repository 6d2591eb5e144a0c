import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseCursor } from '../../infra/ops/export/cursor-file.ts';
import { createCursor, exportDeclarations } from '../../infra/ops/export/export-cursor.ts';
import { getChangeTime } from '../../lib/domain/next-version.ts';
import { fromInteger } from '../../lib/tables/dynamodb/values.ts';
import { buildHistoryItem, type HistoryItem } from '../../lib/tables/history-items.ts';
import { createHistoryTable } from '../../lib/tables/history-table.ts';
import { buildChangeIndexKey, buildChangeKey, buildHistoryPartition } from '../../lib/tables/keys.ts';
import { createChangeIndex } from '../support/fakes/change-index.ts';
import { buildInvoice } from '../support/data/seed-invoices.ts';
import { createSeededRandom } from '../support/data/seeded-random.ts';
import { buildRevision } from '../support/data/stream-records.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const TENANT = 't.example';
const START_MS = Date.parse('2026-11-27T20:00:00.000Z');
const PAGE_ITEMS = 7;
const DECLARATIONS = 120;
const HOURS = 30;
/** The longest time of a call that writes. */
const CALL_MS = 20_000;

interface SimulationSettings {
  readonly seed: number;
  readonly exports: number;
  /** The clock of each writer is ahead or behind by at most this time. */
  readonly writerClockMs: number;
  /** The clock of the machine that exports is ahead (or, if negative, behind) by this time. */
  readonly exportClockMs: number;
  /** The longest delay of the index after a call that writes. */
  readonly indexMs: number;
}

const SIMULATION: SimulationSettings = {
  seed: 1,
  exports: 25,
  writerClockMs: 3_000,
  exportClockMs: 0,
  indexMs: 20_000,
};

/** An item of the index, with the time at which queries begin to find it. */
type IndexedItem = HistoryItem & { readonly visibleMs: number };

const EXACTLY_ONCE = { lost: 0, repeated: 0 };

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
      const longestIndexMs = 59 * MINUTE_MS - 2 * change.writerClockMs - CALL_MS;
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

it('an index that is later than an hour loses declarations', async () => {
  const results = await simulateWithSeeds({ indexMs: 3 * HOUR_MS, exports: 60 });
  expect(results.filter(({ lost }) => lost > 0)).not.toEqual([]);
});

/**
 * Simulates writers, an index that shows each item late, and exports, a quarter of which are killed before their output
 * is complete. Counts the declarations that were lost or exported twice.
 */
async function simulateExports(settings: SimulationSettings) {
  const random = createSeededRandom(settings.seed);
  const between = (low: number, high: number) => low + random() * (high - low);
  const items = simulateWrites(settings, between);
  const itemsByPartition = Map.groupBy(items, (item) => item.change_day);
  const clock = { nowMs: START_MS };
  const client = createChangeIndex((partition) => {
    clock.nowMs += between(0, 300);
    const visibleItems = itemsByPartition.get(partition)?.filter(({ visibleMs }) => visibleMs <= clock.nowMs) ?? [];
    return { items: visibleItems, pageItems: PAGE_ITEMS };
  });
  const { readBetween } = createHistoryTable(client, 'Declarations');

  const exportedKeys: string[] = [];
  let cursorText = JSON.stringify(createCursor(TENANT, new Date(START_MS - 24 * HOUR_MS).toISOString()));
  const startTimes = Array.from({ length: settings.exports }, () => START_MS + between(0, HOURS * HOUR_MS));
  const allVisibleMs = Math.max(START_MS + (HOURS + 2) * HOUR_MS, ...items.map((item) => item.visibleMs)) + 1;
  for (const startMs of [...startTimes.toSorted((one, other) => one - other), allVisibleMs]) {
    clock.nowMs = Math.max(clock.nowMs, startMs);
    const nowMs = clock.nowMs + settings.exportClockMs;
    const run = exportDeclarations(readBetween, parseCursor(cursorText, TENANT), nowMs);
    const keys: string[] = [];
    for await (const page of run.declarations) keys.push(...page.map(buildChangeKey));
    // The output of a killed export is not complete, so that its rows are not used and its cursor is not saved.
    const isKilled = startMs !== allVisibleMs && random() < 0.25;
    if (isKilled) continue;
    exportedKeys.push(...keys);
    cursorText = JSON.stringify(run.getCursor());
  }
  const exported = new Set(exportedKeys);
  return {
    lost: items.filter((item) => !exported.has(item.change_key)).length,
    repeated: exportedKeys.length - exported.size,
  };
}

/** Simulates the writes of writers, in the order of the index. Each invoice is declared several times. */
function simulateWrites(
  { writerClockMs, indexMs }: SimulationSettings,
  between: (low: number, high: number) => number,
): IndexedItem[] {
  const template = buildTemplate();
  const clocks = Array.from({ length: 8 }, () => between(-writerClockMs, writerClockMs));
  const invoices = new Map<string, { commitMs: number; changedAt: string; version: number }>();
  const items = Array.from({ length: DECLARATIONS }, (): IndexedItem => {
    const invoiceId = String(1000 + Math.floor(between(0, DECLARATIONS / 3)));
    const before = invoices.get(invoiceId) ?? null;
    const plannedMs = Math.max(START_MS + between(0, HOURS * HOUR_MS), (before?.commitMs ?? 0) + 1);
    const clockMs = clocks[Math.floor(between(0, clocks.length))] ?? 0;
    const changedAt = getChangeTime(before, new Date(plannedMs + clockMs));
    const commitMs = plannedMs + between(5, CALL_MS);
    const version = (before?.version ?? 1) + 1;
    invoices.set(invoiceId, { commitMs, changedAt, version });
    const scope = { tenant: TENANT, supplierId: `${200 + (Number(invoiceId) % 5)}` };
    const isLate = between(0, 1) < 0.3;
    return {
      ...template,
      pk: buildHistoryPartition(scope, invoiceId),
      sk: fromInteger(version),
      changed_at: changedAt,
      ...buildChangeIndexKey({ scope, invoiceId, changedAt, version }),
      visibleMs: commitMs + between(0, isLate ? indexMs : Math.min(indexMs, 500)),
    };
  });
  return items.toSorted((one, other) => (one.change_key < other.change_key ? -1 : 1));
}

/** Builds an item with the declaration that all simulated changes make. */
function buildTemplate(): HistoryItem {
  const before = buildInvoice();
  const change = { before, after: { ...before, version: 2 }, revision: buildRevision() };
  const item = buildHistoryItem({ tenant: TENANT, supplierId: '200' }, change, undefined);
  if (!item) throw new Error('A declaration always has an item.');
  return item;
}
