import { type CountedRange, splitIntoDays, splitIntoMonths } from '../domain/day-counts.ts';
import type { DateRange } from '../domain/date-range.ts';
import type { InvoiceRow, SupplierScope } from '../domain/invoice.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import { type PageSlice, slicesOfPage } from '../domain/page-slices.ts';
import type { InvoiceLists, RowSelection } from './invoice-lists.ts';
import { searchInvoices } from './search-invoices.ts';

/** What a list is asked for; an empty search is no search. */
export interface ListQuery {
  readonly range: DateRange;
  readonly state: StateCode | null;
  readonly search: string;
  readonly limit: number;
  readonly offset: number;
}

/** One page of a list, and how many rows match in all. */
export interface InvoicePage {
  readonly rows: readonly InvoiceRow[];
  readonly total: number;
}

/** Reads a page of the supplier's invoices at any offset, newest first (by date, then by id), with the exact total. */
export async function readInvoicePage(
  lists: InvoiceLists,
  scope: SupplierScope,
  { range, state, search, limit, offset }: ListQuery,
): Promise<InvoicePage> {
  const selection = { scope, range, state };
  const text = search.trim();
  if (text !== '') return searchInvoices(lists, selection, { text, limit, offset });
  if (offset === 0) return readFirstPage(lists, selection, limit);

  const parts = await countParts(lists, selection);
  return { rows: await readSlices(lists, selection, slicesOfPage(parts, offset, limit)), total: sumOf(parts) };
}

/** The newest month's rows are read beside the counters: most first pages need no others. */
async function readFirstPage(lists: InvoiceLists, selection: RowSelection, limit: number): Promise<InvoicePage> {
  const [newest = selection.range] = splitIntoMonths(selection.range);
  const [parts, rows] = await Promise.all([
    countParts(lists, selection),
    lists.rows({ ...selection, range: newest }, limit),
  ]);
  const older = parts.filter(({ endMs }) => endMs < newest.startMs);
  const others = await readSlices(lists, selection, slicesOfPage(older, 0, limit - rows.length));
  return { rows: [...rows, ...others], total: sumOf(parts) };
}

/** Counts the rows of each day; the counters know whole days, so parts of days at the ends are counted row by row. */
async function countParts(lists: InvoiceLists, selection: RowSelection): Promise<CountedRange[]> {
  const { wholeDays, partialDays } = splitIntoDays(selection.range);
  const [days, ...partials] = await Promise.all([
    wholeDays ? lists.dayCounts({ ...selection, range: wholeDays }) : [],
    ...partialDays.map(async (range) => ({ ...range, count: await lists.count({ ...selection, range }) })),
  ]);
  return [...days, ...partials];
}

/** The rows of all slices, side by side. */
async function readSlices(
  lists: InvoiceLists,
  selection: RowSelection,
  slices: readonly PageSlice[],
): Promise<InvoiceRow[]> {
  const read = slices.map(async ({ range, from, skip, take }) => {
    const rows = await lists.rows({ ...selection, range }, skip + take, from);
    return from === 'newest' ? rows.slice(skip) : rows.slice(0, take);
  });
  return (await Promise.all(read)).flat();
}

function sumOf(parts: readonly CountedRange[]): number {
  return parts.reduce((sum, { count }) => sum + count, 0);
}
