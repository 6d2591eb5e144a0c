import { createHmac, randomInt } from 'node:crypto';

export { randomInt, randomUUID as newUuid } from 'node:crypto';

const SEQUENCE = 1_000_000;

// A sequence from a random start: random numbers would be equal for two items in one of 200 batches.
let sequence = randomInt(SEQUENCE);

/** Creates an entity id of 19 digits: the time in milliseconds, and a number that repeats after a million ids. */
export function newEntityId(now: Date): string {
  sequence = (sequence + 1) % SEQUENCE;
  return `${now.getTime()}${sequence.toString().padStart(6, '0')}`;
}

/** Creates a time in milliseconds with nine random decimals, which identifies one write and sorts as a time. */
export function newUniqueTimestamp(nowMs: number): string {
  // The last digit is 1, because DynamoDB removes trailing zeros.
  return `${nowMs}.${randomInt(100_000_000).toString().padStart(8, '0')}1`;
}

/** Returns the HMAC-SHA-256 of a text with a key, as 43 characters of base64url. */
export function hmacSha256(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
