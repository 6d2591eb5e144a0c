import { deleteDayIndexes, type ListedSupplier, seedListed } from '../data/callers.ts';
import { countRoundTrips, countUnits, measureCost, computeMedian, type Surroundings, withEngine } from '../measure.ts';
import { type BundleProcess, withFunctionProcess } from '../processes.ts';
import type { Report, Row } from '../report.ts';

const PAGE = 100;
// A page also reads the rows of its day before its first row: 20 units on average.
const MAX_UNITS = 34_000;
// Every tenth page is read again.
const STEP_AGAIN = 10;
const NEW_PROCESSES = 3;
const WARM_SEARCHES = 11;

/** Measures the cost of lists and searches of 10,000 and of 100,000 invoices. */
export function lists(): Promise<Report[]> {
  return withEngine(async (surroundings) => {
    const few = await seedListed(surroundings.engine, 10_000);
    const many = await seedListed(surroundings.engine, 100_000);
    const runList = <Result>(work: (process: BundleProcess) => Promise<Result>) =>
      withFunctionProcess('list-invoices', surroundings.proxy.engine.endpoint, work);
    const pages = await measurePages(surroundings, many, runList);
    // The first search must find no index that a list has stored.
    await deleteDayIndexes(surroundings.engine);
    return [
      { name: 'lists', title: `Lists of ${formatCount(many.count)}`, measure: 'now', rows: pages },
      await measureSearches(surroundings, few, runList, 20),
      await measureSearches(surroundings, many, runList, 60),
    ];
  });
}

type ListRunner = <Result>(work: (process: BundleProcess) => Promise<Result>) => Promise<Result>;

const formatCount = (count: number) => count.toLocaleString('en-US');

/** Measures pages of a supplier's invoices: the first, later ones, and all of them. */
function measurePages(surroundings: Surroundings, supplier: ListedSupplier, runList: ListRunner): Promise<Row[]> {
  const first = () => supplier.buildList({ offset: 0 });
  const later = () => supplier.buildList({ offset: supplier.count / 2 });
  // The first request of a process also reads the public keys.
  const warmUp = (process: BundleProcess) => process.handle([supplier.buildList({ limit: 1 })]);
  return runList(async (process) => {
    const countTrips = (event: object) => countRoundTrips(surroundings, process, event);
    const measureUnits = async (event: object) => (await measureCost(surroundings, process, event)).units;
    const readAll = async (step: number) => {
      surroundings.proxy.reset();
      for (let offset = 0; offset < supplier.count; offset += step * PAGE)
        await process.handle([supplier.buildList({ offset, limit: PAGE })]);
      return countUnits(surroundings.proxy);
    };
    await warmUp(process);
    const all = await readAll(1);
    const again = await readAll(STEP_AGAIN);
    const countTripsInNewProcess = () =>
      runList(async (other) => warmUp(other).then(() => countRoundTrips(surroundings, other, later())));
    const pages = formatCount(supplier.count / PAGE);
    return [
      { name: 'the first page of 25, round trips', now: await countTrips(first()), required: 1 },
      { name: 'the first page of 25, units', now: await measureUnits(first()) },
      { name: 'a later page of 25, round trips', now: await countTrips(later()), required: 3 },
      { name: 'a later page of 25, units', now: await measureUnits(later()) },
      { name: 'a later page in a new process, round trips', now: await countTripsInNewProcess() },
      { name: `${pages} pages of 100, first time, units`, now: all },
      { name: `${pages} pages of 100, again, units (every 10th page)`, now: again * STEP_AGAIN, required: MAX_UNITS },
    ];
  });
}

/** Measures the first search of all, the first search of a later process, and searches of a warm process. */
async function measureSearches(
  surroundings: Surroundings,
  supplier: ListedSupplier,
  runList: ListRunner,
  warmMs: number,
): Promise<Report> {
  const buildSearch = () => supplier.buildList({ search: '2026-4242' });
  const searchInNewProcess = () => runList((process) => measureCost(surroundings, process, buildSearch()));

  const first = await searchInNewProcess();
  const newProcesses = [];
  for (let index = 0; index < NEW_PROCESSES; index++) newProcesses.push(await searchInNewProcess());
  const [warm, smallest] = await runList(async (process) => {
    await process.handle([buildSearch()]);
    const cost = await measureCost(surroundings, process, buildSearch());
    return [cost, await measureCost(surroundings, process, supplier.buildList({ limit: 1 }))];
  });
  const warmSearches = await withFunctionProcess('list-invoices', surroundings.engine.endpoint, async (process) => {
    await process.handle([buildSearch()]);
    return process.handle(Array.from({ length: WARM_SEARCHES }, buildSearch));
  });
  return {
    name: `search-${supplier.count}`,
    title: `Search in ${formatCount(supplier.count)}`,
    measure: 'now',
    rows: [
      { name: 'the first search, ms', now: first.ms },
      { name: 'the first search, units', now: first.units },
      { name: 'in a new process, ms', now: computeMedian(newProcesses.map(({ ms }) => ms)), required: 600 },
      { name: 'in a new process, units', now: computeMedian(newProcesses.map(({ units }) => units)), required: 1_000 },
      { name: 'in a warm process, ms', now: computeMedian(warmSearches.wallMs), required: warmMs },
      // A page of one row costs the row, and the counters that every list reads.
      {
        name: 'in a warm process, units of counters',
        now: warm.units - warm.rows,
        required: smallest.units - smallest.rows,
      },
    ],
  };
}
