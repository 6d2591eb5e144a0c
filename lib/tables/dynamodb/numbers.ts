import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { decimal, type Decimal, isDecimal } from '../../domain/money.ts';

/** A stored number, with all its decimal digits. */
export type StoredNumber = NumberValue;

/** Writes a decimal with all its digits. */
export function fromDecimal(value: Decimal): StoredNumber {
  return NumberValue.from(value.toFixed());
}

export function fromInteger(value: number): StoredNumber {
  return NumberValue.from(value);
}

export function toDecimal(value: StoredNumber): Decimal {
  return decimal(value.toString());
}

/** Reads an integer: a version, a count, or a time in milliseconds, without the decimals that a stamp has. */
export function toInteger(value: StoredNumber): number {
  // Cut off as text: a binary float of a stamp with the decimals .99999999 is already the next millisecond.
  return Number(value.toString().split('.')[0]);
}

/** Reads the numbers of an item and of its maps as decimals. */
export function readNumbers(value: unknown): unknown {
  return value instanceof NumberValue ? toDecimal(value) : mapParts(value, readNumbers);
}

/** Writes the decimals of a record and of its parts as numbers. */
export function writeNumbers(value: unknown): unknown {
  return isDecimal(value) ? fromDecimal(value) : mapParts(value, writeNumbers);
}

function mapParts(value: unknown, map: (part: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, map(part)]));
}
