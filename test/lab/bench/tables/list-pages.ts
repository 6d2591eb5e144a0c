import { inNewProcess } from '../bundles/service.ts';
import type { ListedSupplier } from '../data/listed-supplier.ts';
import { countRoundTrips, countUnits, measureCost, type Surroundings } from '../measuring/request-cost.ts';
import type { WarmProcess } from '../processes/warm.ts';
import type { Report, Row } from '../report/report.ts';

const PAGE = 100;
// A page reads the rows of its day that it skips: 20 units on average.
const WANTED_UNITS = 34_000;
// Of the pages that are read again, one in ten tells enough.
const AGAIN = 10;

/** What pages of a supplier's invoices cost: the first, later ones, and all of them. */
export async function listPages(surroundings: Surroundings, supplier: ListedSupplier): Promise<Report> {
  const { proxy } = surroundings;
  const rows = await inNewProcess('list-invoices', proxy.engine.endpoint, (process) =>
    pageCosts(surroundings, process, supplier),
  );
  return {
    name: 'lists',
    title: `Lists of ${supplier.count.toLocaleString('en-US')}`,
    measure: 'now',
    rows,
  };
}

async function pageCosts(surroundings: Surroundings, process: WarmProcess, supplier: ListedSupplier): Promise<Row[]> {
  const [first, later] = [0, supplier.count / 2].map((offset) => () => supplier.eventOf({ offset })) as [
    () => object,
    () => object,
  ];
  const read = async (step: number) => {
    surroundings.proxy.reset();
    for (let offset = 0; offset < supplier.count; offset += step * PAGE) {
      await process.answer([supplier.eventOf({ offset, limit: PAGE })]);
    }
    return countUnits(surroundings.proxy);
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
    { name: `${pages} pages of 100, units, the first time of all`, now: all },
    { name: 'the same again, units (every 10th page)', now: again * AGAIN, wanted: WANTED_UNITS },
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
