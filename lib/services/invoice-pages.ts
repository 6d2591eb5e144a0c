import { type CountedRange, locate, splitEvenly, splitIntoDays, wholeDay } from '../domain/day-counts.ts';
import type { DateRange } from '../domain/date-range.ts';
import type { InvoiceRow, SupplierScope } from '../domain/invoice.ts';
import type { StateCode } from '../domain/invoice-states.ts';

/** The rows that a list is made of: a supplier's invoices in a range of sort dates, in one state or (null) in any. */
export interface RowSelection {
  readonly scope: SupplierScope;
  readonly range: DateRange;
  readonly state: StateCode | null;
}

/** The supplier's invoices by date; every list is newest first. */
export interface InvoiceLists {
  /** The rows of each day that has any, for a range of whole days. */
  dayCounts(selection: RowSelection): Promise<CountedRange[]>;
  count(selection: RowSelection): Promise<number>;
  newest(selection: RowSelection, most: number): Promise<InvoiceRow[]>;
  /** The rows in which the text occurs: how many, and the newest of them up to `most`. */
  search(selection: RowSelection, text: string, most: number): Promise<{ count: number; rows: InvoiceRow[] }>;
}

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

const SEARCH_SEGMENT_ROWS = 1000;
const MAX_SEARCH_SEGMENTS = 8;

/** Reads a page of the supplier's invoices at any offset, newest first (by date, then by id), with the exact total. */
export async function readInvoicePage(
  lists: InvoiceLists,
  scope: SupplierScope,
  query: ListQuery,
): Promise<InvoicePage> {
  const { range, state, limit, offset } = query;
  const search = query.search.trim();
  if (search !== '') return searchInvoices(lists, { scope, range, state }, { ...query, search });

  const parts = await countParts(lists, { scope, range, state });
  const total = sumOf(parts);
  const start = locate(parts, offset);
  if (!start) return { rows: [], total };
  const selection = { scope, range: { startMs: range.startMs, endMs: start.endMs }, state };
  const rows = await lists.newest(selection, start.skip + limit);
  return { rows: rows.slice(start.skip), total };
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

/** Searches every row of the range, in even segments side by side. */
async function searchInvoices(
  lists: InvoiceLists,
  selection: RowSelection,
  { search, limit, offset }: ListQuery,
): Promise<InvoicePage> {
  const { startMs, endMs } = selection.range;
  // Whole days are exact enough for the segments: every row is read anyway.
  const days = { startMs: wholeDay(startMs).startMs, endMs: wholeDay(endMs).endMs };
  const parts = await lists.dayCounts({ ...selection, range: days });
  const segments = Math.min(MAX_SEARCH_SEGMENTS, Math.ceil(sumOf(parts) / SEARCH_SEGMENT_ROWS));
  if (segments === 0) return { rows: [], total: 0 };
  const ranges = splitEvenly(selection.range, parts, segments);
  const found = await Promise.all(ranges.map((range) => lists.search({ ...selection, range }, search, offset + limit)));
  const total = sumOf(found);
  // A segment cut off at `offset + limit` rows ends the page before the next segment's rows could be reached.
  const rows = found.flatMap((segment) => segment.rows).slice(offset, offset + limit);
  return { rows, total };
}

function sumOf(parts: readonly { readonly count: number }[]): number {
  return parts.reduce((sum, { count }) => sum + count, 0);
}
