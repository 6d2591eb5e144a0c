import { readInteger } from './dynamodb/values.ts';
import type { UpdatePart } from './dynamodb/updates.ts';

// Each item of the table RateCounters contains the latest times of a subject, in Unix milliseconds. h00 is the oldest.

/** Builds the names of the attributes with times: h00, h01 and so on. */
export function buildTimeNames(size: number): string[] {
  return Array.from({ length: size }, (_, position) => `h${position.toString().padStart(2, '0')}`);
}

/**
 * Builds the part of an update that adds `nowMs` to the latest `size` times, and removes the oldest time. The attribute
 * `last_write` then contains `writeId`, so that a retry does not add the time again if its first attempt was written.
 */
export function buildTimeWrite(size: number, nowMs: number, writeId: string): UpdatePart {
  const names = buildTimeNames(size);
  // The update is h00 = h01, h01 = h02, …, h04 = now. DynamoDB reads all values before it writes.
  const shifts = names.slice(1).map((name, index) => `${names[index]} = if_not_exists(${name}, :zero)`);
  return {
    set: [...shifts, `${names.at(-1)} = :now`, 'last_write = :writeId'],
    conditions: ['NOT last_write = :writeId'],
    values: { ':now': nowMs, ':zero': 0, ':writeId': writeId },
  };
}

/** True if the latest write of an item has this id. */
export function isLastWrite(item: { readonly last_write?: string } | undefined, writeId: string): boolean {
  return item?.last_write === writeId;
}

/** Reads the times of an item, oldest first. A missing time is 0. */
export function readTimes(item: object | undefined, size: number): number[] {
  return buildTimeNames(size).map((name) => readInteger(item, name));
}
