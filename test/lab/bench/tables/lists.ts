import { forgetIndexes, seedListed } from '../data/listed-supplier.ts';
import { withEngine } from '../measuring/request-cost.ts';
import type { Report } from '../report/report.ts';
import { listPages } from './list-pages.ts';
import { searches } from './searches.ts';

/** What lists and searches cost, of 10,000 and of 100,000 invoices in the range. */
export function lists(): Promise<Report[]> {
  return withEngine(async (surroundings) => {
    const { engine } = surroundings;
    const few = await seedListed(engine, 10_000);
    const many = await seedListed(engine, 100_000);
    // Each begins as if nobody had read anything yet.
    const pages = await listPages(surroundings, many);
    await forgetIndexes(engine);
    return [
      pages,
      await searches(surroundings, few, { warmMs: 20 }),
      await searches(surroundings, many, { warmMs: 60 }),
    ];
  });
}
