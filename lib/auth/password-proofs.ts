import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Verifies a password against a stored hash (null: no such user); `apiKey` is the key that the same request carries.
 */
export type VerifyWithProof = (password: string, hash: string | null, apiKey: string) => Promise<boolean>;

const PROOF_LIFETIME_MS = 300_000;
const MAX_PROOFS = 1_000;

/**
 * Remembers for 5 minutes that a password was verified, for callers who send it with every request.
 *
 * A proof is an HMAC of the password under the caller's API key. The key is not kept: without its 122 random bits a
 * proof says nothing about the password. A proof belongs to one stored hash, so a changed password ends it at once.
 * Whether the user is active is checked elsewhere.
 */
export function createPasswordProofs(
  verifyPassword: (password: string, hash: string | null) => Promise<boolean>,
  clock: { now(): Date },
): VerifyWithProof {
  const proofs = new Map<string, { readonly digest: Buffer; readonly expiresMs: number }>();

  return async (password, hash, apiKey) => {
    if (hash === null) return verifyPassword(password, hash);
    const nowMs = clock.now().getTime();
    const digest = createHmac('sha256', apiKey).update(hash).update(password).digest();
    const proof = proofs.get(hash);
    if (proof && nowMs < proof.expiresMs && timingSafeEqual(proof.digest, digest)) return true;
    if (!(await verifyPassword(password, hash))) return false;
    if (proofs.size >= MAX_PROOFS) proofs.clear();
    proofs.set(hash, { digest, expiresMs: nowMs + PROOF_LIFETIME_MS });
    return true;
  };
}
