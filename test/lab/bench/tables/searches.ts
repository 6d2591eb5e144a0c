import { inNewProcess } from '../bundles/service.ts';
import type { ListedSupplier } from '../data/listed-supplier.ts';
import { measureCost, type Surroundings } from '../measuring/request-cost.ts';
import { quantile } from '../measuring/statistics.ts';
import type { Report } from '../report/report.ts';

const NEW_PROCESSES = 3;
const WARM_SEARCHES = 11;
const WANTED = { newMs: 600, newUnits: 1_000 };

/** What a search costs: the first of all, the first of a new process once others have read, and those after it. */
export async function searches(
  surroundings: Surroundings,
  supplier: ListedSupplier,
  wanted: { readonly warmMs: number },
): Promise<Report> {
  const { engine, proxy } = surroundings;
  const search = () => supplier.eventOf({ search: '2026-4242' });
  const searchInNewProcess = () =>
    inNewProcess('list-invoices', proxy.engine.endpoint, (process) => measureCost(surroundings, process, search()));

  const first = await searchInNewProcess();
  const inNew = [];
  for (let index = 0; index < NEW_PROCESSES; index++) inNew.push(await searchInNewProcess());
  const [warm, smallest] = await inNewProcess('list-invoices', proxy.engine.endpoint, async (process) => {
    await process.answer([search()]);
    const cost = await measureCost(surroundings, process, search());
    return [cost, await measureCost(surroundings, process, supplier.eventOf({ limit: 1 }))];
  });
  const warmMs = await inNewProcess('list-invoices', engine.endpoint, async (process) => {
    await process.answer([search()]);
    return (await process.answer(Array.from({ length: WARM_SEARCHES }, search))).wallMs;
  });

  const medianOf = (samples: readonly number[]) => quantile(samples, 0.5);
  return {
    name: `search-${supplier.count}`,
    title: `Search in ${supplier.count.toLocaleString('en-US')}`,
    measure: 'now',
    rows: [
      { name: 'the first search, ms', now: first.ms },
      { name: 'the first search, units', now: first.units },
      { name: 'in a new process, ms', now: medianOf(inNew.map(({ ms }) => ms)), wanted: WANTED.newMs },
      { name: 'in a new process, units', now: medianOf(inNew.map(({ units }) => units)), wanted: WANTED.newUnits },
      { name: 'in a warm process, ms', now: medianOf(warmMs), wanted: wanted.warmMs },
      // A page of one row costs the counters, which every list reads, and the row.
      {
        name: 'in a warm process, units of counters',
        now: warm.units - warm.rows,
        wanted: smallest.units - smallest.rows,
      },
    ],
  };
}
