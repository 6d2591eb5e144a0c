import { isSameMonth } from '../domain/calendar.ts';
import type { InvoiceRow } from '../domain/invoice.ts';
import { idAt } from '../domain/list-entry.ts';
import type { InvoiceRows, RowSelection } from './invoice-lists.ts';
import type { Stretch } from './segments.ts';

/** What was read of a page; `isExact`: whether the rows are those that the indexes have told. */
interface PageRows {
  readonly rows: InvoiceRow[];
  readonly isExact: boolean;
}

/** Reads the rows of a list: one query for each month, and one more for the day where the page begins. */
export async function readListed(
  port: InvoiceRows,
  selection: RowSelection,
  stretches: readonly Stretch[],
): Promise<PageRows> {
  const unread = stretches.filter(({ segment }) => !segment.rows);
  const reads = queriesOf(unread).map(async ({ skip, take, from, ...query }) => {
    const read = await port.read({ ...selection, ...query }, skip + take, from);
    return from === 'newest' ? read.slice(skip) : read.slice(0, take);
  });
  const rows = [...stretches.flatMap(rowsIn), ...(await Promise.all(reads)).flat()];
  const told = unread.flatMap(positionsIn);
  return { rows, isExact: told.every((position, at) => rows[at]?.invoiceId === idAt(position)) };
}

/** Reads the rows that a search has found: those that it has not read already, at their positions. */
export async function readFound(
  port: InvoiceRows,
  { scope, state }: RowSelection,
  text: string,
  stretches: readonly Stretch[],
): Promise<PageRows> {
  const told = stretches.flatMap(positionsIn);
  const found = await port.at(scope, told);
  const rows = stretches.flatMap((stretch) => [
    ...rowsIn(stretch),
    ...positionsIn(stretch).flatMap((position) => found.get(position)?.row ?? []),
  ]);
  const areFound = [...found.values()].every((one) => one.text.includes(text) && (!state || one.row.state === state));
  return { rows, isExact: areFound && found.size === told.length };
}

function rowsIn({ segment, skip, take }: Stretch): readonly InvoiceRow[] {
  return segment.rows?.slice(skip, skip + take) ?? [];
}

function positionsIn({ segment, skip, take }: Stretch): readonly string[] {
  return segment.positions?.slice(skip, skip + take) ?? [];
}

/** A query for consecutive rows within one month: `take` after `skip` others, counted from one end. */
interface RowsQuery extends Pick<RowSelection, 'range' | 'newest'> {
  readonly from: 'newest' | 'oldest';
  readonly skip: number;
  readonly take: number;
}

/**
 * The queries for consecutive stretches. The first stretch is read from the position where it begins, if that is known,
 * else from the nearer end of its segment.
 */
export function queriesOf(stretches: readonly Stretch[]): RowsQuery[] {
  const queries: RowsQuery[] = [];
  for (const { segment, skip, take } of stretches) {
    const { range, count } = segment;
    const newest = segment.positions?.[skip];
    const last = queries.at(-1);
    if (newest !== undefined) queries.push({ range, newest, from: 'newest', skip: 0, take });
    else if (count - skip < skip + take) queries.push({ range, from: 'oldest', skip: count - skip - take, take });
    else if (last?.from === 'newest' && isSameMonth(last.range, range)) {
      const longer = { startMs: range.startMs, endMs: last.range.endMs };
      queries.splice(-1, 1, { ...last, range: longer, take: last.take + take });
    } else queries.push({ range, from: 'newest', skip, take });
  }
  return queries;
}
