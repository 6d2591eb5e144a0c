import { ID_DIGITS } from '../../../lib/domain/list-entry.ts';

// Integers of more digits are not exact as numbers.
const EXACT_DIGITS = 15;

/** Returns an id without its leading zeros; of an id that has only zeros, one remains. */
export function stripZeros(id: string): string {
  return id.replace(/^0+(?=\d)/, '');
}

/** Returns all other ids that differ from an id only in leading zeros, the shortest first. */
export function findZeroVariants(id: string): string[] {
  const digits = stripZeros(id);
  const lengths = Array.from({ length: ID_DIGITS + 1 - digits.length }, (_, zeros) => digits.length + zeros);
  return lengths.map((length) => digits.padStart(length, '0')).filter((variant) => variant !== id);
}

/** A key of an id in a large collection: a number wherever it is exact, because numbers take less memory than texts. */
export type CompactId = number | string;

/** Converts an id to a key that is equal only for equal ids. */
export function toCompactId(id: string): CompactId {
  return id.length > EXACT_DIGITS || /^0\d/.test(id) ? id : Number(id);
}
