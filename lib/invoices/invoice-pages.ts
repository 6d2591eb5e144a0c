import { type DateRange, isSameMonth, newestMonth, splitIntoDays } from '../domain/date-range.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import { foldText } from '../domain/list-entry.ts';
import type { InvoiceLists, InvoicePage, InvoiceRows, RowSelection } from './invoice-lists.ts';
import { countRows, type PageSlice, slicePage } from './page-slices.ts';
import { readSearchPage } from './search-page.ts';

/** The parameters of a list; an empty search is no search. */
export interface ListQuery {
  readonly range: DateRange;
  readonly state: StateCode | null;
  readonly search: string;
  readonly limit: number;
  readonly offset: number;
}

/** Reads a page of the supplier's invoices at any offset, newest first (by date, then by id), with the exact total. */
export async function readInvoicePage(
  lists: InvoiceLists,
  scope: SupplierScope,
  { range, state, search, limit, offset }: ListQuery,
): Promise<InvoicePage> {
  const selection = { scope, range, state };
  if (search.trim() === '') return readListPage(lists.rows, selection, offset, limit);
  const text = foldText(search).trim();
  // A search for a lone accent or a control character finds nothing: it must not become a list of all invoices.
  return text === '' ? { rows: [], total: 0 } : readSearchPage(lists, selection, text, offset, limit);
}

/** A day, or a part of a day at an end of the range, with the number of its rows. */
interface CountedRange {
  readonly range: DateRange;
  readonly count: number;
}

/**
 * Reads a page of a list without a search. The counters give the total and the days of the page; then only these days
 * are read. A first page reads the newest month beside the counters, because most first pages need no other rows.
 */
async function readListPage(
  port: InvoiceRows,
  selection: RowSelection,
  offset: number,
  limit: number,
): Promise<InvoicePage> {
  const newest = newestMonth(selection.range);
  const isFirstPage = offset === 0;
  const [counted, newestRows] = await Promise.all([
    countDays(port, selection),
    isFirstPage ? port.read({ ...selection, range: newest }, limit) : [],
  ]);
  const unread = isFirstPage ? counted.filter(({ range }) => range.endMs < newest.startMs) : counted;
  const reads = planReads(slicePage(unread, offset, limit - newestRows.length)).map(async (read) => {
    const rows = await port.read({ ...selection, range: read.range }, read.skip + read.take, read.from);
    return read.from === 'newest' ? rows.slice(read.skip) : rows.slice(0, read.take);
  });
  return { rows: [...newestRows, ...(await Promise.all(reads)).flat()], total: countRows(counted) };
}

/** Counts the rows of each day, newest first. The counters count whole days only; parts of days are counted by row. */
async function countDays(port: InvoiceRows, selection: RowSelection): Promise<CountedRange[]> {
  const { wholeDays, partialDays } = splitIntoDays(selection.range);
  const [days, ...partials] = await Promise.all([
    wholeDays ? port.dayCounts({ ...selection, range: wholeDays }) : [],
    ...partialDays.map(async (range) => ({ range, count: await port.count({ ...selection, range }) })),
  ]);
  return [...days, ...partials].toSorted((a, b) => b.range.endMs - a.range.endMs);
}

/** A read of consecutive rows within one month: `take` rows after `skip` others, counted from one end of the range. */
interface RowRead {
  readonly range: DateRange;
  readonly from: 'newest' | 'oldest';
  readonly skip: number;
  readonly take: number;
}

/**
 * Plans one read for each month of a page. The first slice may begin late in its day: it is then read from the nearer
 * end of the day, by a read of its own.
 */
export function planReads(slices: readonly PageSlice<CountedRange>[]): RowRead[] {
  const reads: RowRead[] = [];
  for (const { segment, skip, take } of slices) {
    const { range, count } = segment;
    const last = reads.at(-1);
    if (count - skip < skip + take) reads.push({ range, from: 'oldest', skip: count - skip - take, take });
    else if (last?.from === 'newest' && isSameMonth(last.range, range)) {
      const longer = { startMs: range.startMs, endMs: last.range.endMs };
      reads.splice(-1, 1, { ...last, range: longer, take: last.take + take });
    } else reads.push({ range, from: 'newest', skip, take });
  }
  return reads;
}
