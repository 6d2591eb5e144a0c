import { splitIntoMonths } from '../domain/day-counts.ts';
import type { DateRange } from '../domain/date-range.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import { slicesOfPage } from '../domain/page-slices.ts';
import type { InvoiceLists, InvoicePage } from './invoice-lists.ts';
import type { InvoiceRows, RowSelection } from './invoice-rows.ts';
import { readLaterPage } from './later-page.ts';
import { countParts, readSlices, totalOf } from './page-parts.ts';
import { searchInvoices } from './search-invoices.ts';

/** What a list is asked for; an empty search is no search. */
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
  const text = search.trim();
  if (text !== '') return searchInvoices(lists, selection, { text, limit, offset });
  if (offset > 0) return readLaterPage(lists, selection, offset, limit);
  return readFirstPage(lists.rows, selection, limit);
}

/** The newest month's rows are read beside the counters: most first pages need no others. */
async function readFirstPage(rows: InvoiceRows, selection: RowSelection, limit: number): Promise<InvoicePage> {
  const [newest = selection.range] = splitIntoMonths(selection.range);
  const [parts, first] = await Promise.all([
    countParts(rows, selection),
    rows.read({ ...selection, range: newest }, limit),
  ]);
  const older = parts.filter(({ endMs }) => endMs < newest.startMs);
  const others = await readSlices(rows, selection, slicesOfPage(older, 0, limit - first.length));
  return { rows: [...first, ...others], total: totalOf(parts) };
}
