import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { decimal, type Decimal } from '../../domain/money.ts';

/** A number as it is stored: its decimal digits. */
export type StoredNumber = NumberValue;

/** Writes a decimal with all its digits. */
export function fromDecimal(value: Decimal): StoredNumber {
  return NumberValue.from(value.toFixed());
}

/** Writes an integer. */
export function fromInteger(value: number): StoredNumber {
  return NumberValue.from(value);
}

/** Reads a decimal with all its digits. */
export function toDecimal(value: StoredNumber): Decimal {
  return decimal(value.toString());
}

/** Reads an integer: a version, a count, or a time in milliseconds, without the decimals that a stamp has. */
export function toInteger(value: StoredNumber): number {
  // Cut off as text: a binary float of a stamp with the decimals .99999999 is already the next millisecond.
  return Number(value.toString().split('.')[0]);
}
