import { type CountedRange, splitIntoDays } from '../domain/day-counts.ts';
import type { InvoiceRow } from '../domain/invoice.ts';
import type { PageSlice } from '../domain/page-slices.ts';
import type { CountedDay, InvoiceRows, RowSelection } from './invoice-rows.ts';

/** A whole day, or a part of one at an end of a range. */
export type CountedPart = CountedDay | CountedRange;

/** Counts the rows of each day; the counters know whole days, so parts of days at the ends are counted row by row. */
export async function countParts(rows: InvoiceRows, selection: RowSelection): Promise<CountedPart[]> {
  const { wholeDays, partialDays } = splitIntoDays(selection.range);
  const [days, ...partials] = await Promise.all([
    wholeDays ? rows.dayCounts({ ...selection, range: wholeDays }) : [],
    ...partialDays.map(async (range) => ({ ...range, count: await rows.count({ ...selection, range }) })),
  ]);
  return [...days, ...partials];
}

/** How many rows the parts have. */
export function totalOf(parts: readonly CountedPart[]): number {
  return parts.reduce((sum, { count }) => sum + count, 0);
}

/** The rows of all slices, side by side; the first begins at the newest place, if one is given. */
export async function readSlices(
  rows: InvoiceRows,
  selection: RowSelection,
  slices: readonly PageSlice[],
  newestPlace?: string,
): Promise<InvoiceRow[]> {
  const reads = slices.map(async ({ range, from, skip, take }, position) => {
    const begins = position === 0 && newestPlace !== undefined && { newestPlace };
    const read = await rows.read({ ...selection, range, ...begins }, skip + take, from);
    return from === 'newest' ? read.slice(skip) : read.slice(0, take);
  });
  return (await Promise.all(reads)).flat();
}
