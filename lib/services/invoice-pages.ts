import type { DateRange } from '../domain/date-range.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import { foldText } from '../domain/list-entry.ts';
import type { InvoiceLists, InvoicePage } from './invoice-lists.ts';
import { readListPage } from './list-page.ts';
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
