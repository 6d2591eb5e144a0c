import { randomInt, randomUUID } from 'node:crypto';

const SEQUENCE = 1_000_000;

// Counted on from a random number: of random ones, two of a batch would be the same once in 200 batches.
let sequence = randomInt(SEQUENCE);

/**
 * A new entity id of 19 digits: the time in milliseconds, and a number that this process uses again only after a
 * million ids.
 */
export function newEntityId(now: Date): string {
  sequence = (sequence + 1) % SEQUENCE;
  return `${now.getTime()}${sequence.toString().padStart(6, '0')}`;
}

/** A random whole number from 0, below `end`. */
export function randomBelow(end: number): number {
  return randomInt(end);
}

/** A new random UUID, for keys and tokens. */
export function newUuid(): string {
  return randomUUID();
}

/** A time in milliseconds with nine random decimals: it compares with other times, and belongs to one write only. */
export function newStamp(nowMs: number): string {
  // Its last digit is no zero, which a number that was stored would have lost.
  return `${nowMs}.${randomInt(100_000_000).toString().padStart(8, '0')}1`;
}
