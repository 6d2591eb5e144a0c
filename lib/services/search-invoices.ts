import { wholeDay } from '../domain/day-counts.ts';
import type { DateRange } from '../domain/date-range.ts';
import type { InvoiceRow } from '../domain/invoice.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import { placesBetween } from '../domain/list-entry.ts';
import { foldText } from '../domain/search-text.ts';
import { rounds } from '../runtime/rounds.ts';
import { type DayIndex, positionsOf } from './day-index.ts';
import { isExact } from './day-indexes.ts';
import type { InvoiceLists, InvoicePage } from './invoice-lists.ts';
import type { RowSelection } from './invoice-rows.ts';
import { segmentsOf } from './search-segments.ts';

/** What is searched for, and which of the rows that are found make the page. */
export interface Search {
  readonly text: string;
  readonly limit: number;
  readonly offset: number;
}

/** What is found in a segment: the newest up to the end of the page as rows, or all as places where rows are. */
interface Found {
  readonly count: number;
  readonly hits: readonly (InvoiceRow | string)[];
}

const MAX_ROUNDS = 4;

/**
 * Searches the rows of a range: days with many rows in their indexes, the others by reading them. When a day is changed
 * meanwhile, all is counted and searched again.
 */
export async function searchInvoices(
  lists: InvoiceLists,
  selection: RowSelection,
  search: Search,
): Promise<InvoicePage> {
  let page: InvoicePage = { rows: [], total: 0 };
  for await (const round of rounds()) {
    const found = await searchOnce(lists, selection, { ...search, text: foldText(search.text) });
    page = found.page;
    if (found.isExact || round === MAX_ROUNDS) break;
  }
  return page;
}

async function searchOnce({ rows, indexes }: InvoiceLists, selection: RowSelection, search: Search) {
  const { scope, range, state } = selection;
  const wholeDays = { startMs: wholeDay(range.startMs).startMs, endMs: wholeDay(range.endMs).endMs };
  const days = (await rows.dayCounts({ ...selection, range: wholeDays })).filter(({ count }) => count > 0);
  const segments = segmentsOf(range, days);
  const indexedDays = segments.flatMap(({ indexed }) => indexed ?? []);
  const end = search.offset + search.limit;
  const [read, ...unindexed] = await Promise.all([
    indexes.read(scope, indexedDays),
    ...segments.map((segment) =>
      segment.indexed ? null : rows.search({ ...selection, range: segment.range }, search.text, end),
    ),
  ]);
  const found = segments.map((segment, at): Found => {
    const index = segment.indexed && read.get(segment.indexed.day);
    if (index) return findIn(index, segment.range, search.text, state);
    const { count = 0, rows: hits = [] } = unindexed[at] ?? {};
    return { count, hits };
  });

  // A segment cut off at the end of the page ends it before the next segment's hits could be reached.
  const hits = found.flatMap((part) => part.hits).slice(search.offset, end);
  const rowsAt = await rows.at(
    scope,
    hits.filter((hit) => typeof hit === 'string'),
  );
  const shown = hits.flatMap((hit) => (typeof hit === 'string' ? (rowsAt.get(hit)?.row ?? []) : hit));
  const isAsFound =
    shown.length === hits.length &&
    [...rowsAt.values()].every(({ row, text }) => text.includes(search.text) && (!state || row.state === state));
  return {
    page: { rows: shown, total: found.reduce((sum, { count }) => sum + count, 0) },
    isExact: isAsFound && indexedDays.every((day) => isExact(read.get(day.day), day)),
  };
}

function findIn(index: DayIndex, range: DateRange, text: string, state: StateCode | null): Found {
  const { first, last } = placesBetween(new Date(range.startMs).toISOString(), new Date(range.endMs).toISOString());
  const hits = positionsOf(index, text, state)
    .map((position) => index.places[position] ?? '')
    .filter((place) => place >= first && place <= last);
  return { count: hits.length, hits };
}
