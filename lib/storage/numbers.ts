import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { decimal, type Decimal } from '../domain/money.ts';

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

/** Reads an integer: a version, a count or a time in milliseconds. */
export function toInteger(value: StoredNumber): number {
  return Number(value.toString());
}
