import { expect, it } from 'vitest';
import { type Cost, measureLists } from '../../lab/bench/tables/lists.ts';
import { startEngine } from '../../support/engine/engine.ts';
import { useStarted } from '../../support/setup/use-started.ts';

const engine = useStarted(startEngine);

const formatCost = ({ roundTrips, units }: Cost) => `${roundTrips} round trips, ${units} units`;

/** Measures the round trips (with those of the access) and units of a supplier with this many invoices in 93 days. */
async function measureCosts(count: number) {
  const costs = await measureLists(engine, count);
  const formatted = Object.entries(costs).map(([kind, cost]) => [kind, formatCost(cost)]);
  return { costs, formatted: Object.fromEntries(formatted) as Readonly<Record<string, string>> };
}

it(
  'with 1,000 invoices, every page and search reads rows with queries and needs no index',
  { tags: 'long' },
  async () => {
    const search = '3 round trips, 91 units';
    expect((await measureCosts(1_000)).formatted).toEqual({
      'first page': '1 round trips, 4 units',
      'middle page': '3 round trips, 4 units',
      'last page': '3 round trips, 4 units',
      'first search': search,
      'search, new process': search,
      'search, warm process': search,
      declaration: '2 round trips, 16 units',
      'search after a change': search,
      'search after a change of each day': '3 round trips, 92 units',
      'first searches of 4 processes at once': '12 round trips, 368 units',
    });
  },
);

it('with 10,000 invoices, searches read indexes, which processes share', { tags: ['long'] }, async () => {
  const { costs, formatted } = await measureCosts(10_000);
  expect(formatted).toMatchObject({
    'first page': '1 round trips, 6 units',
    // The rows of the day that are newer than the page are read, too.
    'middle page': '3 round trips, 10 units',
    'last page': '3 round trips, 13 units',
    // 45 units for the indexes of 90 days, and 27 for a query of the 322 rows of April. A warm process has the indexes.
    'search, new process': '4 round trips, 78 units',
    'search, warm process': '4 round trips, 33 units',
    declaration: '2 round trips, 16 units',
    // The rows of the day, its old index and its new index.
    'search after a change': '6 round trips, 45.5 units',
  });
  const [first, ofChangedDays, ofFourProcesses] = [
    'first search',
    'search after a change of each day',
    'first searches of 4 processes at once',
  ].map((kind) => costs[kind]?.units);
  expect(first).toBeLessThan(1_250);
  expect(ofChangedDays).toBeLessThan(1_250);
  // Four times the counters, the query and the look-ups of indexes: a quarter of the first search. Each process alone
  // would read all days: four times the first search.
  expect(ofFourProcesses).toBeLessThan(1.75 * first!);
});
