import { Big } from 'big.js';

export type Decimal = Big;

export function decimal(value: number | string): Decimal {
  return new Big(value);
}

export function isDecimal(value: unknown): value is Decimal {
  return value instanceof Big;
}

/** Rounds half away from zero to the given number of decimals. */
export function roundHalfUp(value: Decimal, decimals: number): Decimal {
  return value.round(decimals, Big.roundHalfUp);
}

/** Decimals kept of a submitted number; further ones come from the binary arithmetic of clients. */
const KEPT_DECIMALS = 6;

/** The smallest number above 0 that is not stored as 0: half a unit of the last decimal, which is rounded up. */
export const SMALLEST_STORED = '0.0000005';

/** Converts a submitted number to the number that is stored and compared: rounded half-up to 6 decimals. */
export function normaliseDecimal(amount: number | string): Decimal {
  return roundHalfUp(decimal(amount), KEPT_DECIMALS);
}

export function differenceOf(declared: Decimal, system: Decimal): Decimal {
  return declared.minus(system);
}

/**
 * Computes the difference as a percentage of the system amount, as a fraction that is not rounded. If the system amount
 * is 0, any difference is 100 %.
 */
export function percentageRatio(difference: Decimal, system: Decimal): { numerator: Decimal; denominator: Decimal } {
  if (!system.eq(0)) return { numerator: difference.times(100), denominator: system };
  return { numerator: decimal(difference.eq(0) ? 0 : 100), denominator: decimal(1) };
}

// A separate constructor, because big.js keeps the precision of quotients in the constructor.
const Percentage = Big();
Percentage.DP = 4;
Percentage.RM = Big.roundHalfUp;

/** Computes the difference as a percentage of the system amount, rounded half-up to 4 decimals for display. */
export function differencePct(difference: Decimal, system: Decimal): Decimal {
  const { numerator, denominator } = percentageRatio(difference, system);
  return decimal(new Percentage(numerator).div(denominator).toFixed());
}
