import { createHmac, timingSafeEqual } from 'node:crypto';

/** Verifies a password against a stored hash (null: no such user); `apiKey` is the secret that the same request brings along. */
export type VerifyWithProof = (password: string, hash: string | null, apiKey: string) => Promise<boolean>;

const PROOF_LIFETIME_MS = 300_000;
const MAX_PROOFS = 1_000;

/**
 * Spares callers who send their password with every request the full hash for 5 minutes after it was verified.
 *
 * What is kept is an HMAC of the password under the caller's API key, and the key itself is kept nowhere: without those 122 random
 * bits a proof says nothing about the password, so it is of less use to whoever reads it than the stored hash. A proof belongs
 * to one stored hash, so that a changed password ends it at once; whether the user is active is not a matter of the password.
 */
export function createPasswordProofs(
  verifyPassword: (password: string, hash: string | null) => Promise<boolean>,
  clock: { now(): Date },
): VerifyWithProof {
  const proofs = new Map<string, { readonly digest: Buffer; readonly expiresMs: number }>();

  return async (password, hash, apiKey) => {
    if (hash === null) return verifyPassword(password, hash);
    const nowMs = clock.now().getTime();
    const digest = createHmac('sha256', apiKey).update(hash).update('\0').update(password).digest();
    const proof = proofs.get(hash);
    if (proof && nowMs < proof.expiresMs && timingSafeEqual(proof.digest, digest)) return true;
    if (!(await verifyPassword(password, hash))) return false;
    if (proofs.size >= MAX_PROOFS) proofs.clear();
    proofs.set(hash, { digest, expiresMs: nowMs + PROOF_LIFETIME_MS });
    return true;
  };
}
