import { newStamp } from '../../runtime/ids.ts';
import { fromDigits, type StoredNumber, toInteger } from '../dynamodb/numbers.ts';

type Item = Readonly<Record<string, StoredNumber>>;

/**
 * A write that adds a time to the latest ones of an item: h00, h01, ... (or another prefix), oldest first, 0 for none.
 * The time is a stamp of this write alone, so that a repetition after a lost answer finds that the write was done.
 */
export interface TimeWrite {
  /** What SET does: each time moves one place on. */
  readonly shift: string;
  /** The condition that the write has not been done yet. */
  readonly isNew: string;
  readonly values: Readonly<Record<string, StoredNumber | number>>;
  /** Whether an item has it. */
  readonly isIn: (item: object | undefined) => boolean;
}

/** The write that adds `nowMs` (Unix milliseconds) to the latest `size` times. */
export function timeWrite(size: number, nowMs: number, prefix?: string): TimeWrite {
  const names = placeNames(size, prefix);
  const stamp = newStamp(nowMs);
  // Every right-hand side reads the item as it was before the update.
  const shift = names.map(
    (name, place) => `${name} = ${place < size - 1 ? `if_not_exists(${names[place + 1]}, :never)` : ':stamp'}`,
  );
  return {
    shift: shift.join(', '),
    isNew: names.map((name) => `NOT ${name} = :stamp`).join(' AND '),
    values: { ':stamp': fromDigits(stamp), ':never': 0 },
    isIn: (item = {}) => names.some((name) => (item as Item)[name]?.toString() === stamp),
  };
}

/** The latest `size` times of an item, oldest first, in Unix milliseconds; 0 for none. */
export function timesIn(item: object | undefined, size: number, prefix?: string): number[] {
  return placeNames(size, prefix).map((name) => integerIn(item, name));
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

/** The attribute of a place; place 0 holds the oldest time. */
export function placeName(place: number, prefix = 'h'): string {
  return `${prefix}${place.toString().padStart(2, '0')}`;
}

/** The attributes of all places. */
export function placeNames(size: number, prefix?: string): string[] {
  return Array.from({ length: size }, (_, place) => placeName(place, prefix));
}
