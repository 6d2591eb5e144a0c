import type { DateRange } from '../domain/date-range.ts';
import type { StateCode } from '../domain/invoice-states.ts';
import { entryText, type ListEntry, positionsBetween } from '../domain/list-entry.ts';
import { addFingerprints, type Fingerprint, fingerprintOf, NO_FINGERPRINT } from '../runtime/fingerprints.ts';

/**
 * The entries of a supplier's day, in the order of the lists. It is exact as long as its fingerprint is the one that
 * the counters have of the day.
 */
export interface DayIndex {
  readonly fingerprint: Fingerprint;
  /** Newest first. */
  readonly positions: readonly string[];
  readonly states: readonly StateCode[];
  /** The searched texts, each with a separator before it, and one more at the end. */
  readonly texts: string;
}

/** No searched text holds it: in folded texts, control characters are blanks, and fields end with line feeds. */
const TEXT_SEPARATOR = '\0';

/** The fewest rows of a day for which an index pays. */
export const INDEXED_ROWS = 50;

/** Whether an index holds the very entries of a day that were counted. */
export function isExact(index: DayIndex | undefined, day: Pick<DayIndex, 'fingerprint'>): index is DayIndex {
  return index?.fingerprint === day.fingerprint;
}

/** The index of a day's entries, which come newest first. */
export function makeDayIndex(entries: readonly ListEntry[]): DayIndex {
  return {
    fingerprint: entries.reduce((sum, entry) => addFingerprints(sum, fingerprintOf(entryText(entry))), NO_FINGERPRINT),
    positions: entries.map(({ position }) => position),
    states: entries.map(({ state }) => state),
    texts: [...entries.map(({ text }) => TEXT_SEPARATOR + text), TEXT_SEPARATOR].join(''),
  };
}

/**
 * The positions, newest first, of the entries in whose searched text a folded text occurs ('' in every one), in one
 * state or (null) in any.
 */
export function positionsOf(
  { positions, states, texts }: DayIndex,
  text: string,
  state: StateCode | null,
  range?: DateRange,
): string[] {
  const found: string[] = [];
  const { first, last } = range ? positionsBetween(range) : { first: '', last: '~' };
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

/** About how many bytes of memory an index takes. */
export function bytesOf({ positions, texts }: DayIndex): number {
  return 2 * texts.length + BYTES_PER_ENTRY * positions.length;
}

// A position of 45 characters, and what the engine adds to a text and to an element.
const BYTES_PER_ENTRY = 100;
