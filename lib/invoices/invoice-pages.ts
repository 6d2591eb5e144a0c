import { isSameMonth, selectNewestMonth, splitIntoDays, type DateRange, getWholeDay } from '../domain/date-range.ts';
import type { InvoiceRow, SupplierScope } from '../domain/invoice.ts';
import { foldText, buildPositionBounds } from '../domain/list-entry.ts';
import { attempts } from '../runtime/attempts.ts';
import { MIN_INDEXED_ROWS, isCurrentIndex, readDayIndexes } from './day-indexes.ts';
import type { CountedDay, InvoiceLists, InvoiceRows, RowSelection } from './invoice-lists.ts';

/** The parameters of a list. If `search` is empty or blank, the list contains all rows of the selection. */
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

/** A day, or a part of a day at an end of the range, with the number of its rows. */
type CountedRange = Pick<CountedDay, 'range' | 'count'>;

/** A read of `take` rows of a range, after `skip` newer rows of the same range. */
type PlannedRead = { range: DateRange; readonly skip: number; take: number };

/** A range that is searched with one call: one day with an index (`indexedDay`), or days without an index (null). */
type DayGroup = { range: DateRange; readonly indexedDay: CountedDay | null; rowCount: number };

/** A row that matches a search, or the position of a matching entry in the index of its day. */
type Match = InvoiceRow | string;

const MAX_SEARCHES = 4;
// The number of rows that a query reads in one round trip.
const MAX_SEARCHED_ROWS = 1000;

/** Reads a page of the supplier's invoices at any offset, newest first (by date, then by id), with the exact total. */
export async function readInvoicePage(
  lists: InvoiceLists,
  scope: SupplierScope,
  { range, state, search, limit, offset }: ListQuery,
): Promise<InvoicePage> {
  const selection = { scope, range, state };
  if (search.trim() === '') return readListPage(lists.rows, selection, offset, limit);
  const text = foldText(search).trim();
  // A search for a lone accent or a control character finds nothing, because an empty text would match every invoice.
  if (text === '') return { rows: [], total: 0 };
  return searchPage(lists, selection, text, offset, limit);
}

/**
 * Reads a page of a list without a search. By the counters, it reads only the days of the page. A first page reads the
 * newest month in parallel with the counters, because most first pages need no other rows.
 */
async function readListPage(reader: InvoiceRows, selection: RowSelection, offset: number, limit: number) {
  const newestRange = selectNewestMonth(selection.range);
  const isFirstPage = offset === 0;
  const [countedDays, newestRows] = await Promise.all([
    countDays(reader, selection),
    isFirstPage ? reader.read({ ...selection, range: newestRange }, limit) : [],
  ]);
  const unreadDays = isFirstPage ? countedDays.filter(({ range }) => range.endMs < newestRange.startMs) : countedDays;
  const reads = planReads(unreadDays, offset, limit - newestRows.length);
  const olderRows = await Promise.all(
    reads.map(async ({ range, skip, take }) => (await reader.read({ ...selection, range }, skip + take)).slice(skip)),
  );
  const total = countedDays.reduce((sum, { count }) => sum + count, 0);
  return { rows: [...newestRows, ...olderRows.flat()], total };
}

/** Counts the rows of each day, newest first. The counters count whole days; the rows of parts of days are counted. */
async function countDays(reader: InvoiceRows, selection: RowSelection): Promise<CountedRange[]> {
  const { wholeDays, partialDays } = splitIntoDays(selection.range);
  const [wholeDayCounts, ...partialDayCounts] = await Promise.all([
    wholeDays ? reader.readDayCounts({ ...selection, range: wholeDays }) : [],
    ...partialDays.map(async (range) => ({ range, count: await reader.count({ ...selection, range }) })),
  ]);
  return [...wholeDayCounts, ...partialDayCounts].toSorted(compareNewestFirst);
}

function compareNewestFirst(one: CountedRange, other: CountedRange): number {
  return other.range.endMs - one.range.endMs;
}

/** Plans the reads of a page: one read for each month with days of the page. The days are newest first. */
function planReads(days: readonly CountedRange[], offset: number, limit: number): PlannedRead[] {
  const reads: PlannedRead[] = [];
  let newerRows = 0;
  for (const { range, count } of days) {
    const skip = Math.max(offset - newerRows, 0);
    const take = Math.min(count, offset + limit - newerRows) - skip;
    newerRows += count;
    if (take <= 0) continue;
    const lastRead = reads.at(-1);
    if (!lastRead || !isSameMonth(lastRead.range, range)) {
      reads.push({ range, skip, take });
      continue;
    }
    lastRead.range = joinRanges(lastRead.range, range);
    lastRead.take += take;
  }
  return reads;
}

function joinRanges(newer: DateRange, older: DateRange): DateRange {
  return { startMs: older.startMs, endMs: newer.endMs };
}

/** Reads a page of the rows that contain a folded text. Searches again if a day has changed meanwhile. */
async function searchPage(lists: InvoiceLists, selection: RowSelection, text: string, offset: number, limit: number) {
  let page: InvoicePage = { rows: [], total: 0 };
  for await (const attempt of attempts()) {
    const { matches, areCurrent } = await findMatches(lists, selection, text);
    const pageMatches = matches.slice(offset, offset + limit);
    const { rows, areUnchanged } = await readMatches(lists.rows, selection, text, pageMatches);
    page = { rows, total: matches.length };
    if ((areCurrent && areUnchanged) || attempt === MAX_SEARCHES) break;
  }
  return page;
}

/** Searches all days, newest first. `areCurrent` is true if no indexed day has changed since its count. */
async function findMatches(lists: InvoiceLists, selection: RowSelection, text: string) {
  const { scope, range, state } = selection;
  const isMatch = createMatcher(text, state);
  const wholeDays = { startMs: getWholeDay(range.startMs).startMs, endMs: getWholeDay(range.endMs).endMs };
  const groups = groupDays(range, await lists.rows.readDayCounts({ ...selection, range: wholeDays }));
  const indexedDays = groups.flatMap(({ indexedDay }) => indexedDay ?? []);
  // The rows of the other days are searched while the indexes are read.
  const pendingIndexes = readDayIndexes(lists, scope, indexedDays);
  const matches = await Promise.all(
    groups.map(async ({ range: groupRange, indexedDay }): Promise<Match[]> => {
      if (!indexedDay) return lists.rows.search({ ...selection, range: groupRange }, text);
      const { first, last } = buildPositionBounds(groupRange);
      const entries = (await pendingIndexes).get(indexedDay.day)?.entries ?? [];
      return entries
        .filter((entry) => isMatch(entry.text, entry.state) && entry.position >= first && entry.position <= last)
        .map(({ position }) => position);
    }),
  );
  const indexes = await pendingIndexes;
  const areCurrent = indexedDays.every((day) => isCurrentIndex(indexes.get(day.day), day));
  return { matches: matches.flat(), areCurrent };
}

/** Reads the rows of matches that are positions. `areUnchanged` is true if these rows still match. */
async function readMatches(reader: InvoiceRows, selection: RowSelection, text: string, matches: readonly Match[]) {
  const isMatch = createMatcher(text, selection.state);
  const positions = matches.filter((match) => typeof match === 'string');
  const rowsByPosition = await reader.readAt(selection.scope, positions);
  const findRow = (match: Match) => (typeof match === 'string' ? rowsByPosition.get(match)?.row : match);
  const rows = matches.map(findRow).filter((row) => row !== undefined);
  const doMatch = [...rowsByPosition.values()].every((found) => isMatch(found.text, found.row.state));
  return { rows, areUnchanged: doMatch && rowsByPosition.size === positions.length };
}

function createMatcher(text: string, state: RowSelection['state']) {
  return (rowText: string, rowState: InvoiceRow['state']) =>
    rowText.includes(text) && (state === null || rowState === state);
}

/** Groups the days that have rows, newest first: a day with an index, or days of one month without an index. */
function groupDays(range: DateRange, days: readonly CountedDay[]): DayGroup[] {
  const groups: DayGroup[] = [];
  for (const day of days.filter(({ count }) => count > 0).toSorted(compareNewestFirst)) {
    const startMs = Math.max(day.range.startMs, range.startMs);
    const endMs = Math.min(day.range.endMs, range.endMs);
    const indexedDay = day.countInAll >= MIN_INDEXED_ROWS ? day : null;
    const group: DayGroup = { range: { startMs, endMs }, indexedDay, rowCount: day.countInAll };
    const lastGroup = groups.at(-1);
    if (!lastGroup || !canJoin(lastGroup, group)) {
      groups.push(group);
      continue;
    }
    lastGroup.range = joinRanges(lastGroup.range, group.range);
    lastGroup.rowCount += group.rowCount;
  }
  return groups;
}

function canJoin(newer: DayGroup, older: DayGroup): boolean {
  if (newer.indexedDay || older.indexedDay) return false;
  return isSameMonth(newer.range, older.range) && newer.rowCount + older.rowCount <= MAX_SEARCHED_ROWS;
}
