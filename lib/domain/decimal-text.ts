import { decimal, type Decimal, normaliseDecimal } from './money.ts';

const DECIMAL = /^-?\d{1,20}(\.\d{1,20})?([eE][+-]?\d{1,2})?$/;
const MAX_AMOUNT = decimal('999999999999.99');

/** Whether the text is a decimal number between the largest amount and its negative. */
export function isSignedAmount(text: string): boolean {
  return DECIMAL.test(text) && decimal(text).abs().lte(MAX_AMOUNT);
}

/** The same, from 0. */
export function isAmount(text: string): boolean {
  return !text.startsWith('-') && isSignedAmount(text);
}

/** The same, of at most 6 decimals: an amount that need not be rounded. */
export function isExactAmount(text: string): boolean {
  return isAmount(text) && normaliseDecimal(text).eq(decimal(text));
}

/** The same as an amount, up to 100. */
export function isPercentage(text: string): boolean {
  return isAmount(text) && decimal(text).lte(100);
}

/**
 * The number that is stored for a text, as for what a client submits: rounded half-up to 6 decimals; zero has no sign.
 */
export function toDecimal(text: string): Decimal {
  const value = normaliseDecimal(text);
  return value.eq(0) ? value.abs() : value;
}
