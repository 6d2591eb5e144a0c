import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { newStamp } from '../../runtime/ids.ts';
import type { UpdatePart } from '../dynamodb/conditional-write.ts';
import { type StoredNumber, toInteger } from '../dynamodb/numbers.ts';

type Item = Readonly<Record<string, StoredNumber>>;

/**
 * A write that adds a time to the latest ones of an item: h00, h01, ... (or another prefix), oldest first, 0 for none.
 * The time is a stamp of this write alone, so that a retry after a lost answer finds that the write was done.
 */
export interface TimeWrite {
  /** Moves each time one position on, on the condition that it has not been done yet. */
  readonly part: UpdatePart;
  /** Whether an item has the time. */
  readonly isIn: (item: object | undefined) => boolean;
}

/** The write that adds `nowMs` (Unix milliseconds) to the latest `size` times. */
export function timeWrite(size: number, nowMs: number, prefix?: string): TimeWrite {
  const names = timeNames(size, prefix);
  const stamp = newStamp(nowMs);
  // Every right-hand side reads the item as it was before the update.
  const set = names.map(
    (name, position) => `${name} = ${position < size - 1 ? `if_not_exists(${names[position + 1]}, :never)` : ':stamp'}`,
  );
  return {
    part: {
      set,
      conditions: names.map((name) => `NOT ${name} = :stamp`),
      values: { ':stamp': NumberValue.from(stamp), ':never': 0 },
    },
    isIn: (item = {}) => names.some((name) => (item as Item)[name]?.toString() === stamp),
  };
}

/** The latest `size` times of an item, oldest first, in Unix milliseconds; 0 for none. */
export function timesIn(item: object | undefined, size: number, prefix?: string): number[] {
  return timeNames(size, prefix).map((name) => integerIn(item, name));
}

/** An integer of an item; 0 where there is none. */
export function integerIn(item: object | undefined, name: string): number {
  const value = (item as Item | undefined)?.[name];
  return value === undefined ? 0 : toInteger(value);
}

/** A number above every stamp of this millisecond: stamps have decimals. */
export function afterMs(timeMs: number): number {
  return timeMs + 1;
}

/** The attribute of the time at a position; the oldest one is at 0. */
export function timeName(position: number, prefix = 'h'): string {
  return `${prefix}${position.toString().padStart(2, '0')}`;
}

/** The attributes of the latest `size` times. */
export function timeNames(size: number, prefix?: string): string[] {
  return Array.from({ length: size }, (_, position) => timeName(position, prefix));
}
