import { expect, it } from 'vitest';
import { measureLists } from '../../lab/bench/tables/lists.ts';
import { startEngine } from '../../support/engine/engine.ts';
import { readSection } from '../../support/guides/readme.ts';
import { useStarted } from '../../support/setup/use-started.ts';

const engine = useStarted(startEngine);

/** Reads the cells of a row of the table in scale.md, for 300, 1,000 and 10,000 invoices. */
function readRow(name: string): string[] {
  const row = readSection('infra/scale.md', 'Invoices of one supplier').match(new RegExp(`^\\| ${name} *\\|(.*)`, 'm'));
  return row?.[1]?.split('|').map((cell) => cell.trim()) ?? [];
}

it.each([
  { count: 300, column: 0, index: 16, roundTrips: [1, 2] },
  { count: 1_000, column: 1, index: 52, roundTrips: [1, 2] },
  // The index has 2 MB, and one page has at most 1 MB.
  { count: 10_000, column: 2, index: 518, roundTrips: [3, 4] },
])(
  'a list of $count invoices reads $index units of the index, about as many as in the guide',
  { tags: 'long' },
  async ({ count, column, index, roundTrips }) => {
    const costs = await measureLists(engine, count);
    const units = ['middle page', 'search, 1 hit', 'search, no hit'].map((kind) => costs[kind]?.units);
    // One unit for each invoice of the page.
    expect(units).toEqual([index + 25, index + 1, index]);
    // The guide is for shorter names, and so for smaller entries.
    for (const [name, measured] of [
      ['read units, a page of 25', index + 25],
      ['read units, a search with one hit', index + 1],
    ] as const) {
      const guideUnits = Number(readRow(name)[column]);
      expect(guideUnits / measured).toBeGreaterThan(0.8);
      expect(guideUnits / measured).toBeLessThan(1.05);
    }
    expect(['first page', 'search, 1 hit'].map((kind) => costs[kind]?.roundTrips)).toEqual(roundTrips);
  },
);
