import { inNewProcess } from '../bundles/service.ts';
import { DAYS } from '../data/import-supplier.ts';
import type { ListedSupplier } from '../data/listed-supplier.ts';
import { countRoundTrips, countUnits, measureCost, type Surroundings } from '../measuring/request-cost.ts';
import { summaryOf } from '../measuring/statistics.ts';
import type { WarmProcess } from '../processes/warm.ts';
import type { Report, Row } from '../report/report.ts';

const PAGE = 100;
// A page reads the rows of its day that it skips: 20 units on average.
const WANTED_UNITS = 34_000;
// Of the pages that are read again, one in ten tells enough.
const AGAIN = 10;
// Three quarters of a day's rows stand before it.
const DEEP = 0.75;

/** What pages of a supplier's invoices cost: the first, later ones, all of them, those late in a day. */
export async function listPages(surroundings: Surroundings, supplier: ListedSupplier): Promise<Report> {
  const { engine, proxy } = surroundings;
  const rows = await inNewProcess('list-invoices', proxy.engine.endpoint, (process) =>
    pageCosts(surroundings, process, supplier),
  );
  const { p50, p95 } = await inNewProcess('list-invoices', engine.endpoint, async (process) => {
    await process.answer([supplier.eventOf({ limit: 1 })]);
    const offsets = Array.from({ length: DAYS }, (_, day) => Math.floor(((day + DEEP) / DAYS) * supplier.count));
    return summaryOf((await process.answer(offsets.map((offset) => supplier.eventOf({ offset })))).wallMs);
  });
  const perDay = Math.floor(supplier.count / DAYS).toLocaleString('en-US');
  return {
    name: 'lists',
    title: `Lists of ${supplier.count.toLocaleString('en-US')}`,
    measure: 'now',
    rows: [
      ...rows,
      { name: `late in a day of ${perDay}, p50 ms`, now: p50 },
      { name: `late in a day of ${perDay}, p95 ms`, now: p95 },
    ],
  };
}

async function pageCosts(surroundings: Surroundings, process: WarmProcess, supplier: ListedSupplier): Promise<Row[]> {
  const [first, later] = [0, supplier.count / 2].map((offset) => () => supplier.eventOf({ offset })) as [
    () => object,
    () => object,
  ];
  const read = async (step: number) => {
    surroundings.proxy.reset();
    const startMs = performance.now();
    for (let offset = 0; offset < supplier.count; offset += step * PAGE) {
      await process.answer([supplier.eventOf({ offset, limit: PAGE })]);
    }
    return { seconds: (performance.now() - startMs) / 1000, units: countUnits(surroundings.proxy) };
  };
  // The first request of a process reads the public keys too.
  await process.answer([supplier.eventOf({ limit: 1 })]);
  const all = await read(1);
  const again = await read(AGAIN);
  const costs: Row[] = [
    {
      name: 'the first page of 25, round trips',
      now: await countRoundTrips(surroundings, process, first()),
      wanted: 1,
    },
    { name: 'the first page of 25, units', now: (await measureCost(surroundings, process, first())).units },
    { name: 'a later page of 25, round trips', now: await countRoundTrips(surroundings, process, later()), wanted: 3 },
    { name: 'a later page of 25, units', now: (await measureCost(surroundings, process, later())).units },
    { name: 'a later page in a new process, round trips', now: await tripsInNewProcess(surroundings, supplier, later) },
  ];
  const pages = (supplier.count / PAGE).toLocaleString('en-US');
  return [
    ...costs,
    { name: `${pages} pages of 100, first time, s`, now: all.seconds },
    { name: `${pages} pages of 100, first time, units`, now: all.units },
    { name: `${pages} pages of 100, again, units (every 10th page)`, now: again.units * AGAIN, wanted: WANTED_UNITS },
  ];
}

async function tripsInNewProcess(
  surroundings: Surroundings,
  supplier: ListedSupplier,
  event: () => object,
): Promise<number> {
  return inNewProcess('list-invoices', surroundings.proxy.engine.endpoint, async (process) => {
    await process.answer([supplier.eventOf({ limit: 1 })]);
    return countRoundTrips(surroundings, process, event());
  });
}
