/** An exact fraction; the denominator is positive. */
interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** The inputs of a comparison, as decimal strings. */
export interface OutcomeInputs {
  readonly mode: 'PCT' | 'ABS' | 'AMB' | null;
  readonly pct: string;
  readonly abs: string;
  readonly autoApprove: boolean;
  readonly declared: string;
  readonly system: string;
}

const absolute = (value: bigint) => (value < 0n ? -value : value);

/** The fraction that a decimal string writes. */
export function fraction(text: string): Fraction {
  const [whole = '0', decimals = ''] = text.split('.');
  return { numerator: BigInt(whole + decimals), denominator: 10n ** BigInt(decimals.length) };
}

function minus(left: Fraction, right: Fraction): Fraction {
  return {
    numerator: left.numerator * right.denominator - right.numerator * left.denominator,
    denominator: left.denominator * right.denominator,
  };
}

function percentOf(difference: Fraction, system: Fraction): Fraction {
  if (system.numerator === 0n) return { numerator: difference.numerator === 0n ? 0n : 100n, denominator: 1n };
  const sign = system.numerator < 0n ? -1n : 1n;
  return {
    numerator: sign * difference.numerator * system.denominator * 100n,
    denominator: difference.denominator * absolute(system.numerator),
  };
}

function isWithin(value: Fraction, limit: Fraction): boolean {
  return absolute(value.numerator) * limit.denominator <= limit.numerator * value.denominator;
}

/** Writes a fraction with at most `decimals` decimals, half away from zero, without trailing zeros. */
export function toText({ numerator, denominator }: Fraction, decimals: number): string {
  const scaled = (absolute(numerator) * 10n ** BigInt(decimals) * 2n + denominator) / (denominator * 2n);
  const digits = scaled.toString().padStart(decimals + 1, '0');
  const text = `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`.replace(/\.?0+$/, '');
  return numerator < 0n && scaled > 0n ? `-${text}` : text;
}

/**
 * The outcome of a comparison, computed with exact fractions of integers: an implementation independent of the
 * product's.
 */
export function exactOutcome({ mode, pct, abs, autoApprove, declared, system }: OutcomeInputs) {
  const difference = minus(fraction(declared), fraction(system));
  const percent = percentOf(difference, fraction(system));
  const pctHolds = isWithin(percent, fraction(pct));
  const absHolds = isWithin(difference, fraction(abs));
  const within = { PCT: pctHolds, ABS: absHolds, AMB: pctHolds && absHolds, none: difference.numerator === 0n }[
    mode ?? 'none'
  ];
  return {
    withinTolerance: within,
    difference: toText(difference, 6),
    differencePct: toText(percent, 4),
    differenceAbs: toText(difference, 6).replace('-', ''),
    action: within && autoApprove ? 'AUTO_APPROVE' : 'REVIEW',
  };
}
