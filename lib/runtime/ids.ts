import { randomInt, randomUUID } from 'node:crypto';

/** A new entity id: 19 digits, the time in milliseconds and a random part. */
export function newEntityId(now: Date): string {
  return `${now.getTime()}${randomInt(1_000_000).toString().padStart(6, '0')}`;
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
