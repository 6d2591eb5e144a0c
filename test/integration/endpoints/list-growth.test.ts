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
  { count: 300, column: 0, index: 15, roundTrips: [1, 2] },
  { count: 1_000, column: 1, index: 48, roundTrips: [1, 2] },
  // The index has 1.96 MB, and one page has at most 1 MB.
  { count: 10_000, column: 2, index: 479, roundTrips: [2, 3] },
])(
  'a list of $count invoices reads $index units of the index, as in the guide',
  { tags: 'long' },
  async ({ count, column, index, roundTrips }) => {
    const costs = await measureLists(engine, count);
    const units = ['middle page', 'search, 1 hit'].map((kind) => costs[kind]?.units);
    const indexUnits = costs['search, no hit']?.units ?? 0;
    // The time of a change is one byte smaller if it ends with a zero.
    expect(index - indexUnits).toBeOneOf([0, 1]);
    // One unit for each invoice of the page.
    expect(units).toEqual([indexUnits + 25, indexUnits + 1]);
    expect(Number(readRow('read units, a page of 25')[column])).toBe(index + 25);
    expect(Number(readRow('read units, a search with one hit')[column])).toBe(index + 1);
    expect(['first page', 'search, 1 hit'].map((kind) => costs[kind]?.roundTrips)).toEqual(roundTrips);
    const roundTripCells = readRow('round trips: first page, other page');
    expect(roundTripCells[column]).toBe(roundTrips.join(', '));
  },
);
