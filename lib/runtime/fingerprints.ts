import { hash } from 'node:crypto';

/**
 * The fingerprint of a collection of texts: the sum of 48 bits of the SHA-256 of each text, modulo 2^48. The order of
 * the texts has no effect. Two different collections have the same fingerprint with a probability of 1 in 2^48.
 */
export type Fingerprint = number;

export const NO_FINGERPRINT: Fingerprint = 0;

const HEX_DIGITS = 12;
const BITS = 48;
const MODULUS = 2 ** BITS;

export function computeFingerprint(text: string): Fingerprint {
  return Number.parseInt(hash('sha256', text).slice(0, HEX_DIGITS), 16);
}

/** Computes the fingerprint of two collections together, or, if the other one is negative, of one without the other. */
export function addFingerprints(one: Fingerprint, other: number): Fingerprint {
  return (one + other + MODULUS) % MODULUS;
}

/** Converts a fingerprint to a summand, which is negative if that has fewer digits. */
export function toSummand(fingerprint: Fingerprint): number {
  return fingerprint > MODULUS / 2 ? fingerprint - MODULUS : fingerprint;
}

/** Converts a sum of summands to the fingerprint; the sum is a text, because most sums are too long for a number. */
export function fromSum(digits: string): Fingerprint {
  return Number(BigInt.asUintN(BITS, BigInt(digits)));
}
