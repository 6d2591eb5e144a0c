import type { SupplierScope } from '../domain/invoice.ts';
import { entryText, type ListEntry } from '../domain/list-entry.ts';
import { addFingerprints, computeFingerprint, NO_FINGERPRINT } from '../runtime/fingerprints.ts';
import { forEachConcurrent } from '../runtime/for-each-concurrent.ts';
import type { CountedDay, DayIndex, InvoiceLists } from './invoice-lists.ts';

/** The minimum number of rows of a day that gets an index. */
export const INDEXED_ROWS = 50;

const PARALLEL_READS = 8;

/**
 * Reads an index of each day, by day: from memory, from the store, or else built from the current rows. A new index is
 * exact unless the rows changed after the day was counted (see `isCurrentIndex`).
 */
export async function readDayIndexes(
  { rows, indexes, memory }: InvoiceLists,
  scope: SupplierScope,
  days: readonly CountedDay[],
): Promise<Map<string, DayIndex | undefined>> {
  const toMemoryKey = ({ day }: CountedDay) => `${scope.tenant}#${scope.supplierId}#${day}`;
  const found = new Map(days.map((day) => [day.day, memory.get(toMemoryKey(day))]));
  const unknown = days.filter((day) => !isCurrentIndex(found.get(day.day), day));
  if (unknown.length === 0) return found;
  const unknownDays = unknown.map(({ day }) => day);
  const stored = await indexes.read(scope, unknownDays).catch(() => new Map<string, DayIndex>());
  await forEachConcurrent(unknown, PARALLEL_READS, async (day) => {
    const kept = stored.get(day.day);
    const index = isCurrentIndex(kept, day) ? kept : buildDayIndex(await rows.readEntries(scope, day.range));
    found.set(day.day, index);
    if (!isCurrentIndex(index, day)) return;
    memory.set(toMemoryKey(day), index, estimateBytes(index));
    // If the write fails, other processes read the rows of the day themselves.
    if (index !== kept) await indexes.write(scope, day.day, index).catch(() => undefined);
  });
  return found;
}

/** True if an index contains exactly the entries of a day that were counted. */
export function isCurrentIndex(index: DayIndex | undefined, day: Pick<DayIndex, 'fingerprint'>): index is DayIndex {
  return index?.fingerprint === day.fingerprint;
}

/** Builds the index of a day from its entries, newest first. */
export function buildDayIndex(entries: readonly ListEntry[]): DayIndex {
  const fingerprints = entries.map((entry) => computeFingerprint(entryText(entry)));
  return { fingerprint: fingerprints.reduce(addFingerprints, NO_FINGERPRINT), entries };
}

// An entry, and a position of 45 characters.
const BYTES_PER_ENTRY = 200;

/** Estimates the bytes of memory that an index uses. */
function estimateBytes({ entries }: DayIndex): number {
  return entries.reduce((sum, { text }) => sum + 2 * text.length + BYTES_PER_ENTRY, 0);
}
