import { hash } from 'node:crypto';

/**
 * What tells whether two collections of texts are the same: the sum of 48 bits of the SHA-256 of each, modulo 2^48. The
 * order does not matter. Different collections share one with a chance of 1 in 2^48.
 */
export type Fingerprint = number;

/** The fingerprint of nothing. */
export const NO_FINGERPRINT: Fingerprint = 0;

const HEX_DIGITS = 12;
const BITS = 48;
const MODULUS = 2 ** BITS;

/** The fingerprint of one text. */
export function fingerprintOf(text: string): Fingerprint {
  return Number.parseInt(hash('sha256', text).slice(0, HEX_DIGITS), 16);
}

/** The fingerprint of two collections together. */
export function addFingerprints(one: Fingerprint, other: Fingerprint): Fingerprint {
  return (one + other) % MODULUS;
}

/** The fingerprint of a collection without a part of it. */
export function subtractFingerprints(whole: Fingerprint, part: Fingerprint): Fingerprint {
  return (whole - part + MODULUS) % MODULUS;
}

/** What to add to a sum for a fingerprint: negative where that is shorter. */
export function toSummand(fingerprint: Fingerprint): number {
  return fingerprint > MODULUS / 2 ? fingerprint - MODULUS : fingerprint;
}

/** The fingerprint that a sum of summands stands for, given by its digits: most sums are too long for a number. */
export function fromSum(digits: string): Fingerprint {
  return Number(BigInt.asUintN(BITS, BigInt(digits)));
}
