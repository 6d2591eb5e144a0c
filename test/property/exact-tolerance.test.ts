import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal, normaliseDecimal } from '../../lib/domain/money.ts';
import { compare } from '../../lib/domain/tolerance.ts';
import { exactOutcome, fraction, toText } from './exact-outcome.ts';

const MAX_MICROS = 999_999_999_999_990_000n;

const decimalText = (micros: bigint) => toText({ numerator: micros, denominator: 1_000_000n }, 6);

/** Micro-units of an amount: any, one of a few cents, or zero, so that equal and near amounts are frequent. */
const amountMicros = fc.oneof(
  fc.bigInt({ min: 0n, max: MAX_MICROS }),
  fc.bigInt({ min: 0n, max: 500n }).map((cents) => cents * 10_000n),
  fc.constantFrom(0n, 1n, MAX_MICROS),
);
const limitText = fc.oneof(
  fc.bigInt({ min: 0n, max: 200_000_000n }).map(decimalText),
  fc.constantFrom('0', '5', '10', '33.3333', '100'),
);
const mode = fc.constantFrom('PCT' as const, 'ABS' as const, 'AMB' as const, null);

const inputs = fc.oneof(
  fc.record({
    mode,
    pct: limitText,
    abs: limitText,
    autoApprove: fc.boolean(),
    declared: amountMicros,
    system: amountMicros,
  }),
  // Declared close to the limit: the system amount plus or minus the allowed percentage, and up to two cents.
  fc
    .record({
      mode,
      percent: fc.bigInt({ min: 0n, max: 100n }),
      autoApprove: fc.boolean(),
      system: fc.bigInt({ min: 0n, max: MAX_MICROS / 2n }),
      sign: fc.constantFrom(1n, -1n),
      cents: fc.bigInt({ min: -2n, max: 2n }),
    })
    .map(({ percent, system, sign, cents, ...rest }) => {
      const allowed = (system * percent) / 100n;
      const declared = system + sign * allowed + cents * 10_000n;
      return {
        ...rest,
        pct: percent.toString(),
        abs: decimalText(allowed),
        declared: declared < 0n ? 0n : declared,
        system,
      };
    }),
);

describe('tolerance outcome', () => {
  it('agrees with an independent exact implementation [service/rule-3]', () => {
    fc.assert(
      fc.property(inputs, ({ declared, system, ...rest }) => {
        const texts = { ...rest, declared: decimalText(declared), system: decimalText(system) };
        const tolerance = { ...rest, pct: decimal(rest.pct), abs: decimal(rest.abs), source: 'global' as const };
        const outcome = compare(decimal(texts.declared), decimal(texts.system), tolerance);
        expect({
          ...outcome,
          difference: outcome.difference.toFixed(),
          differencePct: outcome.differencePct.toFixed(),
          differenceAbs: outcome.differenceAbs.toFixed(),
        }).toEqual({ ...exactOutcome(texts), source: 'global' });
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('a submitted amount', () => {
  it('is rounded half-up to 6 decimals, exactly', () => {
    const digits = fc.bigInt({ min: 0n, max: 999_999_999_999_999_999n });
    fc.assert(
      fc.property(digits, fc.integer({ min: 7, max: 18 }), (value, decimals) => {
        const text = `0.${value.toString().padStart(decimals, '0')}`;
        expect(normaliseDecimal(text).toFixed()).toBe(toText(fraction(text), 6));
      }),
      { numRuns: 2_000 },
    );
  });
});
