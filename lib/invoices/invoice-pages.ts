import { isSameMonth, newestMonth, splitIntoDays, type DateRange, wholeDay } from '../domain/date-range.ts';
import type { InvoiceRow, SupplierScope } from '../domain/invoice.ts';
import { foldText, positionsBetween } from '../domain/list-entry.ts';
import { attempts } from '../runtime/attempts.ts';
import { INDEXED_ROWS, isCurrentIndex, readDayIndexes } from './day-indexes.ts';
import type { CountedDay, InvoiceLists, InvoiceRows, RowSelection } from './invoice-lists.ts';

/** The parameters of a list; an empty search is no search. */
export interface ListQuery extends Omit<RowSelection, 'scope'> {
  readonly search: string;
  readonly limit: number;
  readonly offset: number;
}

/** One page of a list, with the number of all matching rows. */
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
  if (search.trim() === '') return readListPage(lists.rows, selection, offset, limit);
  const text = foldText(search).trim();
  // A search for a lone accent or a control character finds nothing: it must not become a list of all invoices.
  return text === '' ? { rows: [], total: 0 } : readSearchPage(lists, selection, text, offset, limit);
}

/** A day, or a part of a day at an end of the range, with the number of its rows. */
type CountedRange = Pick<CountedDay, 'range' | 'count'>;

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
  const reads = planReads(unread, offset, limit - newestRows.length).map(async ({ range, skip, take }) =>
    (await port.read({ ...selection, range }, skip + take)).slice(skip),
  );
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  return { rows: [...newestRows, ...(await Promise.all(reads)).flat()], total };
}

/** Counts the rows of each day, newest first. The counters count whole days only; parts of days are counted by row. */
async function countDays(port: InvoiceRows, selection: RowSelection): Promise<CountedRange[]> {
  const { wholeDays, partialDays } = splitIntoDays(selection.range);
  const [days, ...partials] = await Promise.all([
    wholeDays ? port.readDayCounts({ ...selection, range: wholeDays }) : [],
    ...partialDays.map(async (range) => ({ range, count: await port.count({ ...selection, range }) })),
  ]);
  return [...days, ...partials].toSorted(compareNewestFirst);
}

function compareNewestFirst(one: CountedRange, other: CountedRange): number {
  return other.range.endMs - one.range.endMs;
}

/**
 * Plans one read for each month of a page: `take` rows after `skip` newer ones of the day where the page begins. The
 * days are newest first.
 */
function planReads(days: readonly CountedRange[], offset: number, limit: number) {
  const reads: { range: DateRange; skip: number; take: number }[] = [];
  let newer = 0;
  for (const { range, count } of days) {
    const skip = Math.max(offset - newer, 0);
    const take = Math.min(count, offset + limit - newer) - skip;
    newer += count;
    if (take <= 0) continue;
    const last = reads.at(-1);
    if (last && isSameMonth(last.range, range)) {
      last.range = joinRanges(last.range, range);
      last.take += take;
    } else reads.push({ range, skip, take });
  }
  return reads;
}

function joinRanges(newer: DateRange, older: DateRange): DateRange {
  return { startMs: older.startMs, endMs: newer.endMs };
}

const MAX_ATTEMPTS = 4;

/** A row that matches a search, or its position in the index of its day. */
type Match = InvoiceRow | string;

/**
 * Reads a page of the rows in whose searched fields a folded text occurs. Days with many rows are searched by their
 * indexes, the rows of other days are filtered. If an index shows that a day has changed meanwhile, it searches again.
 */
async function readSearchPage(
  lists: InvoiceLists,
  selection: RowSelection,
  text: string,
  offset: number,
  limit: number,
): Promise<InvoicePage> {
  let page: InvoicePage = { rows: [], total: 0 };
  for await (const attempt of attempts()) {
    const { matches, areCurrent } = await findMatches(lists, selection, text);
    const { rows, areUnchanged } = await readMatches(
      lists.rows,
      selection,
      text,
      matches.slice(offset, offset + limit),
    );
    page = { rows, total: matches.length };
    if ((areCurrent && areUnchanged) || attempt === MAX_ATTEMPTS) break;
  }
  return page;
}

/** Searches all days, newest first. `areCurrent`: no indexed day has changed since its count. */
async function findMatches(lists: InvoiceLists, selection: RowSelection, text: string) {
  const { scope, range, state } = selection;
  const wholeDays = { startMs: wholeDay(range.startMs).startMs, endMs: wholeDay(range.endMs).endMs };
  const groups = groupDays(range, await lists.rows.readDayCounts({ ...selection, range: wholeDays }));
  const indexedDays = groups.flatMap(({ indexed }) => indexed ?? []);
  const reading = readDayIndexes(lists, scope, indexedDays);
  const matches = await Promise.all(
    groups.map(async ({ range: within, indexed }): Promise<Match[]> => {
      if (!indexed) return lists.rows.search({ ...selection, range: within }, text);
      const { first, last } = positionsBetween(within);
      const entries = (await reading).get(indexed.day)?.entries ?? [];
      return entries
        .filter((entry) => entry.text.includes(text) && (!state || entry.state === state))
        .flatMap(({ position }) => (position >= first && position <= last ? position : []));
    }),
  );
  const indexes = await reading;
  const areCurrent = indexedDays.every((day) => isCurrentIndex(indexes.get(day.day), day));
  return { matches: matches.flat(), areCurrent };
}

/** Reads the rows of matches that are known by their positions. `areUnchanged`: these rows still match. */
async function readMatches(
  port: InvoiceRows,
  { scope, state }: RowSelection,
  text: string,
  matches: readonly Match[],
): Promise<{ rows: InvoiceRow[]; areUnchanged: boolean }> {
  const positions = matches.filter((match) => typeof match === 'string');
  const found = await port.readAt(scope, positions);
  const rows = matches.flatMap((match) => (typeof match === 'string' ? (found.get(match)?.row ?? []) : match));
  const doMatch = [...found.values()].every((one) => one.text.includes(text) && (!state || one.row.state === state));
  return { rows, areUnchanged: doMatch && found.size === positions.length };
}

// A query reads this number of rows in one round trip.
const MAX_SEARCHED_ROWS = 1000;

/** Groups the days that have rows, newest first. A group is searched at once: a day with an index, or days of a month. */
function groupDays(range: DateRange, days: readonly CountedDay[]) {
  const groups: { range: DateRange; indexed: CountedDay | null; rows: number }[] = [];
  for (const day of days.filter(({ count }) => count > 0).toSorted(compareNewestFirst)) {
    const within = {
      startMs: Math.max(day.range.startMs, range.startMs),
      endMs: Math.min(day.range.endMs, range.endMs),
    };
    const last = groups.at(-1);
    const rows = day.countInAll;
    if (rows >= INDEXED_ROWS) groups.push({ range: within, indexed: day, rows });
    else if (last && !last.indexed && isSameMonth(last.range, within) && last.rows + rows <= MAX_SEARCHED_ROWS) {
      last.range = joinRanges(last.range, within);
      last.rows += rows;
    } else groups.push({ range: within, indexed: null, rows });
  }
  return groups;
}
