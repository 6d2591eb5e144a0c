import { createHmac, timingSafeEqual } from 'node:crypto';
import { createLruCache } from '../runtime/lru-cache.ts';

/** Verifies a password against a stored hash (null: no such user); `apiKey` is the API key of the same request. */
export type VerifyWithProof = (password: string, hash: string | null, apiKey: string) => Promise<boolean>;

const PROOF_LIFETIME_MS = 300_000;
const MAX_PROOFS = 1_000;

/**
 * Creates a function that remembers for 5 minutes that a password was verified, for callers that send it with every
 * request.
 *
 * A proof is an HMAC of the password with the API key of the caller. The key is not kept, and without its 122 random
 * bits a proof reveals nothing about the password. A proof belongs to one stored hash, so it ends when the password
 * changes. Whether the user is active is checked elsewhere.
 */
export function createPasswordProofs(
  verifyPassword: (password: string, hash: string | null) => Promise<boolean>,
  clock: { now(): Date },
): VerifyWithProof {
  const proofs = createLruCache<{ readonly digest: Buffer; readonly expiresMs: number }>(MAX_PROOFS);

  return async (password, hash, apiKey) => {
    if (hash === null) return verifyPassword(password, hash);
    const nowMs = clock.now().getTime();
    const digest = createHmac('sha256', apiKey).update(hash).update(password).digest();
    const proof = proofs.get(hash);
    if (proof && nowMs < proof.expiresMs && timingSafeEqual(proof.digest, digest)) return true;
    if (!(await verifyPassword(password, hash))) return false;
    proofs.set(hash, { digest, expiresMs: nowMs + PROOF_LIFETIME_MS });
    return true;
  };
}
