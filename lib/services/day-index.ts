import type { StateCode } from '../domain/invoice-states.ts';
import { entryText, type ListEntry } from '../domain/list-entry.ts';
import { addFingerprints, type Fingerprint, fingerprintOf, NO_FINGERPRINT } from '../runtime/fingerprints.ts';

/**
 * The entries of a supplier's day, in the order of the lists. It is exact as long as its fingerprint is the one that
 * the counters have of the day.
 */
export interface DayIndex {
  readonly fingerprint: Fingerprint;
  /** Newest first. */
  readonly places: readonly string[];
  readonly states: readonly StateCode[];
  /** The searched texts, each with a separator before it, and one more at the end. */
  readonly texts: string;
}

/** No searched text holds it: in folded texts, control characters are blanks, and fields end with line feeds. */
const TEXT_SEPARATOR = '\0';

/** The index of a day's entries, which come newest first. */
export function makeDayIndex(entries: readonly ListEntry[]): DayIndex {
  return {
    fingerprint: entries.reduce((sum, entry) => addFingerprints(sum, fingerprintOf(entryText(entry))), NO_FINGERPRINT),
    places: entries.map(({ place }) => place),
    states: entries.map(({ state }) => state),
    texts: [...entries.map(({ text }) => TEXT_SEPARATOR + text), TEXT_SEPARATOR].join(''),
  };
}

/** The positions of the entries in one state, or (null) of all; position 0 is the newest of the day. */
export function positionsIn({ places, states }: DayIndex, state: StateCode | null): number[] {
  const positions: number[] = [];
  for (let position = 0; position < places.length; position++) {
    if (!state || states[position] === state) positions.push(position);
  }
  return positions;
}

/** The positions of the entries in whose searched text a folded text occurs, in one state or (null) in any. */
export function positionsOf({ states, texts }: DayIndex, text: string, state: StateCode | null): number[] {
  const positions: number[] = [];
  let position = 0;
  let start = 1;
  for (let found = texts.indexOf(text, start); found >= 0; found = texts.indexOf(text, start)) {
    let end = texts.indexOf(TEXT_SEPARATOR, start);
    while (end >= 0 && end < found) {
      start = end + 1;
      end = texts.indexOf(TEXT_SEPARATOR, start);
      position++;
    }
    if (end < 0) break;
    if (!state || states[position] === state) positions.push(position);
    start = end + 1;
    position++;
  }
  return positions;
}

/** About how many bytes of memory an index takes. */
export function bytesOf({ places, texts }: DayIndex): number {
  return 2 * texts.length + BYTES_PER_ENTRY * places.length;
}

// A place of 45 characters, and what the engine adds to a text and to an element.
const BYTES_PER_ENTRY = 100;
