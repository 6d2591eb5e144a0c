import type { TestEngine } from '../../../support/engine/engine.ts';
import { seedListed } from '../data/callers.ts';
import { computeMedian, withEngine } from '../measure.ts';
import { type BundleProcess, withFunctionProcess } from '../processes.ts';
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

/** Compares lists, searches and declarations of suppliers with 300, 1,000 and 10,000 invoices. */
export const lists = () => compareSuppliers([300, 1_000, 10_000]);

/** Compares lists, searches and declarations of suppliers with 20,000 and 100,000 invoices. */
export const growth = () => compareSuppliers([20_000, 100_000]);

function compareSuppliers(counts: readonly number[]): Promise<Report> {
  return withEngine(async (engine) => {
    const costs: Readonly<Record<string, Cost>>[] = [];
    for (const count of counts) costs.push(await measureLists(engine, count));
    const [few = {}] = costs;
    const many = costs.at(-1) ?? few;
    const rows = Object.entries(few).map(([kind, cost]): Row => {
      const cells = costs.map((measured) => formatCost(measured[kind] ?? cost));
      return { name: kind, cells, now: (many[kind] ?? cost).ms / cost.ms };
    });
    const columns = counts.map((count) => count.toLocaleString('en-US'));
    return { title: 'Round trips / units / ms', columns, measure: 'ratio of ms', rows };
  });
}

function formatCost({ roundTrips, units, ms }: Cost): string {
  const formattedMs = ms < 100 ? ms.toFixed(1) : Math.round(ms).toLocaleString('en-US');
  return `${roundTrips} / ${Math.round(units).toLocaleString('en-US')} / ${formattedMs}`;
}

/** Measures lists, searches and declarations of a new supplier, by kind of request. */
export async function measureLists(engine: TestEngine, count: number): Promise<Readonly<Record<string, Cost>>> {
  const supplier = await seedListed(engine, count);
  const queries = {
    'first page': {},
    'middle page': { offset: count / 2 },
    'filter by state': { status: 'PEN' },
    'search, 1 hit': { search: `OS-2026-${count / 2}` },
    'search, no hit': { search: 'nothing' },
  };
  const costs: Record<string, Cost> = {};
  await withFunctionProcess('list-invoices', engine.endpoint, async (process) => {
    // The first request of a process also reads the public keys.
    await process.handle([supplier.buildList({ limit: 1 })]);
    for (const [kind, query] of Object.entries(queries)) {
      costs[kind] = await measure(process, () => supplier.buildList(query), ROUNDS);
    }
  });
  await withFunctionProcess('declare-invoice', engine.endpoint, async (process) => {
    let index = 0;
    await process.handle([supplier.buildDeclaration(index++)]);
    costs['declaration'] = await measure(process, () => supplier.buildDeclaration(index++), ROUNDS);
  });
  return costs;
}

/** Measures the median cost of requests. */
async function measure(process: BundleProcess, buildEvent: () => object, rounds: number): Promise<Cost> {
  const { usages, wallMs } = await process.handle(Array.from({ length: rounds }, buildEvent));
  return {
    roundTrips: computeMedian(usages.map((usage) => usage.roundTrips)),
    units: computeMedian(usages.map((usage) => usage.units)) - ACCESS_UNITS,
    ms: computeMedian(wallMs),
  };
}
