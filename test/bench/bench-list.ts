import type { LocalService } from '../../infra/local/service.ts';
import { DAYS, range } from './import-supplier.ts';
import { measure } from './measure.ts';
import { avoidLimits, largeSupplier, smallSupplier } from './suppliers.ts';
import { printTable } from './table.ts';

// Where pages begin, in days from the newest: what the list holds before that day is one question, the day's own rows
// another.
const places = {
  'first day': 0,
  'day 47': 46.01,
  'day 91': 90.01,
  'day 47, its middle': 46.5,
  'day 47, its end': 46.97,
};

/** Times a page of 25 of 1,000 and of 100,000 invoices (11 and 1,075 a day), at the same places of the list. */
export async function benchList(service: LocalService): Promise<void> {
  const [small, large] = [smallSupplier(service), largeSupplier(service)];
  const rows: (string | number)[][] = [];
  for (const [place, days] of Object.entries(places)) {
    const offset = (count: number) => Math.floor((days / DAYS) * count);
    const { few, many } = await measure(
      {
        few: () => small.listInvoices({ ...range, offset: offset(1_000) }),
        many: () => large.listInvoices({ ...range, offset: offset(100_000) }),
      },
      { rounds: 50, prepare: avoidLimits(service) },
    );
    rows.push([place, few.median, many.median, many.median / few.median]);
  }
  printTable(['a page of 25, median of 50, in ms', 'of 1,000', 'of 100,000', 'ratio'], rows);
}
