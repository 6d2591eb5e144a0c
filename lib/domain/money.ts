import { Big } from 'big.js';

export type Decimal = Big;

export function decimal(value: number | string): Decimal {
  return new Big(value);
}

export function isDecimal(value: unknown): value is Decimal {
  return value instanceof Big;
}

/** True if two optional decimals are equal, or both are missing. */
export function isEqualDecimal(first: Decimal | null | undefined, second: Decimal | null | undefined): boolean {
  return first && second ? first.eq(second) : first === second;
}

/** Rounds half away from zero to the given number of decimals. */
export function roundHalfUp(value: Decimal, decimals: number): Decimal {
  return value.round(decimals, Big.roundHalfUp);
}

// The number of decimals that are stored. Clients send more decimals after binary arithmetic, as in 0.1 + 0.2.
const STORED_DECIMALS = 6;

/** The smallest positive number that is not rounded to 0. It is half a unit of the sixth decimal. */
export const SMALLEST_STORED = '0.0000005';

/** Rounds a number from a request half-up to 6 decimals. The service stores and compares only rounded numbers. */
export function normaliseDecimal(amount: number | string): Decimal {
  return roundHalfUp(decimal(amount), STORED_DECIMALS);
}

export function computeDifference(declared: Decimal, system: Decimal): Decimal {
  return declared.minus(system);
}

// A constructor of big.js determines the precision of quotients. Therefore, percentages have their own constructor.
const Percentage = Big();
Percentage.DP = 4;
Percentage.RM = Big.roundHalfUp;

/**
 * Computes the difference as a percentage of the system amount, rounded half-up to 4 decimals. If the system amount is
 * 0, the percentage is 100, or 0 without a difference.
 */
export function computeDifferencePct(difference: Decimal, system: Decimal): Decimal {
  if (system.eq(0)) return decimal(difference.eq(0) ? 0 : 100);
  return decimal(new Percentage(difference.times(100)).div(system).toFixed());
}
