import { listPartialDays, selectNewestMonth, type DateRange } from '../domain/date-range.ts';
import type { InvoiceRow, SupplierScope } from '../domain/invoice.ts';
import { foldText, toMonth } from '../domain/list-entry.ts';
import { attempts } from '../runtime/attempts.ts';
import { findPositions, isMatch, readDayIndexes } from './day-indexes.ts';
import type { CountedDay, InvoiceLists, InvoiceRows, RowSelection } from './invoice-lists.ts';

/** The parameters of a list. If `search` is blank, the list contains all rows of the selection. */
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

/** A read of the rows `skip` to `skip + take`, newest first, of days of one month. The first row is in `newestDay`. */
interface PlannedRead {
  readonly newestDay: CountedDay;
  oldestDay: CountedDay;
  readonly skip: number;
  take: number;
}

/** A matching row that a query found, or the position of a matching entry of a day index. */
type Match = InvoiceRow | string;

const MAX_SEARCHES = 4;

/**
 * Reads a page of the supplier's invoices, newest first (by date, then by id), with the exact total of all pages. A
 * query reads up to `maxQueriedRows` rows. Where a list or a search would need more rows, it uses the day indexes.
 */
export async function readInvoicePage(
  lists: InvoiceLists,
  scope: SupplierScope,
  query: ListQuery,
): Promise<InvoicePage> {
  const selection = { scope, range: query.range, state: query.state };
  if (query.search.trim() === '') return readListPage(lists, selection, query);
  const text = foldText(query.search).trim();
  // A search for only an accent or a control character has an empty folded text, which would match every invoice.
  if (text === '') return { rows: [], total: 0 };
  return readSearchPage(lists, selection, text, query);
}

/**
 * Reads a page of a list without a search. The counters show which days the page contains. A first page reads the
 * newest month in parallel with the counters, because most first pages contain only rows of this month.
 */
async function readListPage(lists: InvoiceLists, selection: RowSelection, { offset, limit }: ListQuery) {
  const newestMonth = selectNewestMonth(selection.range);
  const isFirstPage = offset === 0;
  const [days, newestRows] = await Promise.all([
    countDays(lists, selection),
    isFirstPage ? lists.rows.read({ ...selection, range: newestMonth }, limit) : [],
  ]);
  const unreadDays = isFirstPage ? days.filter(({ range }) => range.endMs < newestMonth.startMs) : days;
  const reads = planReads(unreadDays, offset, limit - newestRows.length);
  const olderRows = await Promise.all(reads.map((read) => readPlannedRows(lists, selection, read)));
  return { rows: [...newestRows, ...olderRows.flat()], total: sumCounts(days) };
}

/** Counts the selected rows of each day, newest first. The counters count whole days; partial days are queried. */
async function countDays(lists: InvoiceLists, selection: RowSelection): Promise<CountedDay[]> {
  const partialDays = listPartialDays(selection.range);
  const [days, ...partialCounts] = await Promise.all([
    lists.rows.readDayCounts(selection),
    ...partialDays.map((range) => lists.rows.count({ ...selection, range })),
  ]);
  return Promise.all(
    days.map(async (day) => {
      const partialDay = partialDays.findIndex(({ endMs }) => endMs === day.range.endMs);
      if (partialDay === -1) return day;
      return { ...day, count: partialCounts[partialDay] ?? (await findDayPositions(lists, selection, day)).length };
    }),
  );
}

/** Plans the reads of a page, one for each month that contains rows of the page. `days` are newest first. */
function planReads(days: readonly CountedDay[], offset: number, limit: number): PlannedRead[] {
  const reads: PlannedRead[] = [];
  let newerRows = 0;
  for (const day of days) {
    const skip = Math.max(offset - newerRows, 0);
    const take = Math.min(day.count, offset + limit - newerRows) - skip;
    newerRows += day.count;
    if (take <= 0) continue;
    const lastRead = reads.at(-1);
    if (lastRead && toMonth(lastRead.oldestDay.day) === toMonth(day.day)) {
      lastRead.oldestDay = day;
      lastRead.take += take;
    } else {
      reads.push({ newestDay: day, oldestDay: day, skip, take });
    }
  }
  return reads;
}

/** Reads the rows of a page in one month. If a query would skip too many rows, an index shows the first position. */
async function readPlannedRows(lists: InvoiceLists, selection: RowSelection, plan: PlannedRead) {
  const { newestDay, oldestDay, skip, take } = plan;
  const pageSelection = { ...selection, range: joinRanges([newestDay, oldestDay]) };
  const maxRows = skip + take;
  if (maxRows <= lists.rows.maxQueriedRows) return (await lists.rows.read(pageSelection, maxRows)).slice(skip);
  const firstPosition = (await findDayPositions(lists, selection, newestDay))[skip];
  return firstPosition === undefined ? [] : lists.rows.read(pageSelection, take, firstPosition);
}

/** Finds the positions of all rows of a day that are in the selected range and state, newest first. */
async function findDayPositions(lists: InvoiceLists, { scope, state }: RowSelection, day: CountedDay) {
  const indexes = await readDayIndexes(lists, scope, [day]);
  return findPositions(indexes.get(day.day), { range: day.range, state }, '');
}

/** Reads a page of the rows that contain a folded text. If a day changes during the search, searches again. */
async function readSearchPage(lists: InvoiceLists, selection: RowSelection, text: string, query: ListQuery) {
  let page: InvoicePage = { rows: [], total: 0 };
  for await (const attempt of attempts()) {
    const { matches, hasCurrentIndexes } = await findMatches(lists, selection, text);
    const pageMatches = matches.slice(query.offset, query.offset + query.limit);
    const { rows, isUnchanged } = await readMatches(lists.rows, selection, text, pageMatches);
    page = { rows, total: matches.length };
    if ((hasCurrentIndexes && isUnchanged) || attempt === MAX_SEARCHES) break;
  }
  return page;
}

/**
 * Finds the matches of all months, newest first. A month with few rows is queried; otherwise, the indexes of its days
 * are searched. `hasCurrentIndexes` is true if all these indexes contain the counted entries.
 */
async function findMatches(lists: InvoiceLists, selection: RowSelection, text: string) {
  const { scope, state } = selection;
  const daysByMonth = Map.groupBy(await lists.rows.readDayCounts(selection), ({ day }) => toMonth(day));
  let hasCurrentIndexes = true;
  const matches = await Promise.all(
    [...daysByMonth.values()].map(async (days): Promise<readonly Match[]> => {
      if (sumCounts(days) <= lists.rows.maxQueriedRows) {
        return lists.rows.search({ ...selection, range: joinRanges(days) }, text);
      }
      const indexes = await readDayIndexes(lists, scope, days);
      hasCurrentIndexes &&= days.every(({ day, fingerprint }) => indexes.get(day)?.fingerprint === fingerprint);
      return days.flatMap(({ day, range }) => findPositions(indexes.get(day), { range, state }, text));
    }),
  );
  return { matches: matches.flat(), hasCurrentIndexes };
}

/** Reads the rows of matches that are positions. `isUnchanged` is true if all these rows exist and still match. */
async function readMatches(reader: InvoiceRows, selection: RowSelection, text: string, matches: readonly Match[]) {
  const positions = matches.filter((match) => typeof match === 'string');
  const found = await reader.readAt(selection.scope, positions);
  const rowsByPosition = new Map(found.map(({ row, entry }) => [entry.position, row]));
  const rows = matches.map((match) => (typeof match === 'string' ? rowsByPosition.get(match) : match));
  const isUnchanged = found.length === positions.length && found.every(({ entry }) => isMatch(entry, selection, text));
  return { rows: rows.filter((row) => row !== undefined), isUnchanged };
}

function sumCounts(days: readonly CountedDay[]): number {
  return days.reduce((sum, { count }) => sum + count, 0);
}

function joinRanges(days: readonly CountedDay[]): DateRange {
  return {
    startMs: Math.min(...days.map(({ range }) => range.startMs)),
    endMs: Math.max(...days.map(({ range }) => range.endMs)),
  };
}
