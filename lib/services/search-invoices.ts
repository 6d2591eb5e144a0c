import { splitEvenly, splitIntoMonths, wholeDay } from '../domain/day-counts.ts';
import type { InvoiceLists, RowSelection } from './invoice-lists.ts';
import type { InvoicePage } from './invoice-pages.ts';

/** What is searched for, and which of the rows that are found make the page. */
export interface Search {
  readonly text: string;
  readonly limit: number;
  readonly offset: number;
}

const SEGMENT_ROWS = 1000;
const MAX_SEGMENTS = 8;

/** Searches every row of the range, in even segments side by side. */
export async function searchInvoices(
  lists: InvoiceLists,
  selection: RowSelection,
  { text, limit, offset }: Search,
): Promise<InvoicePage> {
  const { range } = selection;
  // Whole days are exact enough for the segments: every row is read anyway.
  const days = { startMs: wholeDay(range.startMs).startMs, endMs: wholeDay(range.endMs).endMs };
  const parts = (await lists.dayCounts({ ...selection, range: days })).filter(({ count }) => count > 0);
  const rows = parts.reduce((sum, { count }) => sum + count, 0);
  const most = Math.min(MAX_SEGMENTS, Math.ceil(rows / SEGMENT_ROWS));
  const segments = splitEvenly(range, parts, most)
    .flatMap(splitIntoMonths)
    .filter((segment) => parts.some(({ startMs, endMs }) => startMs <= segment.endMs && endMs >= segment.startMs));
  const found = await Promise.all(
    segments.map((segment) => lists.search({ ...selection, range: segment }, text, offset + limit)),
  );
  return {
    // A segment cut off at `offset + limit` rows ends the page before the next segment's rows could be reached.
    rows: found.flatMap((part) => part.rows).slice(offset, offset + limit),
    total: found.reduce((sum, { count }) => sum + count, 0),
  };
}
