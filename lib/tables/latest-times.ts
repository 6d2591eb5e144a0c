import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { newUniqueTimestamp } from '../runtime/ids.ts';
import type { UpdatePart } from './dynamodb/conditional-write.ts';
import { type StoredNumber, toInteger } from './dynamodb/numbers.ts';

type Item = Readonly<Record<string, StoredNumber>>;

/**
 * A write that adds a time to the latest times of an item (h00, h01, …, oldest first). The time has random decimals, so
 * that a retry after a lost response recognises its own write.
 */
export interface TimeWrite {
  /** Moves each time one position towards h00. The condition fails if the time has been added already. */
  readonly part: UpdatePart;
  readonly isIn: (item: object | undefined) => boolean;
}

/** Creates the write that adds `nowMs` (Unix milliseconds) to the latest `size` times. */
export function addTime(size: number, nowMs: number): TimeWrite {
  const names = timeNames(size);
  const stamp = newUniqueTimestamp(nowMs);
  // Every right-hand side reads the item as it was before the update: h00 = h01, h01 = h02, …, h04 = now.
  const set = names.map(
    (name, position) => `${name} = ${position < size - 1 ? `if_not_exists(${names[position + 1]}, :zero)` : ':stamp'}`,
  );
  return {
    part: {
      set,
      conditions: names.map((name) => `NOT ${name} = :stamp`),
      values: { ':stamp': NumberValue.from(stamp), ':zero': 0 },
    },
    isIn: (item = {}) => names.some((name) => (item as Item)[name]?.toString() === stamp),
  };
}

/** Reads the latest `size` times of an item, oldest first, in Unix milliseconds; 0 for none. */
export function readTimes(item: object | undefined, size: number): number[] {
  return timeNames(size).map((name) => readInteger(item, name));
}

/** Reads an integer attribute of an item; 0 if it is absent. */
export function readInteger(item: object | undefined, name: string): number {
  const value = (item as Item | undefined)?.[name];
  return value === undefined ? 0 : toInteger(value);
}

/** Returns a number above every stored time of this millisecond. */
export function afterMs(timeMs: number): number {
  return timeMs + 1;
}

/** Returns the attribute of the time at a position; the oldest one is at 0. */
export function timeName(position: number): string {
  return `h${position.toString().padStart(2, '0')}`;
}

function timeNames(size: number): string[] {
  return Array.from({ length: size }, (_, position) => timeName(position));
}
