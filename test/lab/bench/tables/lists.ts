import type { TestEngine } from '../../../support/engine/engine.ts';
import { deleteDayIndexes, type ListedSupplier, seedListed } from '../data/callers.ts';
import { RANGE_DAYS } from '../data/import-supplier.ts';
import { computeMedian, withEngine } from '../measure.ts';
import { type BundleProcess, type Turn, withFunctionProcess } from '../processes.ts';
import type { Report, Row } from '../report.ts';

/** The cost of a request. */
export interface Cost {
  readonly roundTrips: number;
  /** The units of the endpoint, without those of credentials and limits. */
  readonly units: number;
  readonly ms: number;
}

// Every request reads 5 units of Directory and writes 1 unit of RateCounters.
const ACCESS_UNITS = 6;
const ROUNDS = 11;
const PARALLEL_PROCESSES = 4;
// The interface recommends up to 4 retries.
const MAX_REQUESTS = 5;
// The kinds of requests whose time must not grow with the number of invoices.
const BOUNDED_KINDS = new Set(['first page', 'middle page', 'last page', 'declaration']);

/** Compares lists and searches of 1,000 and of 10,000 invoices. */
export const lists = () => compareSuppliers('lists', 1_000, 10_000);

/** Compares lists and searches of 100,000 and of 1,000,000 invoices. */
export const growth = () => compareSuppliers('growth', 100_000, 1_000_000);

function compareSuppliers(name: string, fewCount: number, manyCount: number): Promise<Report> {
  return withEngine(async (engine) => {
    const few = await measureLists(engine, fewCount);
    const many = await measureLists(engine, manyCount);
    const rows = Object.entries(few).map(([kind, cost]): Row => {
      const otherCost = many[kind] ?? cost;
      const row = { name: kind, cells: [formatCost(cost), formatCost(otherCost)], now: otherCost.ms / cost.ms };
      return BOUNDED_KINDS.has(kind) ? { ...row, required: 1.3 } : row;
    });
    const columns = [fewCount, manyCount].map((count) => count.toLocaleString('en-US'));
    return { name, title: 'Round trips / units / ms', columns, measure: 'ratio of ms', rows };
  });
}

function formatCost({ roundTrips, units, ms }: Cost): string {
  const formattedMs = ms < 100 ? ms.toFixed(1) : Math.round(ms).toLocaleString('en-US');
  return `${roundTrips} / ${Math.round(units).toLocaleString('en-US')} / ${formattedMs}`;
}

/** Measures lists, searches and declarations of a new supplier, by kind of request, in the order of the requests. */
export async function measureLists(engine: TestEngine, count: number): Promise<Readonly<Record<string, Cost>>> {
  const supplier = await seedListed(engine, count);
  const buildPage = (offset: number) => supplier.buildList({ offset });
  const buildSearch = () => supplier.buildList({ search: `OS-2026-${count / 2}` });
  const runProcess = <Result>(work: (process: BundleProcess) => Promise<Result>) =>
    withFunctionProcess('list-invoices', engine.endpoint, async (process) => {
      // The first request of a process also reads the public keys.
      await process.handle([supplier.buildList({ limit: 1 })]);
      return work(process);
    });

  return runProcess(async (process) => {
    const costs: Record<string, Cost> = {};
    const pages = { 'first page': 0, 'middle page': count / 2, 'last page': count - 25 };
    for (const [kind, offset] of Object.entries(pages)) {
      // The first request builds the index of the day, if the page needs one.
      await process.handle([buildPage(offset)]);
      costs[kind] = await measure(process, () => buildPage(offset));
    }
    // The first search must find no index that a list has stored.
    await deleteDayIndexes(engine);
    costs['first search'] = await runProcess((first) => searchUntilResponse(first, buildSearch));
    costs['search, new process'] = await runProcess((other) => measure(other, buildSearch, 1));
    await process.handle([buildSearch()]);
    costs['search, warm process'] = await measure(process, buildSearch);
    costs['declaration'] = await declare(engine, supplier, [0]);
    costs['search after a change'] = await measure(process, buildSearch, 1);
    await declare(
      engine,
      supplier,
      Array.from({ length: RANGE_DAYS }, (_, day) => (day + 0.5) / RANGE_DAYS),
    );
    costs['search after a change of each day'] = await searchUntilResponse(process, buildSearch);

    await deleteDayIndexes(engine);
    const parallel = Array.from({ length: PARALLEL_PROCESSES }, () =>
      runProcess((other) => searchUntilResponse(other, buildSearch)),
    );
    costs['first searches of 4 processes at once'] = sumCosts(await Promise.all(parallel));
    return costs;
  });
}

/** Measures the median cost of requests. */
async function measure(process: BundleProcess, buildEvent: () => object, rounds = ROUNDS): Promise<Cost> {
  const costs = readCosts(await process.handle(Array.from({ length: rounds }, buildEvent)));
  const computePropertyMedian = (property: keyof Cost) => computeMedian(costs.map((cost) => cost[property]));
  return {
    roundTrips: computePropertyMedian('roundTrips'),
    units: computePropertyMedian('units'),
    ms: computePropertyMedian('ms'),
  };
}

/** Repeats a search until it succeeds, and measures the total cost. Each request builds more indexes. */
async function searchUntilResponse(process: BundleProcess, buildSearch: () => object): Promise<Cost> {
  const costs: Cost[] = [];
  for (let request = 1; request <= MAX_REQUESTS; request++) {
    const turn = await process.handle([buildSearch()]).catch((error: Error) => error.cause as Turn);
    costs.push(...readCosts(turn));
    if (turn.body.includes('"success":true')) return sumCosts(costs);
    console.log(`The request ${request} of a search ended after ${Math.round(turn.wallMs[0]!)} ms: ${turn.body}`);
  }
  throw new Error(`The search had no response after ${MAX_REQUESTS} requests.`);
}

/** Declares invoices at these fractions of all invoices, and measures the median cost. */
function declare({ endpoint }: TestEngine, { count, buildDeclaration }: ListedSupplier, fractions: readonly number[]) {
  return withFunctionProcess('declare-invoice', endpoint, async (process) => {
    const events = fractions.map((fraction) => buildDeclaration(Math.floor(fraction * count)));
    // The first request of a process also reads the public keys. It declares an invoice of the first day.
    await process.handle([buildDeclaration(1)]);
    return measure(process, () => events.shift()!, events.length);
  });
}

function readCosts({ usages, wallMs }: Turn): Cost[] {
  return usages.map(({ roundTrips, units }, index) => ({
    roundTrips,
    units: units - ACCESS_UNITS,
    ms: wallMs[index] ?? Number.NaN,
  }));
}

function sumCosts(costs: readonly Cost[]): Cost {
  const sum = (property: keyof Cost) => costs.reduce((total, cost) => total + cost[property], 0);
  return { roundTrips: sum('roundTrips'), units: sum('units'), ms: sum('ms') };
}
