import type { SupplierScope } from '../domain/invoice.ts';
import { toEntryText, type ListEntry } from '../domain/list-entry.ts';
import { addFingerprints, computeFingerprint, NO_FINGERPRINT } from '../runtime/fingerprints.ts';
import { forEachConcurrent } from '../runtime/for-each-concurrent.ts';
import type { CountedDay, DayIndex, InvoiceLists } from './invoice-lists.ts';

/** The minimum number of rows of a day for which an index is built. */
export const MIN_INDEXED_ROWS = 50;

const PARALLEL_READS = 8;

// An estimate of the memory of an entry without its text. The position alone has 45 characters.
const BYTES_PER_ENTRY = 200;

/** Returns the index of each day. An index comes from memory, from the store, or from the current rows. */
export async function readDayIndexes(
  { rows, indexes, memory }: InvoiceLists,
  scope: SupplierScope,
  days: readonly CountedDay[],
): Promise<Map<string, DayIndex | undefined>> {
  const toMemoryKey = ({ day }: CountedDay) => `${scope.tenant}#${scope.supplierId}#${day}`;
  const indexesByDay = new Map(days.map((day) => [day.day, memory.get(toMemoryKey(day))]));
  const unknownDays = days.filter((day) => !isCurrentIndex(indexesByDay.get(day.day), day));
  if (unknownDays.length === 0) return indexesByDay;

  const dayNames = unknownDays.map(({ day }) => day);
  // If the store fails, all missing indexes are built from the rows.
  const storedIndexes = await indexes.read(scope, dayNames).catch(() => new Map<string, DayIndex>());
  await forEachConcurrent(unknownDays, PARALLEL_READS, async (day) => {
    const storedIndex = storedIndexes.get(day.day);
    const isStored = isCurrentIndex(storedIndex, day);
    const index = isStored ? storedIndex : buildDayIndex(await rows.readEntries(scope, day.range));
    indexesByDay.set(day.day, index);
    if (!isCurrentIndex(index, day)) return;
    memory.set(toMemoryKey(day), index, estimateBytes(index));
    // An error is ignored, because other processes can build the index themselves.
    if (!isStored) await indexes.write(scope, day.day, index).catch(() => undefined);
  });
  return indexesByDay;
}

/** True if the fingerprints are equal. Then the index contains exactly the entries that were counted on the day. */
export function isCurrentIndex(index: DayIndex | undefined, day: Pick<DayIndex, 'fingerprint'>): index is DayIndex {
  return index?.fingerprint === day.fingerprint;
}

/** Builds the index of a day from its entries, newest first. */
export function buildDayIndex(entries: readonly ListEntry[]): DayIndex {
  const fingerprints = entries.map((entry) => computeFingerprint(toEntryText(entry)));
  return { fingerprint: fingerprints.reduce(addFingerprints, NO_FINGERPRINT), entries };
}

/** Estimates the bytes of memory that an index uses. A character in memory uses up to two bytes. */
function estimateBytes({ entries }: DayIndex): number {
  return entries.reduce((sum, { text }) => sum + 2 * text.length + BYTES_PER_ENTRY, 0);
}
