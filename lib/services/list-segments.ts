import { newestMonth, splitIntoDays } from '../domain/calendar.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import { type DayIndex, INDEXED_ROWS, isExact, positionsOf } from './day-index.ts';
import type { CountedDay, InvoiceLists, InvoiceRows, RowSelection } from './invoice-lists.ts';
import { newestFirst, type Segment, type SegmentedList, stretchesOf, totalOf } from './segments.ts';

// Below this share of a day's rows, it costs less to skip those in the state than to index all.
const INDEXED_SHARE = 1 / 4;

/**
 * Cuts a list into days, and the parts of days at the ends of its range. For a page that begins late in a day with many
 * rows, the day gets the positions of its rows.
 */
export async function segmentList(
  lists: InvoiceLists,
  selection: RowSelection,
  offset: number,
  limit: number,
): Promise<SegmentedList> {
  const newest = newestMonth(selection.range);
  const [counted, prefetched] = await Promise.all([
    countDays(lists.rows, selection),
    // Most first pages need no others.
    offset === 0 ? lists.rows.read({ ...selection, range: newest }, limit) : null,
  ]);
  const total = totalOf(counted);
  if (prefetched) {
    const older = counted.filter(({ range }) => range.endMs < newest.startMs);
    return {
      segments: [{ range: newest, count: prefetched.length, rows: prefetched }, ...older],
      total,
      isExact: true,
    };
  }
  const [beginning] = stretchesOf(counted, offset, 1);
  const day = beginning?.segment;
  const index = day && isCountedDay(day) && (await indexFor(lists, selection.scope, day, beginning.skip));
  if (!index) return { segments: counted, total, isExact: true };
  const positions = positionsOf(index, '', selection.state);
  const segments = counted.map((segment) => (segment === day ? { ...segment, positions } : segment));
  return { segments, total, isExact: isExact(index, day) };
}

/** Counts the rows of each day; the counters know whole days, so parts of days at the ends are counted row by row. */
async function countDays(rows: InvoiceRows, selection: RowSelection): Promise<(CountedDay | Segment)[]> {
  const { wholeDays, partialDays } = splitIntoDays(selection.range);
  const [days, ...partials] = await Promise.all([
    wholeDays ? rows.dayCounts({ ...selection, range: wholeDays }) : [],
    ...partialDays.map(async (range) => ({ range, count: await rows.count({ ...selection, range }) })),
  ]);
  return newestFirst([...days, ...partials]);
}

function isCountedDay(segment: CountedDay | Segment): segment is CountedDay {
  return 'fingerprint' in segment;
}

/** An index of the day where a page begins, when it is at hand, or when it costs less than the rows to skip. */
async function indexFor(
  { indexes }: InvoiceLists,
  scope: SupplierScope,
  day: CountedDay,
  skip: number,
): Promise<DayIndex | undefined> {
  if (skip === 0) return undefined;
  const remembered = indexes.remembered(scope, day);
  const skipped = Math.min(skip, day.count - skip);
  if (remembered || skipped < INDEXED_ROWS || day.count < day.countInAll * INDEXED_SHARE) return remembered;
  return (await indexes.read(scope, [day])).get(day.day);
}
