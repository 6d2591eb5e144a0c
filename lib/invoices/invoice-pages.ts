import type { DateRange } from '../domain/date-range.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import type { InvoiceRow, SupplierScope } from '../domain/invoice.ts';
import { LIMITS } from '../domain/limits.ts';
import { foldText } from '../domain/list-entry.ts';
import { attempts } from '../runtime/attempts.ts';

/** The selected invoices of a supplier. */
export interface InvoiceSelection {
  /** The range of sort dates. */
  readonly range: DateRange;
  /** Null selects all states. */
  readonly state: StateCode | null;
  /** A folded text that the searched fields contain. An empty text selects all invoices. */
  readonly text: string;
  /** The earliest time of the latest change, such as `2026-08-31T10:30:00.000Z`. Null selects all invoices. */
  readonly changedSince: string | null;
}

/** The reader of a supplier's lists. All reads are strongly consistent, and omit withdrawn invoices. */
export interface InvoiceLists {
  /** Finds the ids of the selected invoices, newest first (by date, then by id). */
  readonly findIds: (scope: SupplierScope, selection: InvoiceSelection) => Promise<readonly string[]>;
  /** Reads rows by id. Omits invoices that are no longer selected. */
  readonly readRows: (
    scope: SupplierScope,
    ids: readonly string[],
    selection: InvoiceSelection,
  ) => Promise<ReadonlyMap<string, InvoiceRow>>;
  /** Counts the invoices of a range. */
  readonly count: (scope: SupplierScope, range: DateRange) => Promise<number>;
  /** Reads the rows of the newest invoices of a range, newest first, at most `limit`. */
  readonly readNewest: (scope: SupplierScope, range: DateRange, limit: number) => Promise<readonly InvoiceRow[]>;
}

/** The parameters of a list. If `search` is blank, the list is not filtered by a text. */
export interface ListQuery extends Omit<InvoiceSelection, 'text'> {
  readonly search: string;
  readonly limit: number;
  readonly offset: number;
}

/** One page of a list, with the number of all matching invoices. */
export interface InvoicePage {
  readonly rows: readonly InvoiceRow[];
  readonly total: number;
}

/** Reads a page of the supplier's invoices, newest first, with the exact total of all pages. */
export async function readInvoicePage(
  lists: InvoiceLists,
  scope: SupplierScope,
  query: ListQuery,
): Promise<InvoicePage> {
  const text = foldText(query.search).trim();
  // A search for only an accent or a control character has an empty folded text, which would match every invoice.
  if (text === '' && query.search.trim() !== '') return { rows: [], total: 0 };
  const { range, state, changedSince } = query;
  const isFirstPage = query.offset + query.limit <= LIMITS.pageMax;
  const isFiltered = state !== null || changedSince !== null || text !== '';
  if (isFirstPage && !isFiltered) return readFirstPage(lists, scope, query);
  return readSelectedPage(lists, scope, { range, state, text, changedSince }, query);
}

/** Reads a page of a range without filters, in one round trip. */
async function readFirstPage(
  lists: InvoiceLists,
  scope: SupplierScope,
  { range, limit, offset }: ListQuery,
): Promise<InvoicePage> {
  const [count, newest] = await Promise.all([
    lists.count(scope, range),
    lists.readNewest(scope, range, offset + limit),
  ]);
  // The two reads are parallel. If an invoice is added or withdrawn between them, the rows decide.
  const total = newest.length < offset + limit ? newest.length : Math.max(count, newest.length);
  return { rows: newest.slice(offset), total };
}

const MAX_READS = 4;

/** Reads any page: first the ids of all selected invoices, and then the rows of the page. */
async function readSelectedPage(
  { findIds, readRows }: InvoiceLists,
  scope: SupplierScope,
  selection: InvoiceSelection,
  { limit, offset }: Pick<ListQuery, 'limit' | 'offset'>,
): Promise<InvoicePage> {
  let page: InvoicePage = { rows: [], total: 0 };
  for await (const attempt of attempts()) {
    const ids = await findIds(scope, selection);
    const pageIds = ids.slice(offset, offset + limit);
    if (pageIds.length === 0) return { rows: [], total: ids.length };
    const rowsById = await readRows(scope, pageIds, selection);
    const rows = pageIds.map((id) => rowsById.get(id)).filter((row) => row !== undefined);
    page = { rows, total: ids.length };
    // If an invoice of the page has changed between the two reads, the page is read again.
    if (rows.length === pageIds.length || attempt === MAX_READS) break;
  }
  return page;
}
