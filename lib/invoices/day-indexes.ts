import { getWholeDay } from '../domain/date-range.ts';
import { ServiceError } from '../domain/errors.ts';
import type { SupplierScope } from '../domain/invoice.ts';
import { buildPositionBounds, type ListEntry, parseEntryText, toEntryText } from '../domain/list-entry.ts';
import { searchInPreparation } from '../domain/texts.ts';
import { addFingerprints, computeFingerprint, NO_FINGERPRINT } from '../runtime/fingerprints.ts';
import { getCurrentDeadline } from '../runtime/request-scope.ts';
import type { CountedDay, DayIndex, InvoiceLists, RowSelection } from './invoice-lists.ts';

// The text of an entry does not contain this character.
const ENTRY_SEPARATOR = '\0';

/**
 * Reads the indexes of days of one month from memory, from the store, or from the rows. If a day changes meanwhile, its
 * index contains the current rows. A new index is stored at once, so that a request can continue where another ended.
 */
export async function readDayIndexes(
  { rows, indexes, memory }: InvoiceLists,
  scope: SupplierScope,
  days: readonly CountedDay[],
): Promise<Map<string, DayIndex | undefined>> {
  const toMemoryKey = (day: string) => `${scope.tenant}#${scope.supplierId}#${day}`;
  const indexesByDay = new Map(days.map(({ day }) => [day, memory.get(toMemoryKey(day))]));
  const isUnknown = ({ day, fingerprint }: CountedDay) => indexesByDay.get(day)?.fingerprint !== fingerprint;
  const addIndex = (day: string, index: DayIndex) => {
    indexesByDay.set(day, index);
    memory.set(toMemoryKey(day), index, index.text.length);
  };
  const readStored = async (dayNames: readonly string[]) => {
    // If the store fails, the indexes are built from the rows.
    const storedIndexes = await indexes.read(scope, dayNames).catch(() => []);
    for (const [day, index] of storedIndexes) addIndex(day, index);
  };

  const uncachedDays = days.filter(isUnknown);
  if (uncachedDays.length > 0) await readStored(uncachedDays.map(({ day }) => day));

  // Processes that start at the same time read days in different orders, and use the indexes of each other.
  const shuffledDays = uncachedDays
    .filter(isUnknown)
    .map((day) => ({ day, order: Math.random() }))
    .toSorted((one, other) => one.order - other.order);
  for (const [count, { day }] of shuffledDays.entries()) {
    if (count > 0) await readStored([day.day]);
    if (!isUnknown(day)) continue;
    const range = getWholeDay(Date.parse(day.day));
    const index = buildDayIndex(await rows.readEntries(scope, range).catch(throwReadError));
    addIndex(day.day, index);
    // An error is ignored, because other processes can build the index themselves.
    await indexes.write(scope, day.day, index).catch(() => undefined);
  }
  return indexesByDay;
}

/** Throws the error of a read. At the deadline of the request, the error states that a retry will continue. */
function throwReadError(cause: unknown): never {
  const remainingMs = getCurrentDeadline()?.remainingMs() ?? Infinity;
  throw remainingMs > 0 ? cause : new ServiceError('INTERNAL_ERROR', searchInPreparation, { cause });
}

/** Builds the index of a day from its entries, newest first. */
export function buildDayIndex(entries: readonly ListEntry[]): DayIndex {
  const texts = entries.map(toEntryText);
  const fingerprint = texts.map(computeFingerprint).reduce(addFingerprints, NO_FINGERPRINT);
  return { fingerprint, text: texts.join(ENTRY_SEPARATOR) };
}

/** Finds the positions of the selected entries that contain a folded text, newest first. */
export function findPositions(
  index: DayIndex | undefined,
  selection: Pick<RowSelection, 'range' | 'state'>,
  text: string,
): string[] {
  // Most days contain no match. To search the whole text is faster than to search each entry.
  if (!index?.text.includes(text)) return [];
  const { first, last } = buildPositionBounds(selection.range);
  const entries = index.text.split(ENTRY_SEPARATOR).map(parseEntryText);
  const matches = entries.filter((entry) => isMatch(entry, selection, text));
  return matches.map(({ position }) => position).filter((position) => position >= first && position <= last);
}

/** True if an entry has the selected state and contains a folded text. */
export function isMatch(entry: ListEntry, { state }: Pick<RowSelection, 'state'>, text: string): boolean {
  return entry.text.includes(text) && (state === null || entry.state === state);
}
