import { deleteDayIndexes, type ListedSupplier, seedListed } from '../data/callers.ts';
import { countRoundTrips, countUnits, measureCost, medianOf, type Surroundings, withEngine } from '../measure.ts';
import { type BundleProcess, inNewProcess } from '../processes.ts';
import type { Report, Row } from '../report.ts';

const PAGE = 100;
// A page reads the rows of its day that it skips: 20 units on average.
const WANTED_UNITS = 34_000;
// Of the pages that are read again, every tenth is enough.
const AGAIN = 10;
const NEW_PROCESSES = 3;
const WARM_SEARCHES = 11;

/** Measures what lists and searches cost, of 10,000 and of 100,000 invoices in the range. */
export function lists(): Promise<Report[]> {
  return withEngine(async (surroundings) => {
    const few = await seedListed(surroundings.engine, 10_000);
    const many = await seedListed(surroundings.engine, 100_000);
    const lister = <Result>(work: (process: BundleProcess) => Promise<Result>) =>
      inNewProcess('list-invoices', surroundings.proxy.engine.endpoint, work);
    const pages = await measurePages(surroundings, many, lister);
    // As if no process had read anything yet.
    await deleteDayIndexes(surroundings.engine);
    return [
      { name: 'lists', title: `Lists of ${format(many.count)}`, measure: 'now', rows: pages },
      await measureSearches(surroundings, few, lister, 20),
      await measureSearches(surroundings, many, lister, 60),
    ];
  });
}

type Lister = <Result>(work: (process: BundleProcess) => Promise<Result>) => Promise<Result>;

const format = (count: number) => count.toLocaleString('en-US');

/** Measures pages of a supplier's invoices: the first, later ones, and all of them. */
function measurePages(surroundings: Surroundings, supplier: ListedSupplier, lister: Lister): Promise<Row[]> {
  const first = () => supplier.listOf({ offset: 0 });
  const later = () => supplier.listOf({ offset: supplier.count / 2 });
  // The first request of a process also reads the public keys.
  const warmUp = (process: BundleProcess) => process.answer([supplier.listOf({ limit: 1 })]);
  return lister(async (process) => {
    const tripsOf = (event: object) => countRoundTrips(surroundings, process, event);
    const unitsOf = async (event: object) => (await measureCost(surroundings, process, event)).units;
    const readAll = async (step: number) => {
      surroundings.proxy.reset();
      for (let offset = 0; offset < supplier.count; offset += step * PAGE)
        await process.answer([supplier.listOf({ offset, limit: PAGE })]);
      return countUnits(surroundings.proxy);
    };
    await warmUp(process);
    const all = await readAll(1);
    const again = await readAll(AGAIN);
    const inNew = () =>
      lister(async (other) => warmUp(other).then(() => countRoundTrips(surroundings, other, later())));
    const pages = format(supplier.count / PAGE);
    return [
      { name: 'the first page of 25, round trips', now: await tripsOf(first()), wanted: 1 },
      { name: 'the first page of 25, units', now: await unitsOf(first()) },
      { name: 'a later page of 25, round trips', now: await tripsOf(later()), wanted: 3 },
      { name: 'a later page of 25, units', now: await unitsOf(later()) },
      { name: 'a later page in a new process, round trips', now: await inNew() },
      { name: `${pages} pages of 100, first time, units`, now: all },
      { name: `${pages} pages of 100, again, units (every 10th page)`, now: again * AGAIN, wanted: WANTED_UNITS },
    ];
  });
}

/** Measures searches: the first of all, the first of a new process after others have read, and those after it. */
async function measureSearches(
  surroundings: Surroundings,
  supplier: ListedSupplier,
  lister: Lister,
  warmMs: number,
): Promise<Report> {
  const search = () => supplier.listOf({ search: '2026-4242' });
  const searchInNewProcess = () => lister((process) => measureCost(surroundings, process, search()));

  const first = await searchInNewProcess();
  const inNew = [];
  for (let index = 0; index < NEW_PROCESSES; index++) inNew.push(await searchInNewProcess());
  const [warm, smallest] = await lister(async (process) => {
    await process.answer([search()]);
    const cost = await measureCost(surroundings, process, search());
    return [cost, await measureCost(surroundings, process, supplier.listOf({ limit: 1 }))];
  });
  const warmSearches = await inNewProcess('list-invoices', surroundings.engine.endpoint, async (process) => {
    await process.answer([search()]);
    return process.answer(Array.from({ length: WARM_SEARCHES }, search));
  });
  return {
    name: `search-${supplier.count}`,
    title: `Search in ${format(supplier.count)}`,
    measure: 'now',
    rows: [
      { name: 'the first search, ms', now: first.ms },
      { name: 'the first search, units', now: first.units },
      { name: 'in a new process, ms', now: medianOf(inNew.map(({ ms }) => ms)), wanted: 600 },
      { name: 'in a new process, units', now: medianOf(inNew.map(({ units }) => units)), wanted: 1_000 },
      { name: 'in a warm process, ms', now: medianOf(warmSearches.wallMs), wanted: warmMs },
      // A page of one row costs the counters, which every list reads, and the row.
      {
        name: 'in a warm process, units of counters',
        now: warm.units - warm.rows,
        wanted: smallest.units - smallest.rows,
      },
    ],
  };
}
