import { hash } from 'node:crypto';

/**
 * The fingerprint of a collection of texts: the sum of 48 bits of the SHA-256 of each text, modulo 2^48. The order of
 * the texts has no effect. Two different collections have the same fingerprint with a probability of 1 in 2^48.
 */
export type Fingerprint = number;

export const NO_FINGERPRINT: Fingerprint = 0;

const FINGERPRINT_BITS = 48;
const FINGERPRINT_HEX_DIGITS = FINGERPRINT_BITS / 4;
const MODULUS = 2 ** FINGERPRINT_BITS;

export function computeFingerprint(text: string): Fingerprint {
  return Number.parseInt(hash('sha256', text).slice(0, FINGERPRINT_HEX_DIGITS), 16);
}

/** Adds the fingerprint of a collection to a fingerprint, or subtracts it if it is negative. */
export function addFingerprints(fingerprint: Fingerprint, added: number): Fingerprint {
  return (fingerprint + added + MODULUS) % MODULUS;
}

/** Converts a fingerprint to the shorter of two equivalent summands: itself, or itself minus the modulus. */
export function toSummand(fingerprint: Fingerprint): number {
  return fingerprint > MODULUS / 2 ? fingerprint - MODULUS : fingerprint;
}

/** Converts a sum of summands to the fingerprint. The sum is a text, because most sums are too long for a number. */
export function fromSum(digits: string): Fingerprint {
  // The lowest 48 bits of a two's complement number are its remainder modulo 2^48, also for a negative number.
  return Number(BigInt.asUintN(FINGERPRINT_BITS, BigInt(digits)));
}
