import { LIMITS } from '../../../lib/domain/limits.ts';
import { decimal, type Decimal, normaliseDecimal } from '../../../lib/domain/money.ts';

// For example `1050`, `-0.25` or `1.05e3`.
const DECIMAL = /^-?\d{1,20}(\.\d{1,20})?([eE][+-]?\d{1,2})?$/;
const MAX_AMOUNT = decimal(LIMITS.amountMax);

/** True if a string is a decimal from -LIMITS.amountMax to LIMITS.amountMax. */
export function isSignedAmount(text: string): boolean {
  return DECIMAL.test(text) && decimal(text).abs().lte(MAX_AMOUNT);
}

/** True if a string is a decimal from 0 to LIMITS.amountMax. */
export function isAmount(text: string): boolean {
  return !text.startsWith('-') && isSignedAmount(text);
}

/** True if a string is an amount with at most 6 decimals, which is stored without rounding. */
export function isExactAmount(text: string): boolean {
  return isAmount(text) && normaliseDecimal(text).eq(decimal(text));
}

/** True if a string is a percentage of a tax that an invoice can have. */
export function isPercentage(text: string): boolean {
  return isAmount(text) && decimal(text).lte(LIMITS.taxPctMax);
}

/** Converts a string to the decimal that is stored, rounded half up to 6 decimals. The zero has no sign. */
export function toDecimal(text: string): Decimal {
  const value = normaliseDecimal(text);
  return value.eq(0) ? value.abs() : value;
}
