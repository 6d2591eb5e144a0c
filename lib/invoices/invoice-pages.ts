import { isSameMonth, selectNewestMonth, splitIntoDays, type DateRange, getWholeDay } from '../domain/date-range.ts';
import type { InvoiceRow, SupplierScope } from '../domain/invoice.ts';
import { foldText, buildPositionBounds } from '../domain/list-entry.ts';
import { attempts } from '../runtime/attempts.ts';
import { MIN_INDEXED_ROWS, isCurrentIndex, readDayIndexes } from './day-indexes.ts';
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

/** A day with the number of its rows. The first or the last day of a selection can be a part of a day. */
type CountedRange = Pick<CountedDay, 'range' | 'count'>;

/** A read of the rows `skip` to `skip + take` of a range, newest first. */
type PlannedRead = { range: DateRange; readonly skip: number; take: number };

/** A range that is searched at once: one day with an index (`indexedDay`), or several days without an index (null). */
type DayGroup = { range: DateRange; readonly indexedDay: CountedDay | null; rowCount: number };

/** A matching row that a query found, or the position of a matching entry that an index contains. */
type Match = InvoiceRow | string;

const MAX_SEARCHES = 4;
// The maximum number of rows that one query reads, so that the query is one round trip.
const MAX_SEARCHED_ROWS = 1000;

/** Reads a page of the supplier's invoices, newest first (by date, then by id), with the exact total of all pages. */
export async function readInvoicePage(
  lists: InvoiceLists,
  scope: SupplierScope,
  { range, state, search, limit, offset }: ListQuery,
): Promise<InvoicePage> {
  const selection = { scope, range, state };
  if (search.trim() === '') return readListPage(lists.rows, selection, offset, limit);
  const text = foldText(search).trim();
  // A search for only an accent or a control character has an empty folded text, which would match every invoice.
  if (text === '') return { rows: [], total: 0 };
  return searchPage(lists, selection, text, offset, limit);
}

/**
 * Reads a page of a list without a search. The counters show which days the page contains. A first page reads the
 * newest month in parallel with the counters, because most first pages contain only rows of this month.
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

/** Counts the rows of each day, newest first. Reads counters for whole days, and counts the rows of partial days. */
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

/** Plans the reads of a page, one for each month that contains rows of the page. `days` are newest first. */
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

/** Reads a page of the rows that contain a folded text. If a day changes during the search, searches again. */
async function searchPage(lists: InvoiceLists, selection: RowSelection, text: string, offset: number, limit: number) {
  let page: InvoicePage = { rows: [], total: 0 };
  for await (const attempt of attempts()) {
    const { matches, hasCurrentIndexes } = await findMatches(lists, selection, text);
    const pageMatches = matches.slice(offset, offset + limit);
    const { rows, isUnchanged } = await readMatches(lists.rows, selection, text, pageMatches);
    page = { rows, total: matches.length };
    if ((hasCurrentIndexes && isUnchanged) || attempt === MAX_SEARCHES) break;
  }
  return page;
}

/** Finds the matches of all days, newest first. `hasCurrentIndexes` is true if every index has the counted entries. */
async function findMatches(lists: InvoiceLists, selection: RowSelection, text: string) {
  const { scope, range, state } = selection;
  const isMatch = createMatcher(text, state);
  const wholeDays = { startMs: getWholeDay(range.startMs).startMs, endMs: getWholeDay(range.endMs).endMs };
  const groups = groupDays(range, await lists.rows.readDayCounts({ ...selection, range: wholeDays }));
  const indexedDays = groups.flatMap(({ indexedDay }) => indexedDay ?? []);
  // The days without an index are searched while the indexes are read.
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
  const hasCurrentIndexes = indexedDays.every((day) => isCurrentIndex(indexes.get(day.day), day));
  return { matches: matches.flat(), hasCurrentIndexes };
}

/** Reads the rows of matches that are positions. `isUnchanged` is true if all these rows exist and still match. */
async function readMatches(reader: InvoiceRows, selection: RowSelection, text: string, matches: readonly Match[]) {
  const isMatch = createMatcher(text, selection.state);
  const positions = matches.filter((match) => typeof match === 'string');
  const rowsByPosition = await reader.readAt(selection.scope, positions);
  const findRow = (match: Match) => (typeof match === 'string' ? rowsByPosition.get(match)?.row : match);
  const rows = matches.map(findRow).filter((row) => row !== undefined);
  const isEveryRowMatch = [...rowsByPosition.values()].every((found) => isMatch(found.text, found.row.state));
  return { rows, isUnchanged: isEveryRowMatch && rowsByPosition.size === positions.length };
}

function createMatcher(text: string, state: RowSelection['state']) {
  return (rowText: string, rowState: InvoiceRow['state']) =>
    rowText.includes(text) && (state === null || rowState === state);
}

/** Groups the days that have rows, newest first. A day with an index is a group. The other days are joined by month. */
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
