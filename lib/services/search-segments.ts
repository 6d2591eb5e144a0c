import { isSameMonth, wholeDay } from '../domain/calendar.ts';
import type { DateRange } from '../domain/date-range.ts';
import { INDEXED_ROWS, isExact, positionsOf } from './day-index.ts';
import type { CountedDay, InvoiceLists, RowSelection } from './invoice-lists.ts';
import { newestFirst, type Segment, type SegmentedList, totalOf } from './segments.ts';

const MAX_SEARCHED_ROWS = 1000;

/** Cuts what a search finds into days with an index and groups of other days, whose rows are read up to `most`. */
export async function segmentSearch(
  { rows, indexes }: InvoiceLists,
  selection: RowSelection,
  text: string,
  most: number,
): Promise<SegmentedList> {
  const { scope, range, state } = selection;
  const wholeDays = { startMs: wholeDay(range.startMs).startMs, endMs: wholeDay(range.endMs).endMs };
  const days = (await rows.dayCounts({ ...selection, range: wholeDays })).filter(({ count }) => count > 0);
  const groups = groupDays(range, days);
  const indexedDays = groups.flatMap(({ indexed }) => indexed ?? []);
  const read = indexes.read(scope, indexedDays);
  const segments = await Promise.all(
    groups.map(async ({ range: within, indexed }): Promise<Segment> => {
      if (!indexed) return { range: within, ...(await rows.search({ ...selection, range: within }, text, most)) };
      const index = (await read).get(indexed.day);
      const positions = index ? positionsOf(index, text, state, within) : [];
      return { range: within, count: positions.length, positions };
    }),
  );
  const indexOf = await read;
  return {
    segments,
    total: totalOf(segments),
    isExact: indexedDays.every((day) => isExact(indexOf.get(day.day), day)),
  };
}

/** Days that are searched together: one by its index, or days of one month that have few rows. */
interface SearchedDays {
  readonly range: DateRange;
  readonly indexed: CountedDay | null;
  readonly rows: number;
}

/** Groups the days of a range that have rows as they are searched, newest first. */
export function groupDays(range: DateRange, days: readonly CountedDay[]): SearchedDays[] {
  const groups: SearchedDays[] = [];
  for (const day of newestFirst(days)) {
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
