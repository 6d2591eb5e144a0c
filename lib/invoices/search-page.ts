import { type DateRange, isSameMonth, wholeDay } from '../domain/date-range.ts';
import type { InvoiceRow } from '../domain/invoice.ts';
import { attempts } from '../runtime/attempts.ts';
import { findPositions, INDEXED_ROWS, isCurrentIndex } from './day-index.ts';
import type { CountedDay, InvoiceLists, InvoicePage, InvoiceRows, RowSelection } from './invoice-lists.ts';
import { countRows, type PageSlice, slicePage } from './page-slices.ts';

const MAX_ATTEMPTS = 4;
const MAX_SEARCHED_ROWS = 1000;

/**
 * Reads a page of the rows in whose searched fields a folded text occurs. Days with many rows are searched by their
 * indexes, the rows of other days are filtered. If an index shows that a day has changed meanwhile, it searches again.
 */
export async function readSearchPage(
  lists: InvoiceLists,
  selection: RowSelection,
  text: string,
  offset: number,
  limit: number,
): Promise<InvoicePage> {
  let page: InvoicePage = { rows: [], total: 0 };
  for await (const attempt of attempts()) {
    const { segments, areCurrent } = await findMatches(lists, selection, text, offset + limit);
    const { rows, areUnchanged } = await readMatches(lists.rows, selection, text, slicePage(segments, offset, limit));
    page = { rows, total: countRows(segments) };
    if ((areCurrent && areUnchanged) || attempt === MAX_ATTEMPTS) break;
  }
  return page;
}

/** The matches of an indexed day, which are known by their positions, or of other days, whose rows were read. */
type Matches = { readonly count: number } & (
  { readonly positions: readonly string[] } | { readonly rows: readonly InvoiceRow[] }
);

/** Searches all days, newest first, and reads up to `most` rows. `areCurrent`: no day has changed since its count. */
async function findMatches(
  { rows, indexes }: InvoiceLists,
  selection: RowSelection,
  text: string,
  most: number,
): Promise<{ segments: Matches[]; areCurrent: boolean }> {
  const { scope, range, state } = selection;
  const wholeDays = { startMs: wholeDay(range.startMs).startMs, endMs: wholeDay(range.endMs).endMs };
  const days = (await rows.dayCounts({ ...selection, range: wholeDays })).filter(({ count }) => count > 0);
  const groups = groupDays(range, days);
  const indexedDays = groups.flatMap(({ indexed }) => indexed ?? []);
  const read = indexes.read(scope, indexedDays);
  const segments = await Promise.all(
    groups.map(async ({ range: within, indexed }): Promise<Matches> => {
      if (!indexed) return rows.search({ ...selection, range: within }, text, most);
      const index = (await read).get(indexed.day);
      const positions = index ? findPositions(index, text, state, within) : [];
      return { count: positions.length, positions };
    }),
  );
  const indexByDay = await read;
  return { segments, areCurrent: indexedDays.every((day) => isCurrentIndex(indexByDay.get(day.day), day)) };
}

/** Reads the rows of a page that are known by their positions. `areUnchanged`: these rows still match. */
async function readMatches(
  port: InvoiceRows,
  { scope, state }: RowSelection,
  text: string,
  slices: readonly PageSlice<Matches>[],
): Promise<{ rows: InvoiceRow[]; areUnchanged: boolean }> {
  const positions = slices.flatMap(({ segment, skip, take }) =>
    'positions' in segment ? segment.positions.slice(skip, skip + take) : [],
  );
  const found = await port.at(scope, positions);
  const rows = slices.flatMap(({ segment, skip, take }) =>
    'rows' in segment
      ? segment.rows.slice(skip, skip + take)
      : segment.positions.slice(skip, skip + take).flatMap((position) => found.get(position)?.row ?? []),
  );
  const doMatch = [...found.values()].every((one) => one.text.includes(text) && (!state || one.row.state === state));
  return { rows, areUnchanged: doMatch && found.size === positions.length };
}

/** Days that are searched together: one day by its index, or days of one month that have few rows. */
interface SearchedDays {
  readonly range: DateRange;
  readonly indexed: CountedDay | null;
  readonly rows: number;
}

/** Groups the days of a range that have rows as they are searched, newest first. */
function groupDays(range: DateRange, days: readonly CountedDay[]): SearchedDays[] {
  const groups: SearchedDays[] = [];
  for (const day of days.toSorted((a, b) => b.range.endMs - a.range.endMs)) {
    const within = {
      startMs: Math.max(day.range.startMs, range.startMs),
      endMs: Math.min(day.range.endMs, range.endMs),
    };
    const last = groups.at(-1);
    const rows = day.countInAll;
    if (rows >= INDEXED_ROWS) groups.push({ range: within, indexed: day, rows });
    else if (last && !last.indexed && isSameMonth(last.range, within) && last.rows + rows <= MAX_SEARCHED_ROWS) {
      const longer = { startMs: within.startMs, endMs: last.range.endMs };
      groups.splice(-1, 1, { ...last, range: longer, rows: last.rows + rows });
    } else groups.push({ range: within, indexed: null, rows });
  }
  return groups;
}
