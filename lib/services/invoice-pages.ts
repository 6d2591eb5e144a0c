import type { DateRange } from '../domain/date-range.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import { foldText } from '../domain/list-entry.ts';
import { attempts } from '../runtime/attempts.ts';
import type { InvoiceLists, InvoicePage } from './invoice-lists.ts';
import { segmentList } from './list-segments.ts';
import { segmentSearch } from './search-segments.ts';
import { readFound, readListed } from './segment-rows.ts';
import { stretchesOf } from './segments.ts';

/** What a list is asked for; an empty search is no search. */
export interface ListQuery {
  readonly range: DateRange;
  readonly state: StateCode | null;
  readonly search: string;
  readonly limit: number;
  readonly offset: number;
}

const MAX_ATTEMPTS = 4;

/**
 * Reads a page of the supplier's invoices at any offset, newest first (by date, then by id), with the exact total. The
 * list is cut into segments whose rows are counted, and the rows of the page are read from those that have them. When
 * an index shows that a day has changed meanwhile, all is done again.
 */
export async function readInvoicePage(
  lists: InvoiceLists,
  scope: SupplierScope,
  { range, state, search, limit, offset }: ListQuery,
): Promise<InvoicePage> {
  const selection = { scope, range, state };
  const text = foldText(search).trim();
  let page: InvoicePage = { rows: [], total: 0 };
  // A search for a lone accent or a control character finds nothing: it must not become a list of all invoices.
  if (text === '' && search.trim() !== '') return page;
  for await (const attempt of attempts()) {
    const list =
      text === ''
        ? await segmentList(lists, selection, offset, limit)
        : await segmentSearch(lists, selection, text, offset + limit);
    const stretches = stretchesOf(list.segments, offset, limit);
    const read =
      text === ''
        ? await readListed(lists.rows, selection, stretches)
        : await readFound(lists.rows, selection, text, stretches);
    page = { rows: read.rows, total: list.total };
    if ((list.isExact && read.isExact) || attempt === MAX_ATTEMPTS) break;
  }
  return page;
}
