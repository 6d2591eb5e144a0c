import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { newUniqueTimestamp } from '../runtime/ids.ts';
import { type StoredNumber, toInteger } from './dynamodb/values.ts';
import type { UpdatePart } from './dynamodb/writes.ts';

// Each item of the table RateCounters contains the latest times of a subject, in Unix milliseconds. h00 is the oldest.

/** The write of a time. The time has random decimals, so that a retry recognises the time of its first attempt. */
export interface TimeWrite {
  readonly part: UpdatePart;
  /** True if an item already contains this time with the same decimals. */
  readonly isStoredIn: (item: object | undefined) => boolean;
}

/** Builds the write that adds `nowMs` to the latest `size` times. The oldest time (h00) is removed. */
export function buildTimeWrite(size: number, nowMs: number): TimeWrite {
  const names = buildTimeNames(size);
  const timestamp = newUniqueTimestamp(nowMs);
  // The update is h00 = h01, h01 = h02, …, h04 = now. DynamoDB reads all values before it writes.
  const shifts = names.slice(1).map((name, index) => `${names[index]} = if_not_exists(${name}, :zero)`);
  const part: UpdatePart = {
    set: [...shifts, `${names.at(-1)} = :timestamp`],
    conditions: names.map((name) => `NOT ${name} = :timestamp`),
    values: { ':timestamp': NumberValue.from(timestamp), ':zero': 0 },
  };
  return { part, isStoredIn: (item = {}) => names.some((name) => (item as Item)[name]?.toString() === timestamp) };
}

type Item = Readonly<Record<string, StoredNumber>>;

export function readTimes(item: object | undefined, size: number): number[] {
  return buildTimeNames(size).map((name) => readInteger(item, name));
}

/** Reads an integer attribute of an item. An absent attribute is 0. */
export function readInteger(item: object | undefined, name: string): number {
  const value = (item as Item | undefined)?.[name];
  return value === undefined ? 0 : toInteger(value);
}

/** Returns an upper bound of all stored times in a millisecond, because stored times have random decimals. */
export const toUpperBoundMs = (timeMs: number) => timeMs + 1;

/** Builds the names of the attributes with times: h00, h01 and so on. */
export function buildTimeNames(size: number): string[] {
  return Array.from({ length: size }, (_, position) => `h${position.toString().padStart(2, '0')}`);
}
