import type { InvoiceRow } from '../domain/invoice.ts';
import { idInPlace } from '../domain/list-entry.ts';
import { type ListBeginning, beginningAt, slicesOfPage } from '../domain/page-slices.ts';
import { rounds } from '../runtime/rounds.ts';
import { type DayIndex, positionsIn } from './day-index.ts';
import { INDEXED_ROWS, isExact } from './day-indexes.ts';
import type { InvoiceLists, InvoicePage } from './invoice-lists.ts';
import type { RowSelection } from './invoice-rows.ts';
import { countParts, type CountedPart, readSlices, totalOf } from './page-parts.ts';

const MAX_INDEXED_ROUNDS = 3;
// Below this share of a day's rows, it costs less to skip those in the state than to index all.
const INDEXED_SHARE = 1 / 4;

/**
 * Reads a page that does not begin with the newest row. Late in a day with many rows it begins where the day's index
 * says, else it skips rows from the nearer end of the day.
 */
export async function readLaterPage(
  lists: InvoiceLists,
  selection: RowSelection,
  offset: number,
  limit: number,
): Promise<InvoicePage> {
  let parts: CountedPart[] = [];
  for await (const round of rounds()) {
    parts = await countParts(lists.rows, selection);
    const total = totalOf(parts);
    const beginning = beginningAt(parts, offset);
    if (!beginning) return { rows: [], total };
    const index = round <= MAX_INDEXED_ROUNDS && (await indexOf(lists, selection, beginning));
    if (!index) break;
    const rows = await readIndexed(lists, selection, beginning, index, limit);
    if (rows) return { rows, total };
  }
  return {
    rows: await readSlices(lists.rows, selection, slicesOfPage(parts, offset, limit)),
    total: totalOf(parts),
  };
}

/** An index of the day where a page begins, when it is at hand, or when it costs less than the rows to skip. */
async function indexOf(
  { indexes }: InvoiceLists,
  { scope }: RowSelection,
  { part, skip }: ListBeginning<CountedPart>,
): Promise<DayIndex | undefined> {
  if (skip === 0 || !('fingerprint' in part)) return undefined;
  const remembered = indexes.remembered(scope, part);
  const skipped = Math.min(skip, part.count - skip);
  if (remembered || skipped < INDEXED_ROWS || part.count < part.rows * INDEXED_SHARE) return remembered;
  return (await indexes.read(scope, [part])).get(part.day);
}

/**
 * The rows of a page from where an index says that it begins; null when the day has changed since it was counted, or
 * the rows since it was indexed.
 */
async function readIndexed(
  { rows }: InvoiceLists,
  selection: RowSelection,
  { part, skip, older }: ListBeginning<CountedPart>,
  index: DayIndex,
  limit: number,
): Promise<InvoiceRow[] | null> {
  if (!('fingerprint' in part) || !isExact(index, part)) return null;
  const expected = positionsIn(index, selection.state)
    .slice(skip, skip + limit)
    .map((position) => index.places[position] ?? '');
  const [newestPlace] = expected;
  const rest = [{ ...part, count: part.count - skip }, ...older];
  const read = await readSlices(rows, selection, slicesOfPage(rest, 0, limit), newestPlace);
  return expected.every((place, at) => read[at]?.invoiceId === idInPlace(place)) ? read : null;
}
