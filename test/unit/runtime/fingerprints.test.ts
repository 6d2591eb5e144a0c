import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addFingerprints,
  computeFingerprint,
  fromSum,
  NO_FINGERPRINT,
  toSummand,
} from '../../../lib/runtime/fingerprints.ts';

const fingerprint = fc.integer({ min: 0, max: 2 ** 48 - 1 });

describe('fingerprints', () => {
  it('fingerprintOf returns the first 48 bits of the SHA-256 of a text', () => {
    expect(computeFingerprint('abc')).toBe(0xba7816bf8f01);
  });

  it('addFingerprints returns the same sum in any order, and another sum without one of the texts', () => {
    const sum = (texts: readonly string[]) => texts.map(computeFingerprint).reduce(addFingerprints, NO_FINGERPRINT);
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (texts) => {
        expect(sum(texts.toReversed())).toBe(sum(texts));
        expect(addFingerprints(sum(texts), -computeFingerprint(texts[0] ?? ''))).toBe(sum(texts.slice(1)));
        expect(sum(texts)).not.toBe(sum(texts.slice(1)));
      }),
    );
  });

  it('a fingerprint can be stored as a sum of exact numbers after any additions and removals', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fingerprint, fc.boolean()), { maxLength: 100 }), (changes) => {
        let storedSum = 0n;
        let expected: number = NO_FINGERPRINT;
        for (const [change, isAdded] of changes) {
          expected = addFingerprints(expected, isAdded ? change : -change);
          const summand = toSummand(isAdded ? change : addFingerprints(NO_FINGERPRINT, -change));
          expect(Math.abs(summand)).toBeLessThanOrEqual(2 ** 47);
          storedSum += BigInt(summand);
        }
        expect(fromSum(storedSum.toString())).toBe(expected);
      }),
    );
  });
});
