import type { SupplierScope } from '../domain/invoice.ts';
import { toEntryText, type ListEntry } from '../domain/list-entry.ts';
import { addFingerprints, computeFingerprint, NO_FINGERPRINT } from '../runtime/fingerprints.ts';
import { forEachConcurrent } from '../runtime/for-each-concurrent.ts';
import type { CountedDay, DayIndex, InvoiceLists } from './invoice-lists.ts';

/** The minimum number of rows of a day that gets an index. */
export const MIN_INDEXED_ROWS = 50;

const PARALLEL_READS = 8;

// The estimated memory of an entry and its position of 45 characters, without its text.
const BYTES_PER_ENTRY = 200;

/** Returns the index of each day: from memory, from the store, or built from the current rows. */
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
  // If the store fails, the indexes are built from the rows.
  const storedIndexes = await indexes.read(scope, dayNames).catch(() => new Map<string, DayIndex>());
  await forEachConcurrent(unknownDays, PARALLEL_READS, async (day) => {
    const storedIndex = storedIndexes.get(day.day);
    const isStored = isCurrentIndex(storedIndex, day);
    const index = isStored ? storedIndex : buildDayIndex(await rows.readEntries(scope, day.range));
    indexesByDay.set(day.day, index);
    if (!isCurrentIndex(index, day)) return;
    memory.set(toMemoryKey(day), index, estimateBytes(index));
    // If the write fails, other processes build the index themselves.
    if (!isStored) await indexes.write(scope, day.day, index).catch(() => undefined);
  });
  return indexesByDay;
}

/** True if an index contains exactly the entries of a day that were counted, because their fingerprints are equal. */
export function isCurrentIndex(index: DayIndex | undefined, day: Pick<DayIndex, 'fingerprint'>): index is DayIndex {
  return index?.fingerprint === day.fingerprint;
}

/** Builds the index of a day from its entries, newest first. */
export function buildDayIndex(entries: readonly ListEntry[]): DayIndex {
  const fingerprints = entries.map((entry) => computeFingerprint(toEntryText(entry)));
  return { fingerprint: fingerprints.reduce(addFingerprints, NO_FINGERPRINT), entries };
}

/** Estimates the bytes of memory that an index uses. A character of a text has two bytes. */
function estimateBytes({ entries }: DayIndex): number {
  return entries.reduce((sum, { text }) => sum + 2 * text.length + BYTES_PER_ENTRY, 0);
}
