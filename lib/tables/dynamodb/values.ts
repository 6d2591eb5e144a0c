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

/** The most bytes that an item may have, by DynamoDB's measure. */
export const MAX_ITEM_BYTES = 409_600;

/** Computes the size of an item in bytes, as DynamoDB measures it. */
export function computeItemBytes(item: object): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);
}

const COLLECTION_BYTES = 3;
const ELEMENT_BYTES = 1;

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value === null || typeof value === 'boolean') return 1;
  if (typeof value === 'number') return numberBytes(`${value}`);
  if (value instanceof NumberValue) return numberBytes(value.toString());
  if (Array.isArray(value)) {
    return value.reduce((sum: number, element) => sum + ELEMENT_BYTES + valueBytes(element), COLLECTION_BYTES);
  }
  if (typeof value === 'object')
    return COLLECTION_BYTES + ELEMENT_BYTES * Object.keys(value).length + computeItemBytes(value);
  throw new TypeError(`Items of this service contain no ${typeof value}.`);
}

/** Computes the size of a number: one byte, one more for each two significant digits, and one for a sign. */
function numberBytes(text: string): number {
  const [mantissa = ''] = text.toLowerCase().split('e');
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
  return 1 + Math.ceil(digits.length / 2) + (text.startsWith('-') ? 1 : 0);
}
