import { createHmac, randomInt } from 'node:crypto';

export { randomUUID as newUuid } from 'node:crypto';

const SEQUENCE_LENGTH = 1_000_000;

// Consecutive, from a random start. With random numbers, 1 of 200 batches (of 100 ids) would have two equal numbers.
let sequenceNumber = randomInt(SEQUENCE_LENGTH);

/** Creates an entity id of 19 digits: the time in milliseconds, and a number that repeats after a million ids. */
export function newEntityId(now: Date): string {
  sequenceNumber = (sequenceNumber + 1) % SEQUENCE_LENGTH;
  return `${now.getTime()}${sequenceNumber.toString().padStart(6, '0')}`;
}

/** Returns the HMAC-SHA-256 of a text with a key, as 43 characters of base64url. */
export function hmacSha256(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
