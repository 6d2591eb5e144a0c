import type { DateRange } from '../domain/date-range.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import { entryText, type ListEntry, positionsBetween } from '../domain/list-entry.ts';
import { addFingerprints, type Fingerprint, fingerprintOf, NO_FINGERPRINT } from '../runtime/fingerprints.ts';

/**
 * The entries of a supplier's day, in the order of the lists. It is exact while its fingerprint equals the one of the
 * day in the counters.
 */
export interface DayIndex {
  readonly fingerprint: Fingerprint;
  /** Newest first. */
  readonly positions: readonly string[];
  readonly states: readonly StateCode[];
  /** The searched texts, each after a separator, with a separator at the end. */
  readonly texts: string;
}

/** No searched text contains this character: folded texts contain no control characters but line feeds. */
const TEXT_SEPARATOR = '\0';

/** The minimum number of rows of a day that gets an index. */
export const INDEXED_ROWS = 50;

/** True if an index contains exactly the entries of a day that were counted. */
export function isCurrentIndex(index: DayIndex | undefined, day: Pick<DayIndex, 'fingerprint'>): index is DayIndex {
  return index?.fingerprint === day.fingerprint;
}

/** Builds the index of a day from its entries, newest first. */
export function makeDayIndex(entries: readonly ListEntry[]): DayIndex {
  return {
    fingerprint: entries.reduce((sum, entry) => addFingerprints(sum, fingerprintOf(entryText(entry))), NO_FINGERPRINT),
    positions: entries.map(({ position }) => position),
    states: entries.map(({ state }) => state),
    texts: [...entries.map(({ text }) => TEXT_SEPARATOR + text), TEXT_SEPARATOR].join(''),
  };
}

/**
 * Finds the positions, newest first, of the entries of a range in whose searched text a folded text occurs, in one
 * state or (null) in any.
 */
export function findPositions(
  { positions, states, texts }: DayIndex,
  text: string,
  state: StateCode | null,
  range: DateRange,
): string[] {
  const found: string[] = [];
  const { first, last } = positionsBetween(range);
  let at = 0;
  let start = 1;
  for (let hit = texts.indexOf(text, start); hit >= 0; hit = texts.indexOf(text, start)) {
    let end = texts.indexOf(TEXT_SEPARATOR, start);
    while (end >= 0 && end < hit) {
      start = end + 1;
      end = texts.indexOf(TEXT_SEPARATOR, start);
      at++;
    }
    const position = positions[at];
    if (end < 0 || position === undefined) break;
    if ((!state || states[at] === state) && position >= first && position <= last) found.push(position);
    start = end + 1;
    at++;
  }
  return found;
}

/** Estimates the bytes of memory that an index uses. */
export function estimateBytes({ positions, texts }: DayIndex): number {
  return 2 * texts.length + BYTES_PER_ENTRY * positions.length;
}

// A position of 45 characters, and the overhead of a text and of an array element.
const BYTES_PER_ENTRY = 100;
