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

// The number of decimals of a stored amount. Further decimals come from the binary arithmetic of clients.
const STORED_DECIMALS = 6;

/** The smallest positive number that is not stored as 0: half a unit of the last decimal, which is rounded up. */
export const SMALLEST_STORED = '0.0000005';

/** Rounds a submitted number half-up to 6 decimals. The result is stored and compared. */
export function normaliseDecimal(amount: number | string): Decimal {
  return roundHalfUp(decimal(amount), STORED_DECIMALS);
}

export function computeDifference(declared: Decimal, system: Decimal): Decimal {
  return declared.minus(system);
}

/**
 * Computes the difference as a percentage of the system amount, in a fraction, because a quotient would be rounded. If
 * the system amount is 0, every difference is 100 %.
 */
export function computePercentageRatio(
  difference: Decimal,
  system: Decimal,
): { numerator: Decimal; denominator: Decimal } {
  if (!system.eq(0)) return { numerator: difference.times(100), denominator: system };
  return { numerator: decimal(difference.eq(0) ? 0 : 100), denominator: decimal(1) };
}

// big.js stores the precision of quotients in the constructor. Therefore percentages have a separate constructor.
const Percentage = Big();
Percentage.DP = 4;
Percentage.RM = Big.roundHalfUp;

/** Computes the difference as a percentage of the system amount, rounded half-up to 4 decimals for display. */
export function computeDifferencePct(difference: Decimal, system: Decimal): Decimal {
  const { numerator, denominator } = computePercentageRatio(difference, system);
  return decimal(new Percentage(numerator).div(denominator).toFixed());
}
