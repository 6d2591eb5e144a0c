import { randomInt, randomUUID } from 'node:crypto';

/** A new entity id: 19 digits, the time in milliseconds and a random part. */
export function newEntityId(now: Date): string {
  return `${now.getTime()}${randomInt(1_000_000).toString().padStart(6, '0')}`;
}

/** A new random UUID, for keys and tokens. */
export function newUuid(): string {
  return randomUUID();
}
